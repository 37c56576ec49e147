//! How I/O is executed, and the options of current and planned engines.

use super::engine_names::ENGINE_WORDS;
use super::row::rows;
use cardiograph_core::{Message, message};

const RING: &[&str] = &["io_uring", "io_uring_cmd"];
const PRIORITY: &Message = &message!("jobs-option.priority");
const PRIORITY_ENGINES: &[&str] = &["libaio", "io_uring", "io_uring_cmd"];

rows! {
    "Engines";
    works "ioengine": WordWithArguments(ENGINE_WORDS), "psync",
        "How I/O is executed (see `cardiograph engines`).";
    works "hipri": Flag, "", "Poll the drive for completions instead of waiting for its interrupt.",
        engines: &["io_uring", "io_uring_cmd", "pvsync2"];
    works "hipri_percentage": PERCENT, "100", "Share of I/Os that are polled, in percent.",
        engines: &["pvsync2"];
    works "fixedbufs": Flag, "", "Register the buffers with the kernel once.", engines: RING;
    works "registerfiles": Flag, "", "Register the files with the kernel once.", engines: RING;
    works "sqthread_poll": Flag, "", "Let a kernel thread take the requests, without system calls.",
        engines: RING;
    works "sqthread_poll_cpu": COUNT, "", "CPU of that thread.", engines: RING;
    works "nonvectored": SignedCount { min: -1, max: 1 }, "-1",
        "Use requests with one buffer instead of a list of buffers; -1 leaves the choice to the engine.",
        engines: RING;
    works "force_async": COUNT, "0",
        "Hand every Nth request to a kernel worker at once; 0 is none.", engines: RING;
    works "nowait": Switch, "0", "Fail an I/O that would have to wait (RWF_NOWAIT).",
        engines: &["pvsync2", "libaio", "io_uring", "io_uring_cmd"];
    refused(&message!("jobs-option.uncached")) "uncached": COUNT, "0",
        "Drop pages from the cache right after the I/O (RWF_DONTCACHE).",
        engines: &["pvsync2", "io_uring", "io_uring_cmd"];
    works "sim_model": Text, "sandisk-ultra-64",
        "The simulated drive: a shipped model, or a TOML file (not fio's).", engines: &["sim"];
    works "sim_seed": COUNT, "1", "Random seed of the simulated drive (not fio's).",
        engines: &["sim"];
    hint(&message!("jobs-hint.userspace-reap")) "userspace_reap": Flag, "",
        "Take completions from the ring without a system call.", engines: &["libaio"];
    hint(&message!("jobs-hint.libaio-vectored")) "libaio_vectored": Flag, "",
        "Use requests with a list of buffers.", engines: &["libaio"];
    refused(PRIORITY) "cmdprio_percentage": CountPerDirection { min: 0, max: 100 }, "0",
        "Share of I/Os with a priority of their own, in percent.", engines: PRIORITY_ENGINES;
    refused(PRIORITY) "cmdprio_class": CountPerDirection { min: 1, max: 3 }, "", "Class of that priority.",
        engines: PRIORITY_ENGINES;
    refused(PRIORITY) "cmdprio": CountPerDirection { min: 0, max: 7 }, "", "Level of that priority.",
        engines: PRIORITY_ENGINES;
    refused(PRIORITY) "cmdprio_hint": CountPerDirection { min: 0, max: 1_023 }, "", "Hint of that priority.",
        engines: PRIORITY_ENGINES;
    refused(PRIORITY) "cmdprio_bssplit": Text, "", "Share of I/Os with a priority, for each length.",
        engines: PRIORITY_ENGINES;
    works "thp": COUNT, "", "Advise huge pages for the mapping.", engines: &["mmap"];
    works "stat_type": Word(&["stat", "lstat", "statx"]), "stat", "Which system call looks a file up.",
        engines: &["filestat", "dirstat"];
}
