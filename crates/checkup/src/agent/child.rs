//! The parent's side of an Agent: a process and a socket.

use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{self, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use cardiograph_core::text::shown;
use cardiograph_core::{Message, Parameter, PlannedJob, message};
use cardiograph_engine::Event as RunEvent;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{IS_PROGRAM, NAME, held};
use crate::failure::Failure;
use crate::messages;
use crate::runner::Caller;
use crate::signals::Hold;
use crate::sink::{Activity, Began, Event};
use crate::wire::{self, Call, Frames, FromAgent, Hello, ToAgent, WireError};

/// Interval of checks for signals.
const LOOK: Duration = Duration::from_millis(100);
/// Silence after which an Agent counts as stuck in the kernel: a little longer than an engine waits for a
/// drive, so that the Agent can report it itself.
const SILENCE_MAX: Duration = Duration::from_secs(63);
/// The same after a stop request.
const GRACE: Duration = Duration::from_secs(13);
/// The same while drives are listed, and when one is known to hang.
const LIST_MAX: Duration = Duration::from_secs(5);
/// The same for calls that take minutes on a healthy drive without any message: trimming a large card,
/// scanning a long recording.
const LONG_MAX: Duration = Duration::from_secs(3_600);
/// The slowest drive on which files are created, in bytes per second: some file systems fill them first.
const SLOWEST_BYTES_PER_S: u64 = 1_000_000;
/// How long an Agent may take to remove its files and exit.
const END_MAX: Duration = Duration::from_secs(5);
/// The same when it is stuck: some file systems release a process that exits.
const HUNG_END_MAX: Duration = Duration::from_millis(500);

/// An Agent.
pub struct Child {
    process: process::Child,
    socket: UnixStream,
    frames: Frames,
    /// Whether the other side has sent its hello.
    is_known: bool,
    is_hurried: bool,
    /// The path it works on, for later runs.
    path: PathBuf,
    /// Why the connection is lost, if it is.
    loss: Option<Loss>,
    /// File that keeps the overwritten data, and the hold on signals meanwhile.
    overwrites: Option<(PathBuf, Option<Hold>)>,
}

/// Time limits for the silence of an Agent during a call.
struct Patience {
    usual: Duration,
    /// While files are created.
    making: Duration,
}

impl Patience {
    fn for_call(call: &Call, is_hurried: bool) -> Self {
        let files_bytes = match call {
            Call::Step { next, .. } => next.step.files.iter().map(|file| file.len_bytes).sum(),
            Call::Prepare(jobs) => {
                jobs.plan.jobs.iter().flat_map(PlannedJob::files).map(|file| file.end_bytes()).sum()
            }
            Call::MakeFile(file) => file.len_bytes,
            _ => 0,
        };
        let making = SILENCE_MAX + Duration::from_secs(files_bytes / SLOWEST_BYTES_PER_S);
        let usual = match call {
            // Listing drives must not wait for one of them.
            Call::Passport { .. } => LIST_MAX,
            _ if is_hurried => LIST_MAX,
            Call::Recording { .. } => LONG_MAX,
            Call::MakeFile(_) => making,
            _ => SILENCE_MAX,
        };
        Self { usual, making }
    }

    fn during(&self, activity: &Activity) -> Duration {
        match activity {
            Activity::Trimming { .. } => LONG_MAX,
            Activity::MakingRoom { .. } | Activity::LayingOut(_) => self.making,
            _ => self.usual,
        }
    }
}

/// Why an Agent no longer responds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// It is stuck in the kernel: the drive does not respond.
    Hung,
    /// It died; how.
    Died(Message),
}

/// Why a call has no answer.
#[derive(Debug)]
pub enum CallError {
    /// It could not be done.
    Failed(Failure),
    /// The Agent is gone.
    Lost(Loss),
}

/// Messages about a run during a call.
#[derive(Debug)]
pub enum Heard {
    /// Jobs of a step begin.
    Began(Box<Began>),
    /// An event of their run.
    Run(RunEvent),
    /// New results, an unparsed `RunPart`.
    Part(Box<RawValue>),
    /// Nothing for a moment.
    Nothing,
}

impl Child {
    /// Starts an Agent for a drive at `path`.
    ///
    /// # Errors
    /// When no process can be started.
    pub fn start(path: PathBuf) -> Result<Self, Failure> {
        if !IS_PROGRAM.load(Ordering::Relaxed) {
            return Err(Failure::usage(message!("agent-not-started.by-another")));
        }
        // The same program, even if its file has been replaced meanwhile. `ps` shows our own description.
        let mut program = Command::new("/proc/self/exe");
        program.arg0(NAME).args(std::env::args_os().skip(1));
        Self::start_program(program, path)
            .map_err(|error| Failure::usage(message!("agent-not-started", error)))
    }

    fn start_program(mut program: Command, path: PathBuf) -> io::Result<Self> {
        let (socket, theirs) = UnixStream::pair()?;
        program.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        let process = program.spawn()?;
        socket.set_read_timeout(Some(LOOK))?;
        wire::send(&socket, &ToAgent::Hello(Hello::ours())).map_err(io::Error::other)?;
        let (frames, is_known, is_hurried, loss, overwrites) = Default::default();
        Ok(Self { process, socket, frames, is_known, is_hurried, path, loss, overwrites })
    }

    /// Makes a call. Events go to the caller's sink; messages about a run to `hear`, which returns whether
    /// complete results of the run are wanted.
    ///
    /// # Errors
    /// When the call fails, and when the Agent is gone.
    pub fn call<T: DeserializeOwned>(
        &mut self,
        call: Call,
        caller: Caller<'_>,
        hear: &mut dyn FnMut(Heard) -> bool,
    ) -> Result<T, CallError> {
        if let Some(loss) = &self.loss {
            return Err(CallError::Lost(loss.clone()));
        }
        let patience = Patience::for_call(&call, self.is_hurried);
        // If this fails, reading will show it.
        let _ = wire::send(&self.socket, &ToAgent::Call(Box::new(call)));
        let (mut quiet, mut quiet_max, mut stopped) = (Duration::ZERO, patience.usual, false);
        loop {
            match self.frames.take::<FromAgent>() {
                Ok(Some(frame)) => {
                    (quiet, quiet_max) = (Duration::ZERO, patience.usual);
                    if let FromAgent::Event(Event::Doing(activity)) = &frame {
                        quiet_max = patience.during(activity);
                    }
                    if let Some(answer) = self.hear(frame, caller, hear)? {
                        let answer = serde_json::from_slice(answer.get().as_bytes());
                        return answer.map_err(|error| self.nonsense(&error.into()));
                    }
                    continue;
                }
                Ok(None) => {}
                Err(error) => return Err(self.nonsense(&error)),
            }
            let since = Instant::now();
            match self.frames.read(&self.socket) {
                Ok(true) => {}
                Ok(false) => return Err(self.ended()),
                Err(error) if is_wait(&error) => {
                    // Suspending us at the terminal suspends it, too: that is not silence.
                    quiet += since.elapsed().min(2 * LOOK);
                    self.look_where(hear(Heard::Nothing));
                }
                // The other side closed without reading what we sent.
                Err(_) => return Err(self.ended()),
            }
            if let Some(signal) = caller.signals.received().filter(|_| !stopped) {
                stopped = true;
                quiet = Duration::ZERO;
                let _ = wire::send(&self.socket, &ToAgent::Stop { signal });
            }
            if quiet > if stopped { quiet_max.min(GRACE) } else { quiet_max } {
                return Err(self.lose(Loss::Hung));
            }
        }
    }

    /// Makes a call without a run.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub fn ask<T: DeserializeOwned>(&mut self, call: Call, caller: Caller<'_>) -> Result<T, CallError> {
        self.call(call, caller, &mut |_| false)
    }

    /// Handles a frame. Returns the answer if it is one.
    fn hear(
        &mut self,
        frame: FromAgent,
        caller: Caller<'_>,
        hear: &mut dyn FnMut(Heard) -> bool,
    ) -> Result<Option<Box<RawValue>>, CallError> {
        match frame {
            FromAgent::Hello(hello) if !self.is_known => match hello.check() {
                Ok(()) => self.is_known = true,
                Err(error) => return Err(self.nonsense(&error)),
            },
            FromAgent::Hello(_) => return Err(self.nonsense(&WireError::NotDue)),
            _ if !self.is_known => return Err(self.nonsense(&WireError::NotDue)),
            FromAgent::Reply(answer) => return Ok(Some(answer)),
            FromAgent::Failed(failure) => return Err(CallError::Failed(failure)),
            FromAgent::Event(event) => self.forward(event, caller),
            FromAgent::Began(began) => self.look_where(hear(Heard::Began(Box::new(began)))),
            FromAgent::Ready => {
                let at_ns = caller.sink.start_at_ns();
                let _ = wire::send(&self.socket, &ToAgent::Start { at_ns });
            }
            FromAgent::Run(event) => self.look_where(hear(Heard::Run(event))),
            FromAgent::Part(part) => self.look_where(hear(Heard::Part(part))),
            FromAgent::Overwrites(None) => self.overwrites = None,
            FromAgent::Overwrites(Some(path)) => {
                let hold = self.overwrites.take().and_then(|(_, hold)| hold);
                self.overwrites = Some((path, hold.or_else(|| Some(caller.signals.hold()))));
            }
            FromAgent::Panicked(message) => return Err(self.died(messages::agent_panicked(&message))),
        }
        Ok(None)
    }

    /// Requests complete results of a run.
    fn look_where(&mut self, wants: bool) {
        if wants {
            let _ = wire::send(&self.socket, &ToAgent::Look);
        }
    }

    /// File that keeps the data it was overwriting when it was lost.
    pub fn kept_in(&self) -> Option<PathBuf> {
        self.overwrites.as_ref().map(|(path, _)| path.clone())
    }

    /// Forwards an event. Signals that come during a restore are answered here.
    fn forward(&self, event: Event, caller: Caller<'_>) {
        if let (Event::Doing(Activity::Restoring { what, percent }), Some((_, Some(hold)))) =
            (&event, &self.overwrites)
            && hold.has_come()
        {
            let (what, share) = (what.clone(), Parameter::share(*percent as f64 / 100.0));
            caller.sink.event(Event::Trouble(message!("restoring-ends-first", what, share)));
        }
        caller.sink.event(event);
    }

    /// Why the Agent is gone, if so.
    pub fn loss(&self) -> Option<&Loss> {
        self.loss.as_ref()
    }

    /// A drive hangs: further calls get short timeouts.
    pub fn hurry(&mut self) {
        self.is_hurried = true;
    }

    /// Abandons it to the kernel.
    pub fn give_up(&mut self) {
        self.lose(Loss::Hung);
    }

    fn lose(&mut self, loss: Loss) -> CallError {
        // No restore will happen any more.
        self.overwrites.iter_mut().for_each(|(_, hold)| drop(hold.take()));
        self.loss = Some(loss.clone());
        CallError::Lost(loss)
    }

    fn died(&mut self, how: Message) -> CallError {
        // The rest of the process is useless.
        let _ = self.process.kill();
        let _ = self.process.wait();
        self.lose(Loss::Died(how))
    }

    /// It sent something invalid.
    fn nonsense(&mut self, error: &WireError) -> CallError {
        self.died(message!("agent-nonsense", sent = error.message()))
    }

    /// Its socket is closed: it has died, unless it is stuck in the kernel.
    fn ended(&mut self) -> CallError {
        match self.wait(END_MAX) {
            Some(status) => self.lose(Loss::Died(how_it_died(status))),
            None => self.lose(Loss::Hung),
        }
    }

    /// Waits for its exit; `None` on timeout.
    fn wait(&mut self, max: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + max;
        let mut pause = Duration::from_micros(100);
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status),
                // Somebody else has reaped it.
                Err(_) => return Some(ExitStatus::default()),
                Ok(None) if Instant::now() >= end => return None,
                Ok(None) => {}
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

impl Drop for Child {
    /// Asks it to exit and waits. One that is stuck is left behind and recorded.
    fn drop(&mut self) {
        let _ = self.socket.shutdown(Shutdown::Write);
        let is_hung = self.is_hurried || self.loss == Some(Loss::Hung);
        let end = Instant::now() + if is_hung { HUNG_END_MAX } else { END_MAX };
        // It closes its side when everything is removed.
        loop {
            match self.frames.read(&self.socket) {
                Ok(true) => self.frames = Frames::default(),
                Err(error) if is_wait(&error) && Instant::now() < end => {}
                Ok(false) | Err(_) => break,
            }
        }
        if self.wait(end.saturating_duration_since(Instant::now())).is_none() {
            held::note(self.process.id(), &self.path);
        }
    }
}

/// Whether reading has only timed out.
fn is_wait(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// How a process died.
fn how_it_died(status: ExitStatus) -> Message {
    match status.signal() {
        Some(signal) => messages::agent_killed(signal),
        None => message!("agent-left", status = status.code().unwrap_or(0).to_string()),
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Failed(failure) => failure,
            CallError::Lost(Loss::Hung) => Failure::io(messages::silent()),
            CallError::Lost(Loss::Died(how)) => Failure::io(how),
        }
    }
}

impl std::fmt::Debug for Child {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Agent {} for {}", self.process.id(), shown(&self.path.to_string_lossy()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::Arc;

    use super::*;
    use crate::agent::serve::{self, Speaker};
    use crate::signals::Signals;
    use crate::sink::Nobody;

    /// Ways for an Agent to fail, and the expected message.
    const ENDS: [(&str, &str); 6] = [
        ("panics", "agent-panicked(said=panicked at crates/checkup/src/agent/child.rs"),
        ("leaves", "agent-left(status=7)"),
        ("aborts", "agent-killed.abort"),
        ("babbles", "agent-nonsense(sent=frame.content("),
        ("shouts", "agent-nonsense(sent=frame.too-long("),
        ("differs", "agent-nonsense(sent=frame.version("),
    ];
    const VARIABLE: &str = "CARDIOGRAPH_TEST_AGENT";

    #[test]
    fn errors_explain_the_end_of_an_agent() {
        if let Some(end) = std::env::var_os(VARIABLE) {
            return misbehave(end.to_str().unwrap());
        }
        for (end, said) in ENDS {
            let mut program = Command::new(std::env::current_exe().unwrap());
            program
                .args(["--exact", "agent::child::tests::errors_explain_the_end_of_an_agent"])
                .env(VARIABLE, end);
            let mut child = Child::start_program(program, PathBuf::from("/dev/ill")).unwrap();
            let caller = Caller { sink: &Nobody, signals: &Signals::default() };
            let lost = child.ask::<()>(Call::Health, caller).unwrap_err();
            let CallError::Lost(Loss::Died(how)) = &lost else { panic!("{end}: {lost:?}") };
            assert!(how.to_string().contains(said), "{end}: {how}");
            assert_eq!(child.loss(), Some(&Loss::Died(how.clone())), "{end}: it is not asked again");
        }
    }

    /// An Agent that fails in this way.
    fn misbehave(end: &str) {
        let mut socket = cardiograph_engine::process::take_stdin_socket().unwrap();
        let hello = |wire| wire::send(&socket, &FromAgent::Hello(Hello { wire, ..Hello::ours() })).unwrap();
        hello(if end == "differs" { wire::VERSION + 1 } else { wire::VERSION });
        match end {
            // Like engines, in a separate thread.
            "panics" => {
                serve::report_panics(Arc::new(Speaker::new(socket.try_clone().unwrap())));
                let _ = std::thread::spawn(|| panic!("an engine")).join();
            }
            "leaves" => process::exit(7),
            "aborts" => process::abort(),
            "babbles" => socket.write_all(b"\x02\0\0\0no").unwrap(),
            "shouts" => socket.write_all(&[0xff; 4]).unwrap(),
            _ => {}
        }
        std::thread::park();
    }
}
