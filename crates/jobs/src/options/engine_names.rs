//! The engines: supported ones with their properties, and fio's others, which are refused.

use cardiograph_core::workload::{FileAction, Workload};
use cardiograph_core::{Message, message};

use super::Status;

/// An engine and its status.
#[derive(Debug, Clone, Copy)]
pub struct EngineDef {
    /// fio's name, or cardiograph's for its own engines.
    pub name: &'static str,
    /// Its status.
    pub status: Status,
    /// A phrase that says what it does.
    pub summary: &'static Message,
    /// Whether it keeps several requests in flight. Other engines execute each in `submit`.
    pub is_queueing: bool,
    /// Whether it executes each submitted batch as a whole, so that no more requests are in flight than are submitted
    /// at a time. Only for engines without I/O until waited for; an engine that otherwise does not queue does so at a
    /// depth above 1.
    pub is_batching: bool,
    /// Whether its time is simulated.
    pub is_simulated: bool,
    /// Whether it does I/O at all, and needs files for it.
    pub does_io: bool,
    /// Whether it reads a block before writing it, so that a file needs content first.
    pub reads_to_write: bool,
    /// Its action on files, if it moves no data.
    pub file_action: Option<FileAction>,
}

impl EngineDef {
    /// An engine that moves data, one request after the other, in real time.
    const fn new(name: &'static str, summary: &'static Message, status: Status) -> Self {
        Self {
            name,
            status,
            summary,
            is_queueing: false,
            is_batching: false,
            is_simulated: false,
            does_io: true,
            reads_to_write: false,
            file_action: None,
        }
    }

    /// Whether it uses real files or devices.
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

/// Writes the table: a line for each supported engine with its properties, and rows of those that are refused. A
/// supported engine is tested by `fio_engine_` and its name, and implemented in the file of its name among the engines.
macro_rules! table {
    ($($name:ident $(, $fact:ident: $value:expr)*;)* [$($refused:literal: $why:expr;)*]) => {
        /// All supported engines, and fio's current and former ones.
        pub const ENGINES: &[EngineDef] = &[
            $(EngineDef {
                $($fact: $value,)*
                ..EngineDef::new(
                    stringify!($name),
                    const { &Message::new(concat!("engine-", stringify!($name))) },
                    Status::Works { test: concat!("fio_engine_", stringify!($name)) },
                )
            },)*
            $(EngineDef::new(
                $refused,
                const { &Message::new(concat!("engine-", $refused)) },
                Status::Refused { why: const { $why } },
            )),*
        ];

        /// Calls a macro with the names of the supported engines.
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
    psync;
    sync;
    vsync, is_queueing: true, is_batching: true;
    pvsync;
    pvsync2;
    libaio, is_queueing: true;
    io_uring, is_queueing: true;
    posixaio, is_queueing: true;
    // The kernel reads a page before a part of it is written, as it cannot know that all of it will be.
    mmap, reads_to_write: true;
    filecreate, file_action: Some(FileAction::Create);
    filestat, file_action: Some(FileAction::Stat);
    filedelete, file_action: Some(FileAction::Delete);
    dircreate, file_action: Some(FileAction::CreateDirectory);
    dirstat, file_action: Some(FileAction::StatDirectory);
    dirdelete, file_action: Some(FileAction::DeleteDirectory);
    falloc, file_action: Some(FileAction::Allocate);
    ftruncate, file_action: Some(FileAction::Truncate);
    null, is_batching: true, does_io: false;
    sim, is_queueing: true, is_simulated: true;
    // fio's other engines, with the reason why each is missing.
    [
        "fileoperations": &message!("jobs-engine.fileoperations");
        "io_uring_cmd": COMMANDS;
        "sg": COMMANDS;
        "xnvme": COMMANDS;
        "libblkio": COMMANDS;
        "libzbc": COMMANDS;
        "cpuio": &message!("jobs-engine.cpuio");
        "e4defrag": &message!("jobs-engine.e4defrag");
        "splice": &message!("jobs-engine.splice");
        "external": &message!("jobs-engine.external");
        "exec": &message!("jobs-engine.exec");
        "net": NETWORK;
        "netsplice": NETWORK;
        "rdma": RDMA;
        "librpma_apm": RDMA;
        "librpma_apm_client": RDMA;
        "librpma_apm_server": RDMA;
        "librpma_gpspm_client": RDMA;
        "librpma_gpspm_server": RDMA;
        "rados": CEPH;
        "rbd": CEPH;
        "gfapi": GLUSTER;
        "gfapi_async": GLUSTER;
        "http": &message!("jobs-engine.http");
        "nfs": &message!("jobs-engine.nfs");
        "nbd": &message!("jobs-engine.nbd");
        "libhdfs": &message!("jobs-engine.hadoop");
        "libiscsi": &message!("jobs-engine.iscsi");
        "dfs": &message!("jobs-engine.daos");
        "libcufile": &message!("jobs-engine.cufile");
        "libpmem": PMEM;
        "dev-dax": PMEM;
        "pmemblk": PMEM;
        "mtd": &message!("jobs-engine.mtd");
        "ime_psync": IME;
        "ime_psyncv": IME;
        "ime_aio": IME;
        "windowsaio": OTHER_SYSTEM;
        "solarisaio": OTHER_SYSTEM;
        "guasi": &message!("jobs-engine.guasi");
    ]
}

/// fio's other names for engines.
const OTHER_NAMES: &[&str] = &["aio", "linuxaio"];

/// The words of `ioengine`.
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

/// The engine named by a word of `ioengine`: `aio` and `linuxaio` are aliases of `libaio`.
pub fn engine_name(word: &str) -> &str {
    if OTHER_NAMES.contains(&word) { "libaio" } else { word }
}

/// The supported engines.
pub fn engines_here() -> impl Iterator<Item = &'static EngineDef> {
    ENGINES.iter().filter(|engine| matches!(engine.status, Status::Works { .. }))
}

/// The row of a supported engine.
pub fn find_engine(name: &str) -> Option<&'static EngineDef> {
    engines_here().find(|engine| engine.name == name)
}

/// The row of a job's engine. An unknown name is refused by the resolver, and gets the first row here.
pub fn engine(name: &str) -> &'static EngineDef {
    find_engine(name).unwrap_or(&ENGINES[0])
}
