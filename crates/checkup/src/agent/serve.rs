//! The Agent's own side: handles one call after the other.

use std::cell::{Cell, RefCell};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cardiograph_core::NS_PER_S;
use cardiograph_core::message;
use cardiograph_engine::observer::{Observer, SoFar};
use cardiograph_engine::part::Reported;
use cardiograph_engine::{Event as RunEvent, process};
use cardiograph_jobs::resolve::Surroundings as _;
use serde::Serialize;
use serde_json::value::to_raw_value;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

use crate::failure::{DONE, Failure, IO_FAILED, USAGE};
use crate::job_runner::JobRunner as _;
use crate::local_jobs::LocalJobs;
use crate::local_runner::LocalRunner;
use crate::run::is_large;
use crate::runner::{Caller, Runner as _};
use crate::signals::{self, Signals};
use crate::sink::{Began, Event, Sink};
use crate::wire::{self, Call, Frames, FromAgent, Hello, ToAgent, WireError};

/// The kernel kills this process first when memory runs out: its parent survives.
const OOM_SCORE: &str = "1000";
/// How often it looks for a signal while it waits to start.
const SIGNAL_LOOK: Duration = Duration::from_millis(50);
/// How often figures are reported, and latencies with them, in nanoseconds.
const FIGURES_EVERY_NS: u64 = NS_PER_S - NS_PER_S / 8;
const LATENCY_EVERY_NS: u64 = 5 * NS_PER_S;
/// Latencies are reported less often if that would take more than this share of the time.
const LATENCY_TIME_DIVISOR: u32 = 100;

/// Runs as an Agent on the socket on standard input, until it closes. Returns the exit code.
pub fn serve() -> u8 {
    match begin().and_then(|socket| run(&socket)) {
        Ok(()) => DONE,
        Err(_) => USAGE,
    }
}

/// Turns the process into an Agent. No other code may write to the socket, and a terminal's signals are for
/// the parent.
fn begin() -> io::Result<UnixStream> {
    let socket = process::take_stdin_socket()?;
    process::spare_memory();
    // It was started as /proc/self/exe, and ps would show that. The kernel truncates the name.
    let _ = rustix::thread::set_name(c"cardiograph-agent");
    // If not permitted, the kernel's default applies.
    let _ = std::fs::write("/proc/self/oom_score_adj", OOM_SCORE);
    let ignored = signals::ignored();
    for signal in
        [SIGINT, SIGTERM, SIGHUP, SIGXFSZ].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0)
    {
        // Handled, not ignored: child processes should have the parent's dispositions.
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    Ok(socket)
}

/// Requests from the other side during a call.
#[derive(Debug, Default)]
struct Asked {
    signals: Signals,
    looks: AtomicBool,
    start: Start,
}

/// When the jobs whose workers are ready start, once it is known.
#[derive(Debug, Default)]
struct Start {
    at_ns: Mutex<Option<Option<u64>>>,
    is_known: Condvar,
}

impl Start {
    /// Passes it on.
    fn tell(&self, at_ns: Option<u64>) {
        *self.at_ns.lock().unwrap_or_else(PoisonError::into_inner) = Some(at_ns);
        self.is_known.notify_all();
    }

    /// Asks, and waits until it is known, or a signal has come: then they start at once, to end at once.
    fn wait(&self, ask: impl FnOnce(), signals: &Signals) -> Option<u64> {
        let mut at_ns = self.at_ns.lock().unwrap_or_else(PoisonError::into_inner);
        // That of jobs which did not wait for it.
        *at_ns = None;
        ask();
        loop {
            if let Some(at_ns) = at_ns.take() {
                return at_ns;
            }
            if signals.received().is_some() {
                return None;
            }
            let waited = self.is_known.wait_timeout(at_ns, SIGNAL_LOOK);
            at_ns = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn run(socket: &UnixStream) -> io::Result<()> {
    let speaker = Arc::new(Speaker::new(socket.try_clone()?));
    report_panics(speaker.clone());
    speaker.send(&FromAgent::Hello(Hello::ours()));
    let asked = Arc::new(Asked::default());
    let (sender, calls) = mpsc::channel();
    let listener = std::thread::Builder::new();
    let (theirs, hears) = (socket.try_clone()?, asked.clone());
    let listener = listener.name("listener".to_string()).spawn(move || {
        // An invalid message ends it, too.
        let heard = listen(&theirs, &sender, &hears);
        hears.signals.note(SIGHUP);
        heard
    })?;
    let notify = {
        let speaker = speaker.clone();
        Arc::new(move |line| speaker.send(&FromAgent::Event(Event::Trouble(line))))
    };
    let mut at_work = AtWork { speaker, asked, runner: None, has_left: false, jobs: LocalJobs::new(notify) };
    for call in calls {
        at_work.answer(call);
    }
    at_work.leave();
    // A panic there has ended the process.
    listener.join().unwrap_or(Ok(())).map_err(io::Error::other)
}

/// Forwards messages from the other side until it closes.
fn listen(socket: &UnixStream, calls: &Sender<Call>, asked: &Asked) -> Result<(), WireError> {
    let (mut frames, mut is_known) = (Frames::default(), false);
    loop {
        while let Some(frame) = frames.take::<ToAgent>()? {
            match frame {
                ToAgent::Hello(hello) if !is_known => {
                    hello.check()?;
                    is_known = true;
                }
                ToAgent::Hello(_) => return Err(WireError::NotDue),
                _ if !is_known => return Err(WireError::NotDue),
                ToAgent::Call(call) => drop(calls.send(*call)),
                ToAgent::Stop { signal } => asked.signals.note(signal.into()),
                ToAgent::Look => asked.looks.store(true, Ordering::Relaxed),
                ToAgent::Start { at_ns } => asked.start.tell(at_ns),
            }
        }
        match frames.read(socket) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// A panic is reported and ends the process: its state cannot be trusted.
pub(super) fn report_panics(speaker: Arc<Speaker>) {
    std::panic::set_hook(Box::new(move |panic| {
        speaker.send(&FromAgent::Panicked(panic.to_string()));
        std::process::exit(IO_FAILED.into());
    }));
}

/// Writes frames.
pub(super) struct Speaker(Mutex<UnixStream>);

impl Speaker {
    pub(super) fn new(socket: UnixStream) -> Self {
        Self(Mutex::new(socket))
    }

    /// Sends a frame. The listener notices if nobody reads it.
    fn send(&self, frame: &FromAgent) {
        let socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = wire::send(&socket, frame);
    }

    /// Whether the other side is too far behind to accept more now.
    fn is_full(&self) -> bool {
        let socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !process::is_writable(socket.as_fd())
    }

    fn reply<T: Serialize>(&self, result: Result<T, Failure>) {
        // An answer that cannot be serialized is a bug.
        let answer = result.map(|answer| to_raw_value(&answer).expect("an answer is JSON"));
        self.send(&answer.map_or_else(FromAgent::Failed, FromAgent::Reply));
    }
}

/// A working Agent.
struct AtWork {
    speaker: Arc<Speaker>,
    asked: Arc<Asked>,
    runner: Option<LocalRunner>,
    jobs: LocalJobs,
    /// Whether the parent has decided how to leave the drive.
    has_left: bool,
}

impl AtWork {
    /// Removes the files created, as far as possible. A parent that disappeared may want to resume later.
    fn leave(self) {
        if let Some(runner) = self.runner.filter(|_| !self.has_left) {
            runner.keep_parts();
        }
    }

    fn answer(&mut self, call: Call) {
        let Self { speaker, asked, runner, has_left, jobs } = self;
        *has_left |= matches!(call, Call::Leave(_));
        let mut teller = EventSender::new(speaker, asked);
        match &call {
            Call::Step { wants_latency, starts_together, .. } => {
                (teller.wants_latency, teller.starts_together) = (*wants_latency, *starts_together);
            }
            Call::Run(run) => {
                teller.starts_together = run.starts_together;
                teller.wants_progress = run.wants_progress;
                teller.wants_latency = run.wants_latency;
                teller.tell_every_ns = run.tell_every_ns;
            }
            _ => {}
        }
        let caller = Caller { sink: &teller, signals: &asked.signals };
        match call {
            Call::Open(spec) => {
                speaker.reply(LocalRunner::open(&spec, caller).map(|(at_place, opened)| {
                    *runner = Some(at_place);
                    opened
                }));
            }
            Call::Look => speaker.reply(open(runner).and_then(|runner| {
                let looked = runner.look(caller)?;
                jobs.set_watched(runner.watched());
                Ok(looked)
            })),
            Call::MakeReady(wanted) => {
                speaker.reply(open(runner).and_then(|runner| runner.make_ready(&wanted, caller)));
            }
            Call::Begin(terms) => speaker.reply(open(runner).and_then(|runner| runner.begin(terms, caller))),
            Call::Step { nth, next, .. } => {
                speaker.reply(open(runner).and_then(|runner| runner.run_step(nth, next, caller)));
            }
            Call::Leave(end) => speaker.reply(open(runner).map(|runner| runner.leave_drive(end, caller))),
            Call::Health => speaker.reply(open(runner).map(|runner| runner.read_health(caller))),
            Call::Clean { unneeded } => {
                speaker.reply(open(runner).map(|runner| runner.clean(unneeded, caller)));
            }
            Call::RemoveLeftovers { is_dry } => {
                speaker.reply(open(runner).and_then(|runner| runner.remove_leftovers(is_dry, caller)));
            }
            Call::File(path) => speaker.reply(Ok(jobs.file(&path))),
            Call::IsDirectory(path) => speaker.reply(Ok(jobs.is_directory(&path))),
            Call::PatternFile(path) => speaker.reply(Ok(jobs.pattern_file(&path))),
            Call::Recording { path, rules } => speaker.reply(Ok(jobs.recording(&path, &rules))),
            Call::FreeBytes(path) => speaker.reply(jobs.free_bytes(&path)),
            Call::Passport { path, inquires } => {
                speaker.reply(jobs.passport(path.as_deref(), inquires, caller));
            }
            Call::Prepare(wanted) => speaker.reply(jobs.prepare(wanted, caller)),
            Call::MakeFile(file) => speaker.reply(jobs.make_file(file, caller)),
            Call::Run(run) => {
                let ran = jobs.run(run, &teller, caller);
                let is_large = ran.as_ref().is_ok_and(|ran| is_large(&ran.result));
                speaker.reply(ran);
                if is_large {
                    process::release_memory();
                }
            }
            Call::EndLogs(set) => speaker.reply(jobs.end_logs(set, caller)),
            Call::Finish(set) => speaker.reply(jobs.finish(set, caller)),
        }
    }
}

/// The runner of the open target.
fn open(runner: &mut Option<LocalRunner>) -> Result<&mut LocalRunner, Failure> {
    runner.as_mut().ok_or_else(|| Failure::usage(message!("agent-no-place")))
}

/// Sends events to the other side.
struct EventSender<'a> {
    speaker: &'a Speaker,
    asked: &'a Asked,
    reported: RefCell<Reported>,
    figures_from_ns: Cell<u64>,
    latency_from_ns: Cell<u64>,
    wants_progress: bool,
    wants_latency: bool,
    starts_together: bool,
    /// Requested reporting interval, and when the next report is due.
    tell_every_ns: Option<u64>,
    tell_from_ns: Cell<u64>,
}

impl<'a> EventSender<'a> {
    fn new(speaker: &'a Speaker, asked: &'a Asked) -> Self {
        let (reported, figures_from_ns, latency_from_ns, wants_latency, tell_every_ns) = Default::default();
        let (tell_from_ns, starts_together) = Default::default();
        Self {
            speaker,
            asked,
            reported,
            figures_from_ns,
            latency_from_ns,
            wants_progress: true,
            wants_latency,
            starts_together,
            tell_every_ns,
            tell_from_ns,
        }
    }
}

impl Observer for EventSender<'_> {
    fn event(&self, event: &RunEvent) {
        let is_wanted = self.wants_progress && !self.speaker.is_full();
        if !matches!(event, RunEvent::Progress(_)) || is_wanted {
            self.speaker.send(&FromAgent::Run(event.clone()));
        }
    }

    fn start_at_ns(&self) -> Option<u64> {
        Sink::start_at_ns(self)
    }

    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        Sink::look(self, elapsed_ns, run);
    }

    fn wants_latency(&self) -> bool {
        self.wants_latency
    }
}

impl Sink for EventSender<'_> {
    fn event(&self, event: Event) {
        // Another progress report follows soon.
        if !matches!(event, Event::Doing(_)) || !self.speaker.is_full() {
            self.speaker.send(&FromAgent::Event(event));
        }
    }

    fn began(&self, began: Began) {
        self.reported.take();
        self.figures_from_ns.take();
        self.latency_from_ns.take();
        let is_large = is_large(&began.result);
        self.speaker.send(&FromAgent::Began(began));
        if is_large {
            // Before its threads add theirs.
            process::release_memory();
        }
    }

    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        let mut is_asked = self.asked.looks.swap(false, Ordering::Relaxed);
        if let Some(every_ns) = self.tell_every_ns
            && elapsed_ns >= self.tell_from_ns.get().max(every_ns)
        {
            self.tell_from_ns.set((elapsed_ns / every_ns + 1) * every_ns);
            is_asked = true;
        }
        let is_full = self.speaker.is_full();
        let has_latency = is_asked || (elapsed_ns >= self.latency_from_ns.get() && !is_full);
        if !has_latency && (elapsed_ns < self.figures_from_ns.get() || is_full) {
            return;
        }
        if self.figures_from_ns.get() == 0 {
            // Memory used for preparing is not needed any more.
            process::release_memory();
        }
        let began = Instant::now();
        run.report_changes(&mut self.reported.borrow_mut(), has_latency, &mut |part| {
            let part = to_raw_value(&part).expect("a part is JSON");
            self.speaker.send(&FromAgent::Part(part));
        });
        self.figures_from_ns.set(elapsed_ns + FIGURES_EVERY_NS);
        if has_latency {
            let took_ns = (began.elapsed() * LATENCY_TIME_DIVISOR).as_nanos() as u64;
            self.latency_from_ns.set(elapsed_ns + LATENCY_EVERY_NS.max(took_ns));
        }
    }

    fn start_at_ns(&self) -> Option<u64> {
        if !self.starts_together {
            return None;
        }
        self.asked.start.wait(|| self.speaker.send(&FromAgent::Ready), &self.asked.signals)
    }

    fn starts_together(&self) -> bool {
        self.starts_together
    }

    fn overwrites(&self, kept_in: Option<&Path>) {
        self.speaker.send(&FromAgent::Overwrites(kept_in.map(Path::to_path_buf)));
    }

    fn wants_latency(&self) -> bool {
        self.wants_latency
    }
}
