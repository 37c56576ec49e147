//! What the parsers ask of the machine: files, the environment, its size, and what stands under a name.

use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use cardiograph_core::resolve::{FileFacts, Surroundings};
use cardiograph_engine::ENGINES;
use cardiograph_formats::fio::invocation::{Loader, MachineFacts};
use cardiograph_formats::fio::jobfile::FILE_LEN_BYTES_MAX;

/// The running machine.
#[derive(Debug, Default)]
pub struct Machine;

impl Loader for Machine {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        let read = match path {
            "-" => std::io::stdin().take(FILE_LEN_BYTES_MAX as u64 + 1).read_to_end(&mut content),
            // Reading a directory would say no more than that it is one.
            path if Path::new(path).is_dir() => return Err("it is a directory".to_string()),
            path => std::fs::File::open(path)
                .and_then(|file| file.take(FILE_LEN_BYTES_MAX as u64 + 1).read_to_end(&mut content)),
        };
        read.map(|_| content).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_string(),
            std::io::ErrorKind::PermissionDenied => "no permission to read it".to_string(),
            _ => error.to_string(),
        })
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn machine(&self) -> MachineFacts {
        let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let memory_kib: Option<u64> = memory
            .lines()
            .find_map(|line| line.strip_prefix("MemTotal:"))
            .and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        MachineFacts {
            page_len_bytes: rustix::param::page_size() as u64,
            memory_mib: memory_kib.unwrap_or(0) / 1_024,
            cpus: std::thread::available_parallelism().map_or(1, |count| count.get() as u64),
        }
    }
}

impl Surroundings for Machine {
    fn file(&self, path: &str) -> FileFacts {
        let Ok(found) = std::fs::metadata(path) else { return FileFacts::Missing };
        let kind = found.file_type();
        if kind.is_file() {
            FileFacts::File { len_bytes: found.len() }
        } else if kind.is_block_device() {
            // Its length is where its end is.
            let end = std::fs::File::open(path)
                .and_then(|mut device| std::io::Seek::seek(&mut device, std::io::SeekFrom::End(0)));
            match end {
                Ok(len_bytes) => FileFacts::Device { len_bytes },
                Err(_) => FileFacts::Other { what: "a block device that cannot be opened" },
            }
        } else if kind.is_dir() {
            FileFacts::Other { what: "a directory" }
        } else if kind.is_char_device() {
            FileFacts::Other { what: "a character device" }
        } else {
            FileFacts::Other { what: "neither a file nor a block device" }
        }
    }

    fn is_directory(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }

    fn engines(&self) -> Vec<&'static str> {
        ENGINES.iter().map(|entry| entry.name).collect()
    }

    fn is_without_files(&self, engine: &str) -> bool {
        engine == "null" || cardiograph_engine::engine::find(engine).is_some_and(|entry| entry.is_simulated)
    }
}

/// The machine for those who only want to know whether jobs are written correctly: what I/O cannot be done on is a file
/// like others. Scripts name `/dev/null` when they ask in this way whether an engine is there.
#[derive(Debug)]
pub struct Unopened;

impl Surroundings for Unopened {
    fn file(&self, path: &str) -> FileFacts {
        match Machine.file(path) {
            FileFacts::Other { .. } => FileFacts::File { len_bytes: 0 },
            facts => facts,
        }
    }

    fn is_directory(&self, path: &str) -> bool {
        Machine.is_directory(path)
    }

    fn engines(&self) -> Vec<&'static str> {
        Machine.engines()
    }

    fn is_without_files(&self, engine: &str) -> bool {
        Machine.is_without_files(engine)
    }
}
