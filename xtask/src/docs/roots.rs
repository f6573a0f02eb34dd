//! `docs/roots.md`, from the tables of places.

use std::fmt::Write as _;

use lorimer::discover::Keep;
use lorimer::profiles::roots::{self, Plugins, Root, Table};

use super::Page;

pub(super) const PAGE: Page = Page { path: "docs/roots.md", table: "the tables of places", text: page };

const HEADER: &str = "# Where every harness looks

Generated from the tables in `crates/lorimer/src/profiles/roots/` by `cargo xtask docs`; change a table, not this file.
`lorimer roots` prints the same for your machine, with what is there.

Places stand in the harness's own order. They begin like this:

| beginning | stands for |
|---|---|
| `~` | the user's home |
| `$NAME` | a folder that the variable of this name may move; set to nothing, it moves nothing |
| `{system}` | the directory of machine-wide settings |
| `{cwd}` | the working directory |
| `{project}` | the project's root: the nearest ancestor of the working directory with a mark of it |
| `{project..cwd}` | each directory from the project's root down to the working directory |
| `{cwd..project}` | the same, the working directory first |
| `{cwd..project or top}` | the same; without a project, up to the root of the file system |
| `{cwd..project or home}` | up to the project's root or the home, whichever is nearer, else to the root of the file system |
| `{nearest}` | the nearest ancestor of the working directory that has this path |
| `{below cwd}` | each directory below the working directory in which the session has opened a file |
| `{each KEY}` | each path that the setting names |
| `{each KEY in FILE}` | each path that the setting in this file names |
";

fn page() -> String {
    roots::ALL.iter().fold(HEADER.to_owned(), |mut page, table| {
        page.push_str(&section(table));
        page
    })
}

fn section(table: &Table) -> String {
    let mut text = format!("\n## {}\n\n", table.harness);
    let program = if table.program.is_empty() { "lorimer's own" } else { table.program };
    let _ = write!(text, "{program}.");
    if !table.system.is_empty() {
        let _ = write!(text, " `{{system}}` is `{}`.", table.system);
    }
    if !table.markers.is_empty() {
        let _ = write!(text, " A project is marked by {}.", quoted(table.markers));
    }
    for folder in table.folders.iter().filter(|folder| !folder.otherwise.is_empty()) {
        let _ = write!(text, " `${}` is `{}` unless it is set.", folder.variable, folder.otherwise);
    }
    text.push_str(match table.same_name {
        None => " Skills of one name all stay.\n",
        Some(Keep::First) => " Of several skills of one name the first counts.\n",
        Some(Keep::Last) => " Of several skills of one name the last counts.\n",
    });
    text.push_str("\n| | place | whose | its word | counts where |\n|---|---|---|---|---|\n");
    for (number, root) in (1..).zip(table.roots) {
        text.push_str(&row(number, root));
    }
    for plugins in table.plugins {
        text.push_str(&plugins_row(plugins));
    }
    text
}

fn row(number: usize, root: &Root) -> String {
    let mut when: Vec<String> = root.when.iter().map(|when| when.described()).collect();
    if !root.except.is_empty() {
        when.push(format!("it is not {}", quoted(root.except)));
    }
    let scope = root.whose.scope();
    format!("| {number} | `{}` | {} | {} | {} |\n", root.place, scope.kind(), root.label, when.join("; "))
}

fn plugins_row(plugins: &Plugins) -> String {
    let mut when = Vec::new();
    if let Some(registry) = plugins.registry {
        when.push(format!("`{}` names the plugin, for every project or for this one", registry.file));
    }
    if let Some(enabled) = plugins.enabled {
        when.push(format!("`{}` switches it on", enabled.setting));
    }
    format!("| | `{}` | plugins | | {} |\n", plugins.place, when.join("; "))
}

fn quoted(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_every_harness_has_a_row() {
        let page = page();
        for table in roots::ALL {
            let start = page.find(&format!("\n## {}\n", table.harness)).unwrap();
            for root in table.roots {
                assert!(page.get(start..).unwrap().contains(root.place), "{}: {}", table.harness, root.place);
            }
        }
    }
}
