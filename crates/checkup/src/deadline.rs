//! Operations that may wait for a hanging drive, with a timeout.

use std::sync::mpsc;
use std::time::Duration;

use cardiograph_core::Message;
use cardiograph_core::NS_PER_S;

use crate::failure::Failure;

/// The timeout, in nanoseconds.
const WAIT_NS_MAX: u64 = 5 * NS_PER_S;

/// Runs `action` on another thread, which is abandoned after five seconds. Returns `None` then, and if no
/// thread can be started.
pub fn with_timeout<T: Send + 'static>(action: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new().spawn(move || sender.send(action())).ok()?;
    receiver.recv_timeout(Duration::from_nanos(WAIT_NS_MAX)).ok()
}

/// The same for an action that can fail. On timeout it fails with the message `late`.
pub fn try_with_timeout<T: Send + 'static>(
    late: Message,
    action: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    with_timeout(action).unwrap_or_else(|| Err(Failure::io(late)))
}
