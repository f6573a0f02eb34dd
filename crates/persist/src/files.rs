//! Opening, locking and making durable.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::Duration;

use crate::JournalError;

/// How often, and how long apart, a lock is tried before the other writer is called busy.
const ATTEMPTS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(5);

/// Returns what makes an I/O error one of the journal.
pub(crate) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> JournalError {
    let path = path.to_path_buf();
    move |source| JournalError::Io { action, path, source }
}

/// Opens a file for reading; `None` when it does not exist.
pub(crate) fn open_to_read(path: &Path) -> Result<Option<File>, JournalError> {
    match File::open(path) {
        Ok(file) => {
            lock(path, || file.try_lock_shared())?;
            Ok(Some(file))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("read", path)(error)),
    }
}

/// Opens a file for reading and writing, alone; makes it, and the directory around it, where there is none.
pub(crate) fn open_to_write(path: &Path) -> Result<File, JournalError> {
    let file = match private().open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if let Some(directory) = path.parent() {
                create_directory(directory).map_err(failed("create", directory))?;
            }
            match private().create_new(true).open(path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => private().open(path),
                opened => opened,
            }
            .map_err(failed("create", path))?
        }
        opened => opened.map_err(failed("write", path))?,
    };
    lock(path, || file.try_lock())?;
    Ok(file)
}

pub(crate) fn read_all(file: &mut File, path: &Path) -> Result<Vec<u8>, JournalError> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).map_err(failed("read", path))?;
    Ok(bytes)
}

/// Writes at `offset`, by one call where the platform allows it, and waits until it is on the disk.
pub(crate) fn write_at(file: &mut File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// Adds to a file and waits until that is on the disk.
pub(crate) fn add(path: &Path, bytes: &[u8]) -> Result<(), JournalError> {
    let mut file = match private().create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => private().open(path),
        opened => opened,
    }
    .map_err(failed("create", path))?;
    file.seek(SeekFrom::End(0))
        .and_then(|end| write_at(&mut file, end, bytes))
        .map_err(failed("write", path))?;
    sync_directory(path)
}

/// Waits until the name of a new file is on the disk.
#[cfg(unix)]
pub(crate) fn sync_directory(path: &Path) -> Result<(), JournalError> {
    let Some(directory) = path.parent() else { return Ok(()) };
    // The parent of a bare file name is the empty path.
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(failed("sync", directory))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature on every platform")]
pub(crate) fn sync_directory(_path: &Path) -> Result<(), JournalError> {
    Ok(())
}

/// Sessions hold what people wrote, so nobody else on the machine may read them.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn create_directory(directory: &Path) -> io::Result<()> {
    if directory.as_os_str().is_empty() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

fn lock(path: &Path, attempt: impl Fn() -> Result<(), TryLockError>) -> Result<(), JournalError> {
    for _ in 0..ATTEMPTS {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            // Some network file systems know no locks. A session on one of them is its user's to keep apart.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(failed("lock", path)(error)),
        }
    }
    Err(JournalError::Busy { path: path.to_path_buf() })
}
