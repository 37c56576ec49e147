//! Unpacks packages and reads their files: an upgrade of the system, a layer of a container.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use cardiograph_core::app::Operation;
use cardiograph_core::rng::Rng;
use cardiograph_core::{Action, Direction, KIB, message};

use crate::cache::drop_file;
use crate::content::{Content, SLICE_BYTES_MAX};
use crate::error::{AppError, ErrorContext};
use crate::load::AppLoad;
use crate::stage::Stage;

/// Files per package.
const PACKAGE_FILES: usize = 50;
/// Median file length in bytes.
const MEDIAN_BYTES: f64 = 3_000.0;
/// Standard deviation of the logarithm of lengths: 7 in 100 files are longer than 32 KB, and hold most of the bytes.
const LOG_DEVIATION: f64 = 1.6;
/// Maximum file length in bytes.
const LEN_BYTES_MAX: u64 = SLICE_BYTES_MAX as u64;
/// Minimum space of a file in bytes.
const BLOCK_BYTES: u64 = 4 * KIB;
/// Fraction of the time for unpacking; the rest is for reading.
const UNPACK_SHARE: f64 = 0.7;

struct Packed {
    path: PathBuf,
    number: u64,
    len: usize,
}

impl Packed {
    /// Its temporary name until it is durable.
    fn new_path(&self) -> PathBuf {
        self.path.with_extension("new")
    }

    fn write(&self, content: &Content) -> Result<(), AppError> {
        let path = self.new_path();
        let mut file = File::create_new(&path).context(Action::Create, &path)?;
        file.write_all(content.slice(self.number, self.len)).context(Action::Write, &path)
    }

    fn settle(&self) -> Result<(), AppError> {
        let path = self.new_path();
        File::open(&path).and_then(|file| file.sync_all()).context(Action::Sync, &path)?;
        std::fs::rename(&path, &self.path).context(Action::Rename, &path)
    }

    fn read(&self, buffer: &mut Vec<u8>) -> Result<(), AppError> {
        buffer.clear();
        let mut file = File::open(&self.path).context(Action::Open, &self.path)?;
        file.read_to_end(buffer).map(drop).context(Action::Read, &self.path)
    }
}

/// The files of a package, in directories typical of packages.
fn package(directory: &Path, first: u64, rng: &mut Rng) -> Vec<Packed> {
    let file = |index: u64| {
        let len = MEDIAN_BYTES * libm::exp(LOG_DEVIATION * rng.normal());
        let path = directory.join(["bin", "lib", "doc"][index as usize % 3]).join(format!("file{index}"));
        Packed { path, number: first + index, len: (len as u64).clamp(1, LEN_BYTES_MAX) as usize }
    };
    (0..PACKAGE_FILES as u64).map(file).collect()
}

/// Makes the names in a directory durable.
fn sync_directory(path: &Path) -> Result<(), AppError> {
    File::open(path).and_then(|directory| directory.sync_all()).context(Action::Sync, path)
}

pub(crate) const LOAD: AppLoad = AppLoad {
    name: "unpack",
    summary: message!("app-summary.unpack"),
    parameters: &[],
    names: &[
        "package#/bin/file#",
        "package#/bin/file#.new",
        "package#/lib/file#",
        "package#/lib/file#.new",
        "package#/doc/file#",
        "package#/doc/file#.new",
    ],
    run,
};

fn run(stage: &Stage) -> Result<(), AppError> {
    let content = Content::new(stage.content_seed);
    let mut rng = Rng::new(stage.seed);
    let mut there: Vec<Packed> = Vec::new();
    let mut left_bytes = stage.write_bytes_max;
    let part = stage.begin("unpack", Operation::File, Direction::Write, UNPACK_SHARE);
    while !part.is_over() {
        let directory = stage.path(&format!("package{}", there.len() / PACKAGE_FILES));
        let files = package(&directory, there.len() as u64, &mut rng);
        // Inodes and directories take space, too: a block each.
        let need = |file: &Packed| (file.len as u64).next_multiple_of(BLOCK_BYTES) + BLOCK_BYTES;
        let needed_bytes: u64 = files.iter().map(need).sum();
        if needed_bytes > left_bytes {
            break;
        }
        left_bytes -= needed_bytes;
        let directories = ["bin", "lib", "doc"].map(|name| directory.join(name));
        for path in &directories {
            std::fs::create_dir_all(path).context(Action::Create, path)?;
        }
        let mut wrote_ns = [0; PACKAGE_FILES];
        for (file, wrote_ns) in files.iter().zip(&mut wrote_ns) {
            let began_ns = part.now_ns();
            file.write(&content)?;
            *wrote_ns = part.now_ns() - began_ns;
            stage.beat();
        }
        for (file, wrote_ns) in files.into_iter().zip(wrote_ns) {
            if stage.is_stopping() {
                break;
            }
            let began_ns = part.now_ns();
            file.settle()?;
            part.done_in(wrote_ns + part.now_ns() - began_ns, file.len as u64);
            there.push(file);
        }
        directories.iter().try_for_each(|path| sync_directory(path))?;
    }
    part.end();
    read_back(stage, &content, &mut rng, there)
}

/// Reads files in random order from the drive.
fn read_back(
    stage: &Stage,
    content: &Content,
    rng: &mut Rng,
    mut files: Vec<Packed>,
) -> Result<(), AppError> {
    for file in &files {
        drop_file(&file.path)?;
    }
    for last in (1..files.len()).rev() {
        files.swap(last, rng.below(last as u64 + 1) as usize);
    }
    let mut buffer = Vec::with_capacity(SLICE_BYTES_MAX);
    let part = stage.begin("read", Operation::File, Direction::Read, 1.0);
    for file in &files {
        if part.is_over() {
            break;
        }
        let began_ns = part.now_ns();
        file.read(&mut buffer)?;
        part.done(began_ns, file.len as u64);
        if buffer != content.slice(file.number, file.len) {
            let found = message!("app-content-found.bytes", number = buffer.len());
            return Err(AppError::content(&file.path, found));
        }
    }
    part.end();
    Ok(())
}
