//! Which skill of one harness is which of another.
//!
//! A file is the same skill whichever source and whichever path led to it. What is no file of this machine is the same
//! where source and locator are. A harness that lists one file twice has two rows for it, so that every skill of its
//! listing has a cell.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lorimer_core::{Code, Diagnostic, Severity, Skill, SkillId};

use super::{Cell, Row, Standing, standings};
use crate::View;

/// Returns one row for each skill, with one cell for each view; `None` is a harness that would not start.
pub(super) fn rows(views: &[Option<&View>]) -> Vec<Row> {
    let mut table = Table { columns: views.len(), ..Table::default() };
    for (column, view) in views.iter().enumerate() {
        let mut times = HashMap::new();
        for (skill, cell) in view.iter().flat_map(|view| standings(view)) {
            table.add(column, &skill, cell, &mut times);
        }
    }
    for (column, view) in views.iter().enumerate() {
        table.refuse(column, view.map_or(&[], |view| &view.diagnostics));
    }
    let mut rows: Vec<Row> = table.rows.into_iter().map(Half::whole).collect();
    rows.sort_by(|left, right| (&left.name, &left.locator).cmp(&(&right.name, &right.locator)));
    rows
}

/// What tells skills apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    File(PathBuf),
    Resource(SkillId),
}

/// A row in the making.
#[derive(Debug)]
struct Half {
    row: Row,
    /// Every path that is known to lead to the skill.
    paths: Vec<PathBuf>,
    cells: Vec<Option<Cell>>,
}

impl Half {
    fn whole(self) -> Row {
        let cells = self.cells.into_iter().map(|cell| cell.unwrap_or_else(Cell::absent)).collect();
        Row { cells, ..self.row }
    }

    /// Fills an empty cell.
    fn fill(&mut self, column: usize, cell: Cell) {
        if let Some(slot) = self.cells.get_mut(column) {
            slot.get_or_insert(cell);
        }
    }
}

#[derive(Debug, Default)]
struct Table {
    columns: usize,
    rows: Vec<Half>,
    /// Rows that are about one skill: the second is for harnesses that list it twice.
    groups: Vec<Vec<usize>>,
    known: HashMap<Key, usize>,
}

impl Table {
    /// Puts the cell of a skill into its row. `times` counts how often the column had each skill already.
    fn add(&mut self, column: usize, skill: &Skill, cell: Cell, times: &mut HashMap<usize, usize>) {
        let keys: Vec<Key> = match skill.id.locator.as_path() {
            Some(_) => skill.paths().map(|path| Key::File(path.to_owned())).collect(),
            None => vec![Key::Resource(skill.id.clone())],
        };
        let group = self.group(&keys);
        let time = times.entry(group).or_default();
        let index = self.groups.get(group).and_then(|rows| rows.get(*time)).copied();
        *time += 1;
        let index = index.unwrap_or_else(|| {
            let row = Row {
                skill: Some(skill.id.clone()),
                name: skill.call_name().to_owned(),
                locator: skill.shown_location(),
                description: skill.description.clone(),
                cells: Vec::new(),
            };
            self.push(group, row)
        });
        if let Some(half) = self.rows.get_mut(index) {
            half.paths.extend(skill.paths().map(Path::to_owned));
            half.fill(column, cell);
        }
    }

    /// Returns the group of a skill that is known by any of these keys, and remembers all of them.
    fn group(&mut self, keys: &[Key]) -> usize {
        let group = keys.iter().find_map(|key| self.known.get(key)).copied().unwrap_or_else(|| {
            self.groups.push(Vec::new());
            self.groups.len() - 1
        });
        for key in keys {
            self.known.entry(key.clone()).or_insert(group);
        }
        group
    }

    fn push(&mut self, group: usize, row: Row) -> usize {
        let index = self.rows.len();
        self.rows.push(Half { row, paths: Vec::new(), cells: vec![None; self.columns] });
        if let Some(rows) = self.groups.get_mut(group) {
            rows.push(index);
        }
        index
    }

    /// Fills the cells of what a harness came across and did not take in.
    fn refuse(&mut self, column: usize, diagnostics: &[Diagnostic]) {
        let mut found: Vec<&Diagnostic> =
            diagnostics.iter().filter(|told| told.code.as_str().starts_with("discover/")).collect();
        // A file that was read and then gave way to another says so beside what is odd about it. Otherwise the worst
        // finding is the reason.
        found.sort_by_key(|told| (!is_same_name(told.code), std::cmp::Reverse(told.severity)));
        let mut folders: Vec<(&Path, Code)> = Vec::new();
        for told in found {
            let Some(path) = told.location.as_ref().and_then(|location| location.locator.as_path()) else {
                continue;
            };
            let key = Key::File(path.to_owned());
            let is_new = !self.known.contains_key(&key);
            if is_new && !is_markdown(path) {
                if told.severity > Severity::Note {
                    folders.push((path, told.code));
                }
                continue;
            }
            let group = self.group(&[key]);
            if is_new {
                self.push(group, of_file(path));
            }
            for index in self.groups.get(group).into_iter().flatten() {
                if let Some(half) = self.rows.get_mut(*index) {
                    half.fill(column, refusal(told.code));
                }
            }
        }
        // The nearest folder says why nothing below it was found.
        folders.sort_by_key(|(path, _)| std::cmp::Reverse(path.components().count()));
        for half in &mut self.rows {
            let above =
                folders.iter().find(|(folder, _)| half.paths.iter().any(|path| path.starts_with(folder)));
            if let Some((_, code)) = above {
                half.fill(column, refusal(*code));
            }
        }
    }
}

fn refusal(code: Code) -> Cell {
    let standing = if is_same_name(code) { Standing::Shadowed } else { Standing::Rejected };
    Cell::new(standing, Some(code.as_str().to_owned()))
}

fn is_same_name(code: Code) -> bool {
    matches!(code, Code::NameCollision | Code::Shadowed | Code::SameFile)
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

/// Returns the row of a file that no harness could take in. A skill file is called by its folder.
fn of_file(path: &Path) -> Row {
    let is_skill_file = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
    let folder = path.parent().and_then(Path::file_name).filter(|_| is_skill_file);
    let name = folder.or_else(|| path.file_stem()).unwrap_or_default();
    Row {
        skill: None,
        name: name.to_string_lossy().into_owned(),
        locator: path.to_string_lossy().into_owned(),
        description: String::new(),
        cells: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use lorimer_catalog::{Catalog, Entry};
    use lorimer_core::{Locator, SnapshotBuilder, SourceId};

    use super::*;

    fn skill(source: &str, path: &str) -> Skill {
        Skill::new(SkillId::new(SourceId::new(source), Locator::Path(path.into())), "tea", "Brews tea.")
    }

    fn view(skills: &[Skill], diagnostics: Vec<Diagnostic>) -> View {
        let mut snapshot = SnapshotBuilder::default();
        for skill in skills {
            snapshot.push(skill.clone()).expect("identities differ");
        }
        let catalog = Catalog { entries: skills.iter().map(Entry::whole).collect(), ..Catalog::default() };
        View {
            snapshot: snapshot.finish(),
            catalog,
            listing: true,
            hidden: Vec::new(),
            token_counter: None,
            diagnostics,
        }
    }

    fn joined(views: &[View]) -> Vec<Vec<Standing>> {
        let rows = rows(&views.iter().map(Some).collect::<Vec<_>>());
        rows.iter().map(|row| row.cells.iter().map(|cell| cell.standing).collect()).collect()
    }

    #[test]
    fn a_file_is_one_skill_whichever_source_and_path_lead_to_it() {
        let plain = skill("host", "/link/tea/SKILL.md");
        let mut canonical = skill("plugins", "/real/tea/SKILL.md");
        canonical.provenance.discovered = Some("/link/tea/SKILL.md".into());
        let (one, other) = (view(&[plain], Vec::new()), view(&[canonical], Vec::new()));
        assert_eq!(joined(&[one.clone(), other.clone()]), [[Standing::Whole, Standing::Whole]]);
        assert_eq!(joined(&[other, one]), [[Standing::Whole, Standing::Whole]]);
    }

    #[test]
    fn a_harness_that_lists_a_file_twice_has_two_rows_for_it() {
        let twice = [skill("host", "/r/tea/SKILL.md"), skill("plugins", "/r/tea/SKILL.md")];
        let views = [view(&twice, Vec::new()), view(&twice[..1], Vec::new())];
        assert_eq!(joined(&views), [[Standing::Whole, Standing::Whole], [Standing::Whole, Standing::Absent]]);
    }

    #[test]
    fn what_gave_way_to_a_namesake_is_shadowed_whatever_else_is_odd_about_it() {
        let path = PathBuf::from("/r/tea/SKILL.md");
        let told = |code| Diagnostic::new(code, "m").at(path.clone(), None);
        let odd = vec![told(Code::FrontmatterRepaired), told(Code::NameCollision)];
        let views = [view(&[skill("host", "/r/tea/SKILL.md")], Vec::new()), view(&[], odd)];
        assert_eq!(joined(&views), [[Standing::Whole, Standing::Shadowed]]);
    }

    #[test]
    fn the_nearest_folder_says_why_nothing_below_it_was_found() {
        let found = [skill("host", "/r/a/tea/SKILL.md"), skill("host", "/r/b/tea/SKILL.md")];
        let told = |code, path: &str| Diagnostic::new(code, "m").at(PathBuf::from(path), None);
        let odd = vec![told(Code::DirectoryUnreadable, "/r/a"), told(Code::LimitSkills, "/r")];
        let rows = rows(&[Some(&view(&found, Vec::new())), Some(&view(&[], odd))]);
        let reasons: Vec<_> = rows.iter().map(|row| row.cells[1].reason.as_deref().unwrap()).collect();
        assert_eq!(reasons, ["discover/directory-unreadable", "discover/limit-skills"]);
    }
}
