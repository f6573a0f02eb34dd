//! The `load_skill` lesson (S1-05 to S1-12): one folder, the nearest one upwards.

use lorimer_discover::Reading;

use super::walks::everything;
use super::{Root, Table, Whose};

pub(in crate::profiles) const TABLE: Table = Table {
    harness: "harnessx",
    program: "HarnessX, lesson 7",
    system: "",
    markers: &[],
    markers_setting: "",
    folders: &[],
    settings: &[],
    roots: &[Root::new(Whose::Project, "{nearest}/.agents/skills", everything)],
    plugins: &[],
    link_targets: "",
    same_name: None,
    reading: Reading::minimal,
};
