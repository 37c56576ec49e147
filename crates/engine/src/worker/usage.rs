//! CPU time of a thread.

use cardiograph_core::NS_PER_S;
use cardiograph_core::result::CpuTime;

/// CPU time of the calling thread so far; `None` if the system does not report it.
pub(super) fn thread_cpu_time() -> Option<CpuTime> {
    // SAFETY: the struct is plain data that the call fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::getrusage(libc::RUSAGE_THREAD, &mut usage) == 0).then_some(usage)?
    };
    let ns = |time: libc::timeval| time.tv_sec as u64 * NS_PER_S + time.tv_usec as u64 * 1_000;
    Some(CpuTime {
        user_ns: ns(usage.ru_utime),
        system_ns: ns(usage.ru_stime),
        context_switches: usage.ru_nvcsw as u64 + usage.ru_nivcsw as u64,
        major_faults: usage.ru_majflt as u64,
        minor_faults: usage.ru_minflt as u64,
    })
}

/// The difference between two readings.
pub(super) fn between(start: CpuTime, end: CpuTime) -> CpuTime {
    CpuTime {
        user_ns: end.user_ns.saturating_sub(start.user_ns),
        system_ns: end.system_ns.saturating_sub(start.system_ns),
        context_switches: end.context_switches.saturating_sub(start.context_switches),
        major_faults: end.major_faults.saturating_sub(start.major_faults),
        minor_faults: end.minor_faults.saturating_sub(start.minor_faults),
    }
}
