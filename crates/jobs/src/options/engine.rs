//! How I/O is executed, and the options of engines that this program has or will have.

use super::OptionDef;
use super::engine_names::ENGINE_WORDS;
use super::kind::{COUNT, OptionKind, PERCENT};
use super::row::{hint, refused, works};

const RING: &[&str] = &["io_uring", "io_uring_cmd"];
const PRIORITY: &str = "I/Os of a job share one priority; use two jobs, each with its own prioclass and prio";
const PRIORITY_ENGINES: &[&str] = &["libaio", "io_uring", "io_uring_cmd"];

pub(super) const ROWS: &[OptionDef] = &[
    works!("ioengine")
        .kind(OptionKind::WordWithArguments(ENGINE_WORDS))
        .default("psync")
        .help("How I/O is executed (see `cardiograph engines`)."),
    works!("hipri")
        .kind(OptionKind::Flag)
        .engines(&["io_uring", "io_uring_cmd", "pvsync2"])
        .help("Ask the drive whether an I/O is complete instead of waiting for its interrupt."),
    works!("hipri_percentage")
        .kind(PERCENT)
        .default("100")
        .engines(&["pvsync2"])
        .help("Share of I/Os that are asked for so, in percent."),
    works!("fixedbufs")
        .kind(OptionKind::Flag)
        .engines(RING)
        .help("Register the buffers with the kernel once."),
    works!("registerfiles")
        .kind(OptionKind::Flag)
        .engines(RING)
        .help("Register the files with the kernel once."),
    works!("sqthread_poll")
        .kind(OptionKind::Flag)
        .engines(RING)
        .help("Let a thread of the kernel take the requests, without system calls."),
    works!("sqthread_poll_cpu").kind(COUNT).engines(RING).help("CPU of that thread."),
    works!("nonvectored").kind(OptionKind::SignedCount { min: -1, max: 1 }).default("-1").engines(RING).help(
        "Use requests with one buffer instead of a list of buffers; -1 leaves the choice to the engine.",
    ),
    works!("force_async")
        .kind(COUNT)
        .default("0")
        .engines(RING)
        .help("Hand every so many-th request to a worker of the kernel at once; 0 is none."),
    works!("nowait")
        .kind(OptionKind::Switch)
        .default("0")
        .engines(&["pvsync2", "libaio", "io_uring", "io_uring_cmd"])
        .help("Fail an I/O that would have to wait (RWF_NOWAIT)."),
    refused("uncached", "it needs Linux 6.14 and a file system that takes part; use direct=1")
        .kind(COUNT)
        .default("0")
        .engines(&["pvsync2", "io_uring", "io_uring_cmd"])
        .help("Drop pages from the cache right after the I/O (RWF_DONTCACHE)."),
    works!("sim_model")
        .default("sandisk-ultra-64")
        .engines(&["sim"])
        .help("The simulated drive: a shipped model, or a TOML file (not fio's)."),
    works!("sim_seed")
        .kind(COUNT)
        .default("1")
        .engines(&["sim"])
        .help("Seed of what the simulated drive leaves to chance (not fio's)."),
    hint("userspace_reap", "completions are taken in the way that is fastest here")
        .kind(OptionKind::Flag)
        .engines(&["libaio"])
        .help("Take completions from the ring without a system call."),
    hint("libaio_vectored", "a list of one buffer and that buffer are the same I/O to the drive")
        .kind(OptionKind::Flag)
        .engines(&["libaio"])
        .help("Use requests with a list of buffers."),
    refused("cmdprio_percentage", PRIORITY)
        .kind(OptionKind::CountPerDirection { min: 0, max: 100 })
        .default("0")
        .engines(PRIORITY_ENGINES)
        .help("Share of I/Os with a priority of their own, in percent."),
    refused("cmdprio_class", PRIORITY)
        .kind(OptionKind::CountPerDirection { min: 1, max: 3 })
        .engines(PRIORITY_ENGINES)
        .help("Class of that priority."),
    refused("cmdprio", PRIORITY)
        .kind(OptionKind::CountPerDirection { min: 0, max: 7 })
        .engines(PRIORITY_ENGINES)
        .help("Level of that priority."),
    refused("cmdprio_hint", PRIORITY)
        .kind(OptionKind::CountPerDirection { min: 0, max: 1_023 })
        .engines(PRIORITY_ENGINES)
        .help("Hint of that priority."),
    refused("cmdprio_bssplit", PRIORITY)
        .engines(PRIORITY_ENGINES)
        .help("Share of I/Os with a priority, for each length."),
    works!("thp").kind(COUNT).engines(&["mmap"]).help("Advise huge pages for the mapping."),
    works!("stat_type")
        .kind(OptionKind::Word(&["stat", "lstat", "statx"]))
        .default("stat")
        .engines(&["filestat", "dirstat"])
        .help("Which system call looks a file up."),
];
