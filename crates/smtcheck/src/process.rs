//! A solver as a process of its own, which can always be ended.
//!
//! Threads write and read the pipes, so that a solver that does not read, does not write or writes without end
//! never holds us up: we wait for a response as long as the budget allows and no longer. The process is the head
//! of its own group; when it is dropped the whole group is killed and the process is waited for, so that
//! nothing of it stays behind. Memory is limited by the shell that starts it (`ulimit`), since a solver that
//! reaches the limit then fails by itself.

use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use wherefore_base::Budget;

use crate::response::{Cutter, ResponseTooLarge};
use crate::trouble::SolverTrouble;

/// How often a budget is asked while we wait.
const PATIENCE: Duration = Duration::from_millis(20);

/// How long a process that closed its output may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

/// The most bytes of the error output that are kept.
const COMPLAINT: usize = 2048;

/// What the shell does before it becomes the solver. The limits are its first two arguments; where a stricter one is in
/// force already, that will do.
const LIMITED: &str = "\
[ \"$1\" = - ] || ulimit -v \"$1\" 2>/dev/null || [ \"$(ulimit -Hv)\" != unlimited ] || exit 126\n\
[ \"$2\" = - ] || ulimit -t \"$2\" 2>/dev/null || [ \"$(ulimit -Ht)\" != unlimited ] || exit 126\n\
shift 2\n\
exec \"$@\"";

/// What a process may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProcessLimits {
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// The longest that one question may take.
    pub question: Option<Duration>,
}

/// A running solver: `commands --> process --> responses`.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    commands: Option<Sender<String>>,
    responses: Receiver<Heard>,
    complaint: Arc<Mutex<Vec<u8>>>,
    /// The thread that hears complaints.
    listener: Option<JoinHandle<()>>,
    limits: ProcessLimits,
}

/// What the reading thread says.
#[derive(Debug)]
enum Heard {
    Response(String),
    Flood,
}

impl Process {
    /// Starts a program with its arguments.
    ///
    /// # Errors
    /// [`SolverTrouble::Missing`] when it cannot be started.
    pub(crate) fn start(
        command: &[String],
        limits: ProcessLimits,
        budget: &Budget,
    ) -> Result<Self, SolverTrouble> {
        budget.check()?;
        let Some(program) = command.first() else {
            return Err(SolverTrouble::Missing("no command is given".to_string()));
        };
        let memory = limits.memory.or(budget.memory().map(|bytes| bytes as u64));
        let memory = memory.map_or("-".to_string(), |bytes| (bytes / 1024).max(1).to_string());
        // A last resort, should we end without being able to end the solver.
        let seconds = budget.time_left().map(|left| left.as_secs() + 60);
        let seconds = seconds.map_or("-".to_string(), |seconds| seconds.to_string());
        let child = Command::new("sh")
            .args(["-c", LIMITED, "sh", &memory, &seconds])
            .args(command)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|why| SolverTrouble::Missing(format!("{program}: {why}")))?;
        let (mut input, output) = (child.stdin.take(), child.stdout.take());
        let (commands, to_write) = mpsc::channel::<String>();
        thread::spawn(move || {
            // A solver that no longer reads is noticed by its missing answers.
            while let (Ok(text), Some(pipe)) = (to_write.recv(), input.as_mut()) {
                if pipe
                    .write_all(text.as_bytes())
                    .and_then(|()| pipe.flush())
                    .is_err()
                {
                    break;
                }
            }
        });
        // The channel is bounded, so that a solver that prints without end is held up by its pipe.
        let (heard, responses) = mpsc::sync_channel(16);
        if let Some(output) = output {
            thread::spawn(move || read_responses(output, &heard));
        }
        let complaint = Arc::new(Mutex::new(Vec::new()));
        let listener = child.stderr.take().map(|errors| {
            let kept = Arc::clone(&complaint);
            thread::spawn(move || keep_beginning(errors, &kept))
        });
        let mut limits = limits;
        limits.memory = limits.memory.or(budget.memory().map(|bytes| bytes as u64));
        Ok(Self {
            child,
            commands: Some(commands),
            responses,
            complaint,
            listener,
            limits,
        })
    }

    /// Sends commands. They are written by a thread of their own: this never waits.
    pub(crate) fn send(&self, text: String) {
        if let Some(commands) = &self.commands {
            // A process that is gone is noticed when its answer is missing.
            let _ = commands.send(text);
        }
    }

    /// Says that no more commands come.
    pub(crate) fn finish(&mut self) {
        self.commands = None;
    }

    /// The next response, waited for until the budget or this moment says stop.
    ///
    /// # Errors
    /// Whatever keeps the solver from responding.
    pub(crate) fn receive(
        &mut self,
        until: Option<Instant>,
        budget: &Budget,
    ) -> Result<String, SolverTrouble> {
        loop {
            match self.responses.recv_timeout(PATIENCE) {
                Ok(Heard::Response(text)) => return Ok(text),
                Ok(Heard::Flood) => return Err(SolverTrouble::Flood),
                Err(RecvTimeoutError::Timeout) => {
                    budget.check()?;
                    if until.is_some_and(|until| Instant::now() >= until) {
                        return Err(SolverTrouble::TimeOut);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    /// The moment until which a question that is asked now may take.
    pub(crate) fn until(&self) -> Option<Instant> {
        Instant::now().checked_add(self.limits.question?)
    }

    /// Why the process closed its output.
    fn ended(&mut self) -> SolverTrouble {
        let begin = Instant::now();
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if begin.elapsed() < FAREWELL => thread::sleep(Duration::from_millis(5)),
                _ => break None,
            }
        };
        // What it said last may still be on its way.
        let listens = |listener: &JoinHandle<()>| !listener.is_finished();
        while self.listener.as_ref().is_some_and(listens) && begin.elapsed() < FAREWELL {
            thread::sleep(Duration::from_millis(1));
        }
        let kept = self.complaint.lock().unwrap_or_else(|e| e.into_inner());
        let said = String::from_utf8_lossy(&kept).trim().to_string();
        // A shell exits with 127 where there is no such program.
        if said.is_empty() && status.is_some_and(|status| status.code() == Some(127)) {
            return SolverTrouble::Missing("there is no such program".to_string());
        }
        if status.is_some_and(|status| status.code() == Some(127)) {
            return SolverTrouble::Missing(said);
        }
        if self.limits.memory.is_some() && speaks_of_memory(&said) {
            return SolverTrouble::Memory;
        }
        SolverTrouble::Died(farewell(status, &said))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.commands = None;
        // The process is not yet waited for, so its number still names it and its group.
        let group = format!("kill -s KILL -- -{}", self.child.id());
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = Command::new("sh")
                .args(["-c", &group])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
        let _ = self.child.wait();
    }
}

/// Whether a message says that memory ran out.
pub(crate) fn speaks_of_memory(said: &str) -> bool {
    let said = said.to_lowercase();
    [
        "out of memory",
        "bad_alloc",
        "memory exhausted",
        "cannot allocate",
        "max. memory",
    ]
    .iter()
    .any(|words| said.contains(words))
}

fn farewell(status: Option<ExitStatus>, said: &str) -> String {
    let how = match status {
        None => "it closed its output".to_string(),
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "it is gone".to_string(),
        },
    };
    match said.lines().next() {
        Some(line) if !line.is_empty() => format!("{how}, after \"{line}\""),
        _ => how,
    }
}

fn read_responses(mut output: impl Read, heard: &SyncSender<Heard>) {
    let mut cutter = Cutter::default();
    let mut block = vec![0; 1 << 16];
    loop {
        let count = match output.read(&mut block) {
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        for &byte in &block[..count] {
            let message = match cutter.push(byte) {
                Ok(None) => continue,
                Ok(Some(text)) => Heard::Response(text),
                Err(ResponseTooLarge) => Heard::Flood,
            };
            let flood = matches!(message, Heard::Flood);
            if heard.send(message).is_err() || flood {
                return;
            }
        }
    }
    if let Some(rest) = cutter.rest() {
        let _ = heard.send(Heard::Response(rest));
    }
}

fn keep_beginning(mut errors: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut block = vec![0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut block) {
        let mut kept = kept.lock().unwrap_or_else(|e| e.into_inner());
        let room = COMPLAINT.saturating_sub(kept.len());
        kept.extend(&block[..count.min(room)]);
    }
}
