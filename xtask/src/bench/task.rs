//! What a fresh process does once, and how long it takes.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::Context as _;
use clap::ValueEnum;
use lorimer::core::{Scope, SourceId};
use lorimer::discover::{
    FsSource, MetadataCache, Place, Reading, RootBase, RootRule, ScanRequest, Source as _, WalkPolicy,
};
use serde::{Deserialize, Serialize};

use super::generate;

/// A task of a fresh process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Task {
    /// Walk, open each skill file, read 4 KiB
    Floor,
    /// Walk, ask for each skill file's metadata
    Stat,
    /// Scan without a cache
    Cold,
    /// Scan with the cache that an earlier process left
    Warm,
    /// After a scan: change one file, scan again without saying which
    Rescan,
    /// After a scan: change one file, scan again as a watcher asks for it
    Touched,
}

impl Task {
    pub(super) const ALL: [Self; 6] =
        [Self::Floor, Self::Stat, Self::Cold, Self::Warm, Self::Rescan, Self::Touched];

    pub(super) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// What a task took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Measured {
    /// Wall clock.
    pub(super) nanoseconds: u64,
    /// Time on all processors, in hundredths of a second; for the whole process.
    pub(super) cpu_ticks: u64,
    /// Skills found, or files looked at.
    pub(super) found: usize,
    /// Most memory that the process ever held.
    pub(super) peak_kib: u64,
}

/// Performs a task.
pub(super) fn perform(task: Task, root: &Path, cache: &Path) -> anyhow::Result<Measured> {
    let source = |cached: bool| {
        let walk = WalkPolicy { max_directories: 500_000, max_entries: 5_000_000, ..WalkPolicy::default() };
        let rule = RootRule::new(RootBase::Path(root.to_owned()), Scope::User).with_walk(walk);
        let source = FsSource::new(SourceId::new("host"), Place::new(root), vec![rule], Reading::lenient());
        if cached { source.with_cache(MetadataCache::open(cache)) } else { source }
    };
    let scan = |cached: bool| source(cached).scan(&ScanRequest::default()).skills.len();
    let (nanoseconds, found) = match task {
        Task::Floor => timed(|| each_skill_file(root, read_head)),
        Task::Stat => timed(|| each_skill_file(root, |path| fs::symlink_metadata(path).is_ok())),
        Task::Cold => timed(|| Ok(scan(false))),
        Task::Warm => timed(|| Ok(scan(true))),
        Task::Rescan | Task::Touched => {
            let source = source(true);
            let first = source.scan(&ScanRequest::default());
            let name = format!("changed-{}", std::process::id());
            let some = first.skills.get(first.skills.len() / 2).context("there is no skill to change")?;
            let path = some.id.locator.as_path().context("a skill has no path")?.to_owned();
            fs::write(&path, generate::file(u64::from(std::process::id()), &name))?;
            let mut request = ScanRequest::default();
            if task == Task::Touched {
                request.touched.push(path);
                request.only_touched = true;
            }
            timed(|| Ok(source.scan(&request).skills.len()))
        }
    }?;
    Ok(Measured { nanoseconds, found, cpu_ticks: cpu_ticks()?, peak_kib: peak_kib()? })
}

fn timed(work: impl FnOnce() -> anyhow::Result<usize>) -> anyhow::Result<(u64, usize)> {
    let start = Instant::now();
    let found = work()?;
    Ok((u64::try_from(start.elapsed().as_nanos())?, found))
}

fn read_head(path: &Path) -> bool {
    let mut head = [0; 4096];
    File::open(path).and_then(|mut file| file.read(&mut head)).is_ok()
}

/// Walks with a thread per processor and looks at each skill file.
fn each_skill_file(root: &Path, look: impl Fn(&Path) -> bool + Sync) -> anyhow::Result<usize> {
    let folders: Vec<PathBuf> = fs::read_dir(root)?.flatten().map(|entry| entry.path()).collect();
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism()?.get();
    let work = || {
        let mut found = 0;
        while let Some(folder) = folders.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut waiting = vec![folder.clone()];
            while let Some(folder) = waiting.pop() {
                let Ok(listing) = fs::read_dir(&folder) else { continue };
                for entry in listing.flatten() {
                    if entry.file_name() == "SKILL.md" {
                        found += usize::from(look(&entry.path()));
                    } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                        waiting.push(entry.path());
                    }
                }
            }
        }
        found
    };
    Ok(thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_default()).sum()
    }))
}

/// User and system time of this process, all threads; 0 where the platform does not say.
fn cpu_ticks() -> anyhow::Result<u64> {
    let Ok(stat) = fs::read_to_string("/proc/self/stat") else { return Ok(0) };
    let behind_name = stat.rsplit_once(')').context("unexpected form of /proc/self/stat")?.1;
    let fields: Vec<&str> = behind_name.split_whitespace().collect();
    let field = |index: usize| -> anyhow::Result<u64> { Ok(fields.get(index).context("a field")?.parse()?) };
    Ok(field(11)? + field(12)?)
}

fn peak_kib() -> anyhow::Result<u64> {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return Ok(0) };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    Ok(line.trim().trim_end_matches("kB").trim().parse()?)
}
