//! One child process, asked one question at a time.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// What the reading thread saw.
enum Heard {
    Line(Vec<u8>),
    TooLong,
    Failed(io::Error),
}

/// A running child. It is killed when this goes away.
pub(super) struct Connection {
    child: Child,
    input: ChildStdin,
    heard: Receiver<Heard>,
}

impl Connection {
    /// Starts the child, and a thread that reads its answers: a pipe cannot be read with a deadline, a channel can.
    pub(super) fn start(command: &mut Command, max_line: usize) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child =
            command.spawn().map_err(|error| format!("the other side cannot be started: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the other side has no pipes".to_owned());
        };
        let (say, heard) = sync_channel(1);
        let reader = thread::Builder::new().name("lorimer-remote".to_owned());
        let reader = reader.spawn(move || listen(BufReader::new(output), max_line, &say));
        let connection = Self { child, input, heard };
        reader.map_err(|error| format!("no thread can be started: {error}"))?;
        Ok(connection)
    }

    /// Sends a line and returns the next one. After an error the connection is of no use: a late answer would be taken
    /// for that to the next question.
    ///
    /// A line is shorter than what every pipe takes in at once, and the last question was answered, so that sending
    /// does not block.
    pub(super) fn ask(&mut self, line: &[u8], deadline: Duration) -> Result<Vec<u8>, String> {
        let sent = self.input.write_all(line).and_then(|()| self.input.flush());
        sent.map_err(|_| self.ended())?;
        match self.heard.recv_timeout(deadline) {
            Ok(Heard::Line(line)) => Ok(line),
            Ok(Heard::TooLong) => Err("the answer is longer than a message may be".to_owned()),
            Ok(Heard::Failed(error)) => Err(format!("the answer cannot be read: {error}")),
            Err(RecvTimeoutError::Timeout) => Err(format!("no answer came within {deadline:?}")),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    fn ended(&mut self) -> String {
        match self.child.try_wait() {
            Ok(Some(status)) => format!("the other side ended ({status})"),
            _ => "the other side closed its end".to_owned(),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // It may have ended by itself; either way nothing of it is left to wait for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes lines on until the pipe ends or nobody listens any more.
fn listen(mut output: impl BufRead, max_line: usize, say: &SyncSender<Heard>) {
    let most = u64::try_from(max_line).unwrap_or(u64::MAX);
    loop {
        let mut line = Vec::new();
        let heard = match output.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) if line.ends_with(b"\n") => Heard::Line(line),
            Ok(read) if read >= max_line => Heard::TooLong,
            // The child ended in the middle of a line.
            Ok(_) => return,
            Err(error) => Heard::Failed(error),
        };
        let last = !matches!(heard, Heard::Line(_));
        if say.send(heard).is_err() || last {
            return;
        }
    }
}
