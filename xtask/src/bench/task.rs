//! What a fresh process does once, and how long it takes.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
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
    /// Time on all processors; 0 where that is not known.
    pub(super) processor_nanoseconds: u64,
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
    // What a program does with the skills, and when it lets go of them, is no part of a scan.
    let scan = |cached: bool| {
        let source = source(cached);
        let (time, scan) = timed(|| source.scan(&ScanRequest::default()))?;
        Ok((time, scan.skills.len()))
    };
    let (time, found) = match task {
        Task::Floor => floor(root, read_head),
        Task::Stat => floor(root, |path| fs::symlink_metadata(path).is_ok()),
        Task::Cold => scan(false),
        Task::Warm => scan(true),
        Task::Rescan | Task::Touched => {
            let source = source(true);
            let first = source.scan(&ScanRequest::default());
            let name = format!("changed-{}", std::process::id());
            let some = first.skills.get(first.skills.len() / 2).context("there is no skill to change")?;
            let path = some.id.locator.as_path().context("a skill has no path")?.to_owned();
            fs::write(&path, generate::changed(u64::from(std::process::id()), &name))?;
            let mut request = ScanRequest::default();
            if task == Task::Touched {
                request.touched.push(path);
                request.only_touched = true;
            }
            let (time, scan) = timed(|| source.scan(&request))?;
            ensure!(scan.skills.iter().any(|skill| skill.name == name), "the change was missed");
            Ok((time, scan.skills.len()))
        }
    }?;
    let Time { nanoseconds, processor_nanoseconds } = time;
    Ok(Measured { nanoseconds, processor_nanoseconds, found, peak_kib: peak_kib()? })
}

pub(super) struct Time {
    pub(super) nanoseconds: u64,
    pub(super) processor_nanoseconds: u64,
}

pub(super) fn timed<T>(work: impl FnOnce() -> T) -> anyhow::Result<(Time, T)> {
    let processor = processor_time();
    let start = Instant::now();
    let result = work();
    let nanoseconds = u64::try_from(start.elapsed().as_nanos())?;
    let processor_nanoseconds = u64::try_from(processor_time().saturating_sub(processor).as_nanos())?;
    Ok((Time { nanoseconds, processor_nanoseconds }, result))
}

/// Time of this process on all processors, ended threads among them.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    Duration::ZERO
}

fn read_head(path: &Path) -> bool {
    let mut head = [0; 4096];
    File::open(path).and_then(|mut file| file.read(&mut head)).is_ok()
}

fn floor(root: &Path, look: impl Fn(&Path) -> bool + Sync) -> anyhow::Result<(Time, usize)> {
    let (time, found) = timed(|| each_skill_file(root, look))?;
    Ok((time, found?))
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

/// Most memory of this process; 0 where the platform does not say.
fn peak_kib() -> anyhow::Result<u64> {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return Ok(0) };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    Ok(line.trim().trim_end_matches("kB").trim().parse()?)
}
