//! Changes to the working copy in the middle of a case.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, ensure};
use serde_json::{Map, Value};

/// Writes, appends, renames and deletes, in this order.
pub(crate) fn change(scratch: &Path, given: &Map<String, Value>) -> anyhow::Result<()> {
    let keep = given.get("keep_mtime_and_size").and_then(Value::as_bool).unwrap_or_default();
    for (path, text) in texts(given, "write") {
        let place = scratch.join(path);
        let before = place.metadata().ok();
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&place, text).with_context(|| format!("cannot write `{path}`"))?;
        if let Some(before) = before.filter(|_| keep) {
            ensure!(before.len() == place.metadata()?.len(), "the new text of `{path}` has another length");
            set_time(&place, before.modified()?)?;
        }
    }
    for (path, text) in texts(given, "append") {
        let place = scratch.join(path);
        let mut whole = fs::read(&place).with_context(|| format!("cannot read `{path}`"))?;
        whole.extend_from_slice(text.as_bytes());
        fs::write(&place, whole)?;
    }
    for pair in list(given, "rename") {
        let end = |index: usize| -> Option<PathBuf> { Some(scratch.join(pair.get(index)?.as_str()?)) };
        let (from, to) = end(0).zip(end(1)).context("a rename has two paths")?;
        fs::rename(&from, &to).with_context(|| format!("cannot rename {pair}"))?;
    }
    for path in list(given, "delete") {
        let place = scratch.join(path.as_str().context("a path is a text")?);
        let metadata = place.symlink_metadata().with_context(|| format!("cannot delete {path}"))?;
        if metadata.is_dir() { fs::remove_dir_all(&place)? } else { fs::remove_file(&place)? }
    }
    Ok(())
}

fn texts<'a>(given: &'a Map<String, Value>, key: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let files = given.get(key).and_then(Value::as_object);
    files.into_iter().flatten().filter_map(|(path, text)| Some((path.as_str(), text.as_str()?)))
}

fn list<'a>(given: &'a Map<String, Value>, key: &str) -> impl Iterator<Item = &'a Value> {
    given.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn set_time(place: &Path, time: SystemTime) -> anyhow::Result<()> {
    Ok(fs::File::options().write(true).open(place)?.set_modified(time)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changed(scratch: &Path, given: Value) -> anyhow::Result<()> {
        let Value::Object(given) = given else { panic!("an object") };
        change(scratch, &given)
    }

    #[test]
    fn files_are_written_appended_renamed_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let (path, text) =
            (folder.path(), |name: &str| fs::read_to_string(folder.path().join(name)).unwrap());
        changed(path, json!({"write": {"a/b": "1", "c": "2"}})).unwrap();
        changed(path, json!({"append": {"a/b": "+"}, "rename": [["c", "d"]]})).unwrap();
        assert_eq!((text("a/b").as_str(), text("d").as_str()), ("1+", "2"));
        changed(path, json!({"delete": ["a", "d"]})).unwrap();
        assert_eq!(fs::read_dir(path).unwrap().count(), 0);
        assert!(changed(path, json!({"delete": ["a"]})).is_err());
        assert!(changed(path, json!({"rename": [["a", "b"]]})).is_err());
    }

    #[test]
    fn a_change_can_hide_behind_time_and_size() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a");
        fs::write(&place, "old").unwrap();
        set_time(&place, SystemTime::UNIX_EPOCH).unwrap();
        changed(folder.path(), json!({"write": {"a": "new"}, "keep_mtime_and_size": true})).unwrap();
        assert_eq!(place.metadata().unwrap().modified().unwrap(), SystemTime::UNIX_EPOCH);
        assert!(
            changed(folder.path(), json!({"write": {"a": "longer"}, "keep_mtime_and_size": true})).is_err()
        );
    }
}
