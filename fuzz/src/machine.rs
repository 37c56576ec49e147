//! A constant machine.

use cardiograph_core::Message;
use cardiograph_fio::invocation::{Loader, MachineFacts};
use cardiograph_jobs::resolve::{FileFacts, Surroundings};

/// Name of the job file under test.
pub const WRITTEN: &str = "written.fio";

/// Job files that others name or include.
const FILES: &[(&str, &str)] = &[
    ("-", "[q]\nsize=4k\n"),
    ("inc", "bs=1k\ninclude=sub/inc2\n"),
    ("sub/inc2", "include inc3\nrw=randrw\n"),
    ("sub/inc3", "numjobs=2\n"),
    ("loop", "include loop\n"),
    ("one.fio", "[j1]\nsize=4k\n"),
    ("two.fio", "[global]\nbs=2k\n[j2]\nsize=1m\n[global]\nrw=write\n[j3]\nsize=4k\nwrite_bw_log\n"),
];

const VARIABLES: &[(&str, &str)] =
    &[("X", "5"), ("RW", "randwrite"), ("EMPTY", ""), ("LINE", "bs=1k"), ("NEST", "${X} $ncpus")];

/// The machine, with the job file under test.
pub struct Machine<'a> {
    /// Content of [`WRITTEN`]; `None` if there is no such file.
    pub written: Option<&'a [u8]>,
}

impl Loader for Machine<'_> {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, Message> {
        let named = FILES.iter().find(|(name, _)| *name == path).map(|(_, content)| content.as_bytes());
        let content = if path == WRITTEN { self.written } else { named };
        content.map(<[u8]>::to_vec).ok_or_else(|| Message::verbatim("there is no such file"))
    }

    fn variable(&self, name: &str) -> Option<String> {
        VARIABLES.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_string())
    }

    fn machine(&self) -> MachineFacts {
        MachineFacts { page_len_bytes: 4_096, memory_mib: 2_000, cpus: 8 }
    }
}

impl Surroundings for Machine<'_> {
    fn file(&self, path: &str) -> FileFacts {
        match path {
            "/dev/sdx" => FileFacts::Device { len_bytes: 1_000_204_886_016 },
            "/dev/null" => FileFacts::Other { what: "a character device" },
            "old" => FileFacts::File { len_bytes: 1_000_000 },
            "empty" => FileFacts::File { len_bytes: 0 },
            path if path.ends_with('/') => FileFacts::Other { what: "a directory" },
            _ => FileFacts::Missing,
        }
    }

    fn pattern_file(&self, path: &str) -> Result<Vec<u8>, Message> {
        match path {
            "old" => Ok(b"old".to_vec()),
            "empty" => Ok(Vec::new()),
            _ => Err(Message::verbatim("no such file")),
        }
    }
}
