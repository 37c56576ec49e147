//! The engines: those that exist here, with their properties, and those of fio's that are refused.

use cardiograph_core::workload::{FileAction, Workload};
use cardiograph_core::{Message, message};

use super::Status;

/// An engine and its status.
#[derive(Debug, Clone, Copy)]
pub struct EngineDef {
    /// fio's name, or cardiograph's for one of its own.
    pub name: &'static str,
    /// Its status.
    pub status: Status,
    /// What it does: a sentence for lists, and further remarks.
    pub help: &'static str,
    /// Whether it keeps several requests in flight. Other engines execute each in `submit`.
    pub is_queueing: bool,
    /// Whether it executes each submitted batch as a whole, so that no more requests are in flight than are submitted at a time.
    /// Only for engines that do no I/O until waited for; an engine that otherwise does not queue does so at a depth above 1.
    pub is_batching: bool,
    /// Whether its time is simulated.
    pub is_simulated: bool,
    /// Whether it does I/O at all, and needs files for it.
    pub does_io: bool,
    /// Whether it reads a block before writing it, so that a file needs content first.
    pub reads_to_write: bool,
    /// What it does to files, if it moves no data.
    pub file_action: Option<FileAction>,
}

impl EngineDef {
    /// An engine that moves data, one request after the other, in real time.
    const fn new(name: &'static str, help: &'static str, status: Status) -> Self {
        Self {
            name,
            status,
            help,
            is_queueing: false,
            is_batching: false,
            is_simulated: false,
            does_io: true,
            reads_to_write: false,
            file_action: None,
        }
    }

    /// The first sentence of its help, without the full stop, for lists.
    pub fn summary(&self) -> &'static str {
        self.help.split(". ").next().unwrap_or_default().trim_end_matches('.')
    }

    /// Whether its I/O is on real files or devices.
    pub const fn is_on_files(&self) -> bool {
        self.does_io && !self.is_simulated
    }

    /// Whether it moves data from or to a drive.
    pub const fn moves_data(&self) -> bool {
        self.is_on_files() && self.file_action.is_none()
    }

    /// Maximum number of a workload's requests in flight.
    pub fn depth_of(&self, workload: &Workload) -> u32 {
        match (self.is_queueing, self.is_batching) {
            (false, false) => 1,
            (_, true) => workload.batching.submit.unwrap_or(1).clamp(1, workload.depth),
            (true, false) => workload.depth,
        }
    }

    /// Whether it is limited to one request in flight although a workload asks for more.
    pub fn is_capped(&self, workload: &Workload) -> bool {
        workload.depth > 1 && self.depth_of(workload) == 1
    }
}

/// Writes the table: a line for each engine that exists here, with its properties, and rows of those that are refused. An engine
/// that exists here is tested by `fio_engine_` and its name, and implemented in the file of its name among the engines.
macro_rules! table {
    ($($name:ident: $help:literal $(, $fact:ident: $value:expr)*;)* [$($refused:literal: $of:literal, $why:expr;)*]) => {
        /// All engines that are here, and those that fio has or had.
        pub const ENGINES: &[EngineDef] = &[
            $(EngineDef {
                $($fact: $value,)*
                ..EngineDef::new(
                    stringify!($name),
                    $help,
                    Status::Works { test: concat!("fio_engine_", stringify!($name)) },
                )
            },)*
            $(EngineDef::new($refused, $of, Status::Refused { why: const { $why } })),*
        ];

        /// Calls a macro with the names of the engines that exist here.
        #[macro_export]
        macro_rules! engines {
            ($callback:ident) => { $callback! { $($name)* } };
        }
    };
}

const COMMANDS: &Message = &message!("jobs-engine.commands");
const CEPH: &Message = &message!("jobs-engine.ceph");
const GLUSTER: &Message = &message!("jobs-engine.gluster");
const RDMA: &Message = &message!("jobs-engine.rdma");
const IME: &Message = &message!("jobs-engine.ime");
const PMEM: &Message = &message!("jobs-engine.pmem");
const NETWORK: &Message = &message!("jobs-engine.network");
const OTHER_SYSTEM: &Message = &message!("jobs-engine.other-system");

table! {
    psync: "pread and pwrite, one at a time.";
    sync: "lseek, read and write, one at a time.";
    vsync: "lseek, readv and writev; adjacent I/Os of a batch (iodepth_batch) are one call.",
        is_queueing: true, is_batching: true;
    pvsync: "preadv and pwritev, one at a time.";
    pvsync2: "preadv2 and pwritev2, one at a time.";
    libaio: "many requests in flight through Linux's own asynchronous I/O.", is_queueing: true;
    io_uring: "many requests in flight through rings shared with the kernel.", is_queueing: true;
    posixaio: "many requests in flight through the C library's threads.", is_queueing: true;
    // The kernel fetches a page of which a part is written, as it cannot know that all of it will be.
    mmap: "copies to and from a mapping of the file, one at a time.", reads_to_write: true;
    filecreate: "creates files; moves no data.", file_action: Some(FileAction::Create);
    filestat: "looks files up; moves no data.", file_action: Some(FileAction::Stat);
    filedelete: "removes files; moves no data.", file_action: Some(FileAction::Delete);
    dircreate: "creates directories; moves no data.", file_action: Some(FileAction::CreateDirectory);
    dirstat: "looks directories up; moves no data.", file_action: Some(FileAction::StatDirectory);
    dirdelete: "removes directories; moves no data.", file_action: Some(FileAction::DeleteDirectory);
    falloc: "reserves and frees space in files; moves no data. Writes extend a file, reads keep its size, trims free space.",
        file_action: Some(FileAction::Allocate);
    ftruncate: "sets the size of files; moves no data. Each write sets it to its offset.",
        file_action: Some(FileAction::Truncate);
    null: "no I/O: the cost of the program itself.", is_batching: true, does_io: false;
    sim: "a simulated drive in simulated time. It is not fio's.", is_queueing: true, is_simulated: true;
    // Other engines of fio, each with the reason why it is missing.
    [
        "fileoperations": "Makes, looks up and removes files.", &message!("jobs-engine.fileoperations");
        "io_uring_cmd": "NVMe commands through io_uring.", COMMANDS;
        "sg": "SCSI commands through the generic driver.", COMMANDS;
        "xnvme": "NVMe commands through xNVMe.", COMMANDS;
        "libblkio": "I/O through libblkio.", COMMANDS;
        "libzbc": "Zone commands through libzbc.", COMMANDS;
        "cpuio": "Keeps a CPU busy.", &message!("jobs-engine.cpuio");
        "e4defrag": "Moves a file's extents on ext4.", &message!("jobs-engine.e4defrag");
        "splice": "By splice and vmsplice.", &message!("jobs-engine.splice");
        "external": "An engine from a file.", &message!("jobs-engine.external");
        "exec": "Runs another program.", &message!("jobs-engine.exec");
        "net": "Sends and receives over a network.", NETWORK;
        "netsplice": "Sends and receives over a network by splice.", NETWORK;
        "rdma": "Memory and messages over RDMA.", RDMA;
        "librpma_apm": "Persistent memory over RDMA, by appliances.", RDMA;
        "librpma_apm_client": "Persistent memory over RDMA, client of an appliance.", RDMA;
        "librpma_apm_server": "Persistent memory over RDMA, server of an appliance.", RDMA;
        "librpma_gpspm_client": "Persistent memory over RDMA, client for general purposes.", RDMA;
        "librpma_gpspm_server": "Persistent memory over RDMA, server for general purposes.", RDMA;
        "rados": "Objects of a Ceph cluster.", CEPH;
        "rbd": "Images of a Ceph cluster.", CEPH;
        "gfapi": "A Gluster volume, one I/O after the other.", GLUSTER;
        "gfapi_async": "A Gluster volume, many I/Os at once.", GLUSTER;
        "http": "Objects over WebDAV, Swift or S3.", &message!("jobs-engine.http");
        "nfs": "NFS through libnfs.", &message!("jobs-engine.nfs");
        "nbd": "A network block device through libnbd.",
            &message!("jobs-engine.nbd");
        "libhdfs": "Files of Hadoop.", &message!("jobs-engine.hadoop");
        "libiscsi": "An iSCSI target through libiscsi.",
            &message!("jobs-engine.iscsi");
        "dfs": "The file system of DAOS.",
            &message!("jobs-engine.daos");
        "libcufile": "Between storage and the memory of graphics cards.",
            &message!("jobs-engine.cufile");
        "libpmem": "Persistent memory as a mapped file.", PMEM;
        "dev-dax": "Persistent memory as a device.", PMEM;
        "pmemblk": "Persistent memory as blocks.", PMEM;
        "mtd": "Raw flash without a controller.",
            &message!("jobs-engine.mtd");
        "ime_psync": "Infinite Memory Engine, one I/O after the other.", IME;
        "ime_psyncv": "Infinite Memory Engine, with lists of buffers.", IME;
        "ime_aio": "Infinite Memory Engine, many I/Os at once.", IME;
        "windowsaio": "Many I/Os at once, on Windows.", OTHER_SYSTEM;
        "solarisaio": "Many I/Os at once, on Solaris.", OTHER_SYSTEM;
        "guasi": "Many I/Os at once, through the GUASI library.",
            &message!("jobs-engine.guasi");
    ]
}

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

/// The engine that a word of `ioengine` means: `aio` and `linuxaio` are aliases of `libaio`.
pub fn engine_name(word: &str) -> &str {
    if OTHER_NAMES.contains(&word) { "libaio" } else { word }
}

/// The engines that are here.
pub fn engines_here() -> impl Iterator<Item = &'static EngineDef> {
    ENGINES.iter().filter(|engine| matches!(engine.status, Status::Works { .. }))
}

/// The row of an engine that is here.
pub fn find_engine(name: &str) -> Option<&'static EngineDef> {
    engines_here().find(|engine| engine.name == name)
}

/// The row of a job's engine. An unknown name is refused by the resolver, and gets the first row here.
pub fn engine(name: &str) -> &'static EngineDef {
    find_engine(name).unwrap_or(&ENGINES[0])
}
