//! Directories that a session has come to by opening a file in them.

use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::Place;
use crate::boundary::Limit;
use crate::walk::ignore_lines;

/// Returns the directories below the working directory on the way to the files that were opened, outermost first, with
/// their depth below it. Those that the repository ignores are left out, with all that lies in them: a dependency must
/// not bring skills along.
pub(crate) fn directories(place: &Place) -> Vec<(PathBuf, u16)> {
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    // A path that leads upwards on its way does not lie where it seems to.
    let upwards = |file: &Path| file.components().any(|part| part == Component::ParentDir);
    for file in place.opened.iter().filter(|file| !upwards(file)) {
        let below = file
            .ancestors()
            .skip(1)
            .take_while(|directory| directory.starts_with(&place.cwd) && *directory != place.cwd.as_path());
        found.extend(below.map(Path::to_path_buf));
    }
    let mut rules = HashMap::new();
    found.retain(|directory| !is_ignored(place, directory, &mut rules));
    let depth = |directory: &Path| {
        let below = directory.strip_prefix(&place.cwd).map_or(0, |rest| rest.components().count());
        u16::try_from(below).unwrap_or(u16::MAX)
    };
    let at = |directory: PathBuf| {
        let depth = depth(&directory);
        (directory, depth)
    };
    found.into_iter().map(at).collect()
}

/// Returns whether an ignore file between the project's root and a directory names it or a directory that it lies in.
/// The nearest ignore file that says something about a directory decides.
fn is_ignored(place: &Place, directory: &Path, rules: &mut HashMap<PathBuf, Gitignore>) -> bool {
    let root = place.project_root();
    let on_the_way = directory.ancestors().take_while(|step| step.starts_with(root) && *step != root);
    on_the_way.into_iter().any(|step| {
        let above = step.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
        let mut verdict = |folder: &Path| {
            let rules = rules.entry(folder.to_owned()).or_insert_with(|| rules_of(folder, root));
            let verdict = rules.matched(step, true);
            (!verdict.is_none()).then(|| verdict.is_ignore())
        };
        above.into_iter().find_map(&mut verdict) == Some(true)
    })
}

/// Reads a directory's ignore file; one that a link leads out of the project for says nothing.
fn rules_of(folder: &Path, project: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(folder);
    let lines = ignore_lines(&folder.join(".gitignore"), &Limit::within([project]));
    for line in lines.unwrap_or_default().lines() {
        // A line that is no pattern costs only itself.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
