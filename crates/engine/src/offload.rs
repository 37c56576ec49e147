//! Requests submitted by separate threads, so that one whose submission blocks does not delay others.
//!
//! Each thread has its own engine, and one request at a time. A thread is created when a request arrives and
//! none is idle, so there are as many as were ever needed at once, up to the queue depth.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use cardiograph_core::NS_PER_S;
use cardiograph_core::system_error::explained;
use cardiograph_core::{Message, message};

use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, IoEngine, IoOp, Opened, hand_over};

/// Stack size of a thread.
const STACK_BYTES: usize = 128 << 10;
/// How long a thread waits in its engine at a time, in nanoseconds.
const WAIT_NS: u64 = NS_PER_S;

/// Submission time of each request, in ticks, indexed by slot.
pub(crate) type SubmitTimes = Arc<[AtomicU64]>;

/// State shared by the worker and the threads.
struct Desk {
    state: Mutex<State>,
    /// Signals that there is work, or that it is time to end.
    work: Condvar,
    /// Signals that a request is done, or an engine is broken.
    done: Condvar,
    submit_times: SubmitTimes,
}
#[derive(Default)]
struct State {
    waiting: VecDeque<IoOp>,
    done: Vec<Completion>,
    idle: usize,
    broken: Option<io::Error>,
    is_over: bool,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Everything a thread needs.
#[derive(Clone)]
struct Tools {
    open: fn(&EngineContext) -> io::Result<Opened>,
    /// Whether the engine queues: then the submission time is when `submit` returns, otherwise when the
    /// request begins.
    is_queueing: bool,
    context: EngineContext,
}

/// An engine that submits on threads.
pub(crate) struct Offload {
    desk: Arc<Desk>,
    tools: Tools,
    clock: Clock,
    depth: u32,
    in_flight: u32,
    threads: Vec<JoinHandle<()>>,
}

impl Offload {
    /// Starts the first thread, and returns which requested features its engine lacks.
    ///
    /// # Errors
    /// When that engine cannot be opened.
    pub fn open(
        open: fn(&EngineContext) -> io::Result<Opened>,
        is_queueing: bool,
        context: &EngineContext,
    ) -> io::Result<(Opened, SubmitTimes)> {
        let depth = context.depth;
        let submit_times: SubmitTimes = (0..depth).map(|_| AtomicU64::new(0)).collect();
        let state = State {
            waiting: VecDeque::with_capacity(depth as usize),
            done: Vec::with_capacity(depth as usize),
            ..State::default()
        };
        let desk = Arc::new(Desk {
            state: Mutex::new(state),
            work: Condvar::new(),
            done: Condvar::new(),
            submit_times: submit_times.clone(),
        });
        // Each engine may get any slot, so it is set up for all of them.
        let tools = Tools { open, is_queueing, context: context.clone() };
        let clock = context.clock.clone();
        let mut offload = Self { desk, tools, clock, depth, in_flight: 0, threads: Vec::new() };
        let (sender, receiver) = sync_channel(1);
        offload.start_thread(Some(sender))?;
        let lost = || Err(defect());
        let buffers_not_registered = receiver.recv().unwrap_or_else(|_| lost())?;
        Ok((Opened { engine: Box::new(offload), buffers_not_registered }, submit_times))
    }

    /// Starts a thread. The first one reports how its engine was opened.
    fn start_thread(&mut self, sender: Option<SyncSender<io::Result<Option<Message>>>>) -> io::Result<()> {
        let (desk, tools) = (self.desk.clone(), self.tools.clone());
        let serve = move || {
            let result = catch_unwind(AssertUnwindSafe(|| serve(&desk, &tools, sender)));
            let result = result.unwrap_or_else(|_| Err(defect()));
            // Release descriptors and memory before the worker learns about the end.
            drop(tools);
            if let Err(error) = result {
                desk.lock().broken.get_or_insert(error);
                desk.done.notify_all();
            }
        };
        let builder = std::thread::Builder::new().name("offload".to_string()).stack_size(STACK_BYTES);
        self.threads.push(builder.spawn(serve)?);
        Ok(())
    }
}

/// Main loop of a thread.
fn serve(
    desk: &Desk,
    tools: &Tools,
    sender: Option<SyncSender<io::Result<Option<Message>>>>,
) -> io::Result<()> {
    let opened = (tools.open)(&tools.context);
    let mut engine = match (opened, sender) {
        (Ok(opened), sender) => {
            if let Some(sender) = sender {
                let _ = sender.send(Ok(opened.buffers_not_registered));
            }
            opened.engine
        }
        (Err(error), Some(sender)) => {
            let _ = sender.send(Err(error));
            return Ok(());
        }
        (Err(error), None) => return Err(error),
    };
    let mut done = Vec::with_capacity(1);
    let mut state = desk.lock();
    loop {
        if let Some(op) = state.waiting.pop_front() {
            drop(state);
            execute(&mut *engine, &op, tools, &desk.submit_times, &mut done)?;
            state = desk.lock();
            state.done.append(&mut done);
            desk.done.notify_one();
        } else if state.is_over {
            return Ok(());
        } else {
            state.idle += 1;
            state = desk.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }
}

/// Executes one request.
fn execute(
    engine: &mut dyn IoEngine,
    op: &IoOp,
    tools: &Tools,
    submit_times: &SubmitTimes,
    done: &mut Vec<Completion>,
) -> io::Result<()> {
    let clock = &tools.context.clock;
    let handed_over = || submit_times[op.slot as usize].store(clock.now(), Ordering::Relaxed);
    if !tools.is_queueing {
        handed_over();
    }
    if engine.submit(std::slice::from_ref(op))? == 0 {
        return Err(defect());
    }
    if tools.is_queueing {
        handed_over();
    }
    while done.is_empty() {
        let until = clock.now().saturating_add(clock.ticks(WAIT_NS));
        engine.reap(1, 1, Some(until), done)?;
    }
    Ok(())
}

impl IoEngine for Offload {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        let room = (self.depth - self.in_flight) as usize;
        let taken = &ops[..ops.len().min(room)];
        let mut state = self.desk.lock();
        state.waiting.extend(taken);
        let needed = state.waiting.len().saturating_sub(state.idle);
        drop(state);
        self.in_flight += taken.len() as u32;
        for _ in 0..needed.min(self.depth as usize - self.threads.len()) {
            self.start_thread(None)?;
        }
        taken.iter().for_each(|_| self.desk.work.notify_one());
        Ok(taken.len())
    }

    fn reap(&mut self, min: u32, max: u32, until: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let min = min.min(max).min(self.in_flight) as usize;
        let mut state = self.desk.lock();
        while state.done.len() < min && state.broken.is_none() {
            let left_ns = until.map_or(WAIT_NS, |until| self.clock.ns_between(self.clock.now(), until));
            if left_ns == 0 {
                break;
            }
            let timeout = Duration::from_nanos(left_ns);
            let waited = self.desk.done.wait_timeout(state, timeout);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if let Some(error) = state.broken.take() {
            return Err(error);
        }
        let before = done.len();
        hand_over(&mut state.done, max, done);
        self.in_flight -= (done.len() - before) as u32;
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        // Queued requests can be cancelled; the others are with their threads, which wait for them.
        let mut state = self.desk.lock();
        let completed_at = self.clock.now();
        while let Some(op) = state.waiting.pop_front() {
            state.done.push(Completion { slot: op.slot, result: -libc::ECANCELED, completed_at });
        }
        Ok(())
    }
}

impl Drop for Offload {
    fn drop(&mut self) {
        let mut state = self.desk.lock();
        state.is_over = true;
        state.waiting.clear();
        drop(state);
        self.desk.work.notify_all();
        if self.in_flight == 0 {
            // All are idle and end at once, except any that are stuck in the kernel, which are left behind.
            self.threads.drain(..).for_each(|thread| drop(thread.join()));
        }
    }
}

/// Unreachable unless this program has a bug.
fn defect() -> io::Error {
    explained(io::ErrorKind::Other, message!("engine-defect"))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::buffers::Arena;
    use crate::engine::OpKind;
    use crate::engines::synchronous::Synchronous;
    use crate::target::Access;

    /// Blocks requests at offset 0 until the test opens it.
    static IS_OPEN: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());
    static REFUSES: AtomicBool = AtomicBool::new(false);

    fn open_blocking(context: &EngineContext) -> io::Result<Opened> {
        let execute = |op: &IoOp| {
            if op.offset_bytes == 0 {
                let (is_open, changed) = &IS_OPEN;
                drop(changed.wait_while(is_open.lock().unwrap(), |is_open| !*is_open).unwrap());
            }
            op.len_bytes as i32
        };
        Ok(Opened::new(Synchronous::new(execute, &context.clock)))
    }

    fn open_once(context: &EngineContext) -> io::Result<Opened> {
        if REFUSES.swap(true, Ordering::Relaxed) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        open_blocking(context)
    }

    fn open_never(_: &EngineContext) -> io::Result<Opened> {
        Err(io::ErrorKind::PermissionDenied.into())
    }

    fn context(depth: u32) -> EngineContext {
        EngineContext {
            targets: Vec::new(),
            access: Access::for_workload(&cardiograph_core::Workload::default()),
            depth,
            buffers: Arena::new(depth as usize, 512).unwrap(),
            clock: Clock::machine(),
            options: Vec::new(),
        }
    }

    fn read(slot: u32, offset_bytes: u64) -> IoOp {
        IoOp { slot, file: 0, kind: OpKind::Read, offset_bytes, len_bytes: 512 }
    }

    fn slots(done: &[Completion]) -> Vec<u32> {
        let mut slots: Vec<u32> = done.iter().map(|completion| completion.slot).collect();
        slots.sort_unstable();
        slots
    }

    #[test]
    fn a_blocking_request_does_not_delay_others() {
        let context = context(4);
        let (opened, submit_times) = Offload::open(open_blocking, false, &context).unwrap();
        let (mut engine, mut done) = (opened.engine, Vec::new());
        let far = context.clock.now().saturating_add(context.clock.ticks(60 * NS_PER_S));
        // The first blocks; meanwhile more are submitted and reaped than fit at once.
        assert_eq!(engine.submit(&[read(0, 0)]).unwrap(), 1);
        for _ in 0..20 {
            let ops = [read(1, 512), read(2, 512), read(3, 512), read(9, 512)];
            assert_eq!(engine.submit(&ops).unwrap(), 3, "no more than the depth is taken");
            engine.reap(3, 8, Some(far), &mut done).unwrap();
            assert_eq!(slots(&done), [1, 2, 3]);
            assert!(done.iter().all(|completion| {
                let handed_over = submit_times[completion.slot as usize].load(Ordering::Relaxed);
                completion.result == 512 && handed_over > 0 && handed_over <= completion.completed_at
            }));
            done.clear();
        }
        // The wait times out.
        engine.reap(1, 8, Some(context.clock.now() + 1), &mut done).unwrap();
        assert!(done.is_empty());
        *IS_OPEN.0.lock().unwrap() = true;
        IS_OPEN.1.notify_all();
        engine.reap(1, 8, Some(far), &mut done).unwrap();
        assert_eq!(slots(&done), [0]);
        engine.reap(1, 8, Some(far), &mut done).unwrap();
        assert_eq!(done.len(), 1, "nothing is in flight, and nothing is waited for");
    }

    #[test]
    fn open_errors_are_reported() {
        let refused = Offload::open(open_never, false, &context(2)).map(|_| ()).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        // The first opens, the second does not.
        let context = context(2);
        let (mut opened, _) = Offload::open(open_once, false, &context).unwrap();
        let far = context.clock.now().saturating_add(context.clock.ticks(60 * NS_PER_S));
        let mut done = Vec::new();
        opened.engine.submit(&[read(0, 512), read(1, 512)]).unwrap();
        let mut failed = Ok(());
        while failed.is_ok() && done.len() < 2 {
            failed = opened.engine.reap(1, 8, Some(far), &mut done);
        }
        // A fast first thread may make the second unnecessary, but it was requested, and reports by now at
        // the latest.
        while failed.is_ok() {
            failed = opened.engine.reap(0, 8, None, &mut done);
            std::thread::yield_now();
        }
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }
}
