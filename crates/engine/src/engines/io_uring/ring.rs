//! Ring setup.

use std::io;

use cardiograph_core::{message, system_error};
use io_uring::IoUring;

use crate::engine::EngineContext;

/// How long the kernel's thread polls for requests before it sleeps, in milliseconds: the kernel's default.
const SUBMITTER_IDLE_MS: u32 = 1_000;

/// Options of a ring.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RingOptions {
    /// Whether the drive is polled for completions (`hipri`).
    pub polls_drive: bool,
    /// Whether a kernel thread takes requests (`sqthread_poll`).
    pub has_submitter: bool,
    /// The CPU of that thread.
    pub submitter_cpu: Option<u32>,
}

impl RingOptions {
    /// Reads the engine's options.
    ///
    /// # Errors
    /// When one of them is invalid.
    pub fn from_context(context: &EngineContext) -> io::Result<Self> {
        let cpu = context.count_option("sqthread_poll_cpu")?;
        Ok(Self {
            polls_drive: context.switch_option("hipri")?,
            has_submitter: context.switch_option("sqthread_poll")?,
            submitter_cpu: cpu.map(|cpu| u32::try_from(cpu).unwrap_or(u32::MAX)),
        })
    }

    /// Rewords a refusal of the kernel in terms of the options that caused it.
    pub fn explain(self, error: io::Error) -> io::Error {
        let reason = match (error.raw_os_error(), self.has_submitter, self.submitter_cpu) {
            (Some(libc::EINVAL), true, Some(cpu)) => message!("engine-no-such-cpu", cpu = cpu.to_string()),
            (Some(libc::EPERM), true, _) => message!("engine-poll-needs-root"),
            _ => return error,
        };
        system_error::explained(error.kind(), reason)
    }
}

/// A ring in the cheapest mode that the kernel supports: one submitter, completions run when that thread
/// enters the kernel.
pub(super) fn build(depth: u32, options: RingOptions) -> io::Result<IoUring> {
    let entries = depth.next_power_of_two();
    let modes: [fn(&mut io_uring::Builder); 3] = [
        |builder| {
            builder.setup_single_issuer().setup_coop_taskrun().setup_taskrun_flag();
        },
        |builder| {
            builder.setup_coop_taskrun();
        },
        |_| {},
    ];
    // Running completions when this thread enters the kernel excludes a submitter thread that makes entering
    // unnecessary.
    let modes = if options.has_submitter { &modes[2..] } else { &modes };
    let mut last_error = io::Error::from(io::ErrorKind::Unsupported);
    for mode in modes {
        let mut builder = IoUring::builder();
        builder.dontfork();
        mode(&mut builder);
        if options.polls_drive {
            builder.setup_iopoll();
        }
        if options.has_submitter {
            builder.setup_sqpoll(SUBMITTER_IDLE_MS);
            options.submitter_cpu.map(|cpu| builder.setup_sqpoll_cpu(cpu));
        }
        match builder.build(entries) {
            Ok(ring) => return Ok(ring),
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => last_error = error,
            Err(error) => return Err(error),
        }
    }
    Err(last_error)
}
