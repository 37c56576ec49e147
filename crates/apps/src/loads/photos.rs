//! Import of photos from a camera: large files, each made durable, then read back.

use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;

use cardiograph_core::app::Operation;
use cardiograph_core::rng::Rng;
use cardiograph_core::{Action, Direction, message};

use crate::cache::drop_file;
use crate::content::{Content, SLICE_BYTES_MAX};
use crate::error::{AppError, ErrorContext};
use crate::load::AppLoad;
use crate::stage::Stage;

/// Minimum and maximum size of photos in bytes, from a telephone's to a raw file.
const LEN_BYTES: (u64, u64) = (5_000_000, 25_000_000);
/// Fraction of the time for importing; the rest is for viewing.
const IMPORT_SHARE: f64 = 0.7;

struct Photo {
    path: PathBuf,
    number: u64,
    len_bytes: u64,
}

impl Photo {
    fn write(&self, content: &Content, stage: &Stage) -> Result<(), AppError> {
        let mut file = File::create_new(&self.path).context(Action::Create, &self.path)?;
        for chunk in content.chunks(self.number, self.len_bytes) {
            file.write_all(chunk).context(Action::Write, &self.path)?;
            stage.beat();
        }
        file.sync_all().context(Action::Sync, &self.path)
    }

    /// Reads and compares it, in memory, which takes negligible time compared with reading.
    fn read(&self, content: &Content, buffer: &mut [u8], stage: &Stage) -> Result<(), AppError> {
        let mut file = File::open(&self.path).context(Action::Open, &self.path)?;
        for (number, chunk) in content.chunks(self.number, self.len_bytes).enumerate() {
            let found = &mut buffer[..chunk.len()];
            file.read_exact(found).context(Action::Read, &self.path)?;
            if found != chunk {
                let found = message!("app-content-found.chunk", number);
                return Err(AppError::content(&self.path, found));
            }
            stage.beat();
        }
        Ok(())
    }
}

pub(crate) const LOAD: AppLoad = AppLoad {
    name: "photos",
    summary: message!("app-summary.photos"),
    parameters: &[],
    names: &["img_#.raw"],
    run,
};

fn run(stage: &Stage) -> Result<(), AppError> {
    let content = Content::new(stage.content_seed);
    let mut rng = Rng::new(stage.seed);
    let mut photos: Vec<Photo> = Vec::new();
    let mut left_bytes = stage.write_bytes_max;
    let part = stage.begin("import", Operation::Photo, Direction::Write, IMPORT_SHARE);
    loop {
        let len_bytes = LEN_BYTES.0 + rng.below(LEN_BYTES.1 - LEN_BYTES.0);
        if len_bytes > left_bytes || part.is_over() {
            break;
        }
        let number = photos.len() as u64;
        let path = stage.path(&format!("img_{number:04}.raw"));
        let photo = Photo { path, number, len_bytes };
        let began_ns = part.now_ns();
        photo.write(&content, stage)?;
        part.done(began_ns, len_bytes);
        left_bytes -= len_bytes;
        photos.push(photo);
    }
    part.end();
    for photo in &photos {
        drop_file(&photo.path)?;
    }
    let mut buffer = vec![0; SLICE_BYTES_MAX];
    let part = stage.begin("view", Operation::Photo, Direction::Read, 1.0);
    for photo in &photos {
        if part.is_over() {
            break;
        }
        let began_ns = part.now_ns();
        photo.read(&content, &mut buffer, stage)?;
        part.done(began_ns, photo.len_bytes);
    }
    part.end();
    Ok(())
}
