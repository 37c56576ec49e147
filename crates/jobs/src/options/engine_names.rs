//! The engines that fio knows by name.

use super::Status;

/// An engine and what becomes of it.
#[derive(Debug, Clone, Copy)]
pub struct EngineName {
    /// fio's name, or cardiograph's for one of its own.
    pub name: &'static str,
    /// What becomes of it.
    pub status: Status,
    /// One sentence.
    pub help: &'static str,
}

/// An engine that works, with the test `fio_engine_` and its name.
macro_rules! works {
    ($name:literal, $help:literal) => {
        EngineName { name: $name, status: Status::Works { test: concat!("fio_engine_", $name) }, help: $help }
    };
}

const fn refused(name: &'static str, help: &'static str, why: &'static str) -> EngineName {
    EngineName { name, status: Status::Refused { why }, help }
}

const COMMANDS: &str = "it sends commands to the drive past the kernel's block layer; use io_uring";
const CEPH: &str =
    "it needs the libraries of Ceph; map the image with `rbd map` and use io_uring on the device";
const GLUSTER: &str = "it needs the libraries of Gluster; mount the volume and use psync";
const RDMA: &str = "it measures a network of RDMA adapters, not a drive";
const IME: &str = "it needs the libraries of DDN's Infinite Memory Engine; mount the storage and use psync";
const PMEM: &str = "it needs persistent memory and its libraries; make a file system on it and use psync";
const NETWORK: &str = "it measures a network, not a drive; use iperf3";
const OTHER_SYSTEM: &str = "it belongs to another operating system; use libaio or io_uring";

/// All engines that fio has or had, and the simulator.
pub const ENGINES: &[EngineName] = &[
    works!("psync", "One I/O after the other, by pread and pwrite."),
    works!("sync", "One I/O after the other, by lseek, read and write."),
    works!("libaio", "Many I/Os at once, by Linux's older asynchronous interface."),
    works!("io_uring", "Many I/Os at once, by Linux's newer asynchronous interface."),
    works!("null", "No I/O at all: what the program itself costs."),
    works!("sim", "A simulated drive in virtual time (not fio's)."),
    works!("pvsync", "One I/O after the other, by preadv and pwritev."),
    works!("pvsync2", "One I/O after the other, by preadv2 and pwritev2."),
    works!("vsync", "By lseek, readv and writev; I/Os of a batch that follow each other are joined."),
    works!("posixaio", "Many I/Os at once, by the C library's aio_read and aio_write."),
    works!("mmap", "By copying from and to a mapping of the file."),
    works!("filecreate", "Makes files and does no I/O to them."),
    works!("filestat", "Looks files up and does no I/O to them."),
    works!("filedelete", "Removes files and does no I/O to them."),
    works!(
        "falloc",
        "Reserves room in a file (reads keep its length, writes extend it), and frees room by trims."
    ),
    works!("ftruncate", "Sets a file's length to the offset of each write."),
    refused("fileoperations", "Makes, looks up and removes files.", "use filecreate, filestat or filedelete"),
    works!("dircreate", "Makes directories."),
    works!("dirstat", "Looks directories up."),
    works!("dirdelete", "Removes empty directories."),
    refused("io_uring_cmd", "NVMe commands through io_uring.", COMMANDS),
    refused("sg", "SCSI commands through the generic driver.", COMMANDS),
    refused("xnvme", "NVMe commands through xNVMe.", COMMANDS),
    refused("libblkio", "I/O through libblkio.", COMMANDS),
    refused("libzbc", "Zone commands through libzbc.", COMMANDS),
    refused("cpuio", "Keeps a CPU busy.", "it does no I/O; run stress-ng --cpu N beside the test"),
    refused(
        "e4defrag",
        "Moves a file's extents on ext4.",
        "it measures ext4's defragmentation, not the drive",
    ),
    refused("splice", "By splice and vmsplice.", "it measures pipes more than the drive; use psync"),
    refused("external", "An engine from a file.", "programs of others are not loaded into this one"),
    refused("exec", "Runs another program.", "it does no I/O; use exec_prerun, or start it beside the test"),
    refused("net", "Sends and receives over a network.", NETWORK),
    refused("netsplice", "Sends and receives over a network by splice.", NETWORK),
    refused("rdma", "Memory and messages over RDMA.", RDMA),
    refused("librpma_apm", "Persistent memory over RDMA, by appliances.", RDMA),
    refused("librpma_apm_client", "Persistent memory over RDMA, client of an appliance.", RDMA),
    refused("librpma_apm_server", "Persistent memory over RDMA, server of an appliance.", RDMA),
    refused("librpma_gpspm_client", "Persistent memory over RDMA, client for general purposes.", RDMA),
    refused("librpma_gpspm_server", "Persistent memory over RDMA, server for general purposes.", RDMA),
    refused("rados", "Objects of a Ceph cluster.", CEPH),
    refused("rbd", "Images of a Ceph cluster.", CEPH),
    refused("gfapi", "A Gluster volume, one I/O after the other.", GLUSTER),
    refused("gfapi_async", "A Gluster volume, many I/Os at once.", GLUSTER),
    refused("http", "Objects over WebDAV, Swift or S3.", "it measures a service over a network, not a drive"),
    refused("nfs", "NFS through libnfs.", "mount the export and use psync"),
    refused(
        "nbd",
        "A network block device through libnbd.",
        "attach it with nbd-client and use io_uring on the device",
    ),
    refused("libhdfs", "Files of Hadoop.", "it needs the libraries of Hadoop"),
    refused(
        "libiscsi",
        "An iSCSI target through libiscsi.",
        "attach it with open-iscsi and use io_uring on the device",
    ),
    refused(
        "dfs",
        "The file system of DAOS.",
        "it needs the libraries of DAOS; mount it with dfuse and use psync",
    ),
    refused(
        "libcufile",
        "Between storage and the memory of graphics cards.",
        "it needs NVIDIA's libraries and cards",
    ),
    refused("libpmem", "Persistent memory as a mapped file.", PMEM),
    refused("dev-dax", "Persistent memory as a device.", PMEM),
    refused("pmemblk", "Persistent memory as blocks.", PMEM),
    refused(
        "mtd",
        "Raw flash without a controller.",
        "it needs devices of the MTD subsystem, which drives are not",
    ),
    refused("ime_psync", "Infinite Memory Engine, one I/O after the other.", IME),
    refused("ime_psyncv", "Infinite Memory Engine, with lists of buffers.", IME),
    refused("ime_aio", "Infinite Memory Engine, many I/Os at once.", IME),
    refused("windowsaio", "Many I/Os at once, on Windows.", OTHER_SYSTEM),
    refused("solarisaio", "Many I/Os at once, on Solaris.", OTHER_SYSTEM),
    refused(
        "guasi",
        "Many I/Os at once, through the GUASI library.",
        "fio has dropped it; use libaio or io_uring",
    ),
];

/// fio's other names for engines.
const OTHER_NAMES: &[&str] = &["aio", "linuxaio"];

/// The words that `ioengine` takes.
pub(super) const ENGINE_WORDS: &[&str] = &{
    let mut words = [""; ENGINES.len() + OTHER_NAMES.len()];
    let mut index = 0;
    while index < words.len() {
        words[index] =
            if index < ENGINES.len() { ENGINES[index].name } else { OTHER_NAMES[index - ENGINES.len()] };
        index += 1;
    }
    words
};

/// The name of the engine that a word of `ioengine` means: `aio` and `linuxaio` are other names of `libaio`.
pub fn engine_name(word: &str) -> &str {
    if OTHER_NAMES.contains(&word) { "libaio" } else { word }
}
