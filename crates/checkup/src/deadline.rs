//! What may wait for a drive that hangs.

use std::sync::mpsc;
use std::time::Duration;

use cardiograph_core::Message;
use cardiograph_core::NS_PER_S;

use crate::failure::Failure;

/// How long is waited, in nanoseconds.
const WAIT_NS_MAX: u64 = 5 * NS_PER_S;

/// Does something on another thread, which is left to itself when it takes longer than five seconds. Returns `None` then,
/// and where there is no thread to be had.
pub fn in_time<T: Send + 'static>(action: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new().spawn(move || sender.send(action())).ok()?;
    receiver.recv_timeout(Duration::from_nanos(WAIT_NS_MAX)).ok()
}

/// Does something that can fail in the same way. What takes too long fails with the message `late`.
pub fn done_in_time<T: Send + 'static>(
    late: Message,
    action: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    in_time(action).unwrap_or_else(|| Err(Failure::io(late)))
}
