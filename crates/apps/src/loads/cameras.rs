//! Cameras that record simultaneously: each second of each video is written and made durable before the camera's buffer is full.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cardiograph_core::app::Operation;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::{Action, Direction, NS_PER_MS, NS_PER_S, message};

use crate::content::Content;
use crate::error::{AppError, ErrorContext};
use crate::load::AppLoad;
use crate::stage::{Part, Stage};

/// Seconds of video per file.
const SEGMENT_SECONDS: u64 = 10;
/// How often a waiting camera checks whether to stop, in nanoseconds.
const NAP_NS: u64 = 50 * NS_PER_MS;

/// State shared by all cameras.
struct Studio<'a> {
    stage: &'a Stage,
    part: &'a Part<'a>,
    content: &'a Content,
    second_bytes: u64,
    /// Maximum delay of a second, in nanoseconds.
    buffer_ns: u64,
    /// Maximum number of seconds per camera.
    seconds_max: u64,
    /// Whether the result is decided: a camera was too late, or failed.
    is_decided: AtomicBool,
    /// The first error.
    failure: OnceLock<AppError>,
}

impl Studio<'_> {
    fn decide(&self) {
        self.is_decided.store(true, Ordering::Relaxed);
    }

    fn fail(&self, error: AppError) {
        self.decide();
        // Later errors may follow from the first.
        let _ = self.failure.set(error);
    }

    fn is_over(&self) -> bool {
        self.is_decided.load(Ordering::Relaxed) || self.part.is_over()
    }

    /// Waits until a time within the part; `false` if the test ends before.
    fn wait_until(&self, due_ns: u64) -> bool {
        loop {
            if self.is_over() {
                return false;
            }
            let left_ns = due_ns.saturating_sub(self.part.now_ns());
            if left_ns == 0 {
                return true;
            }
            std::thread::sleep(Duration::from_nanos(left_ns.min(NAP_NS)));
            // Waiting for the next second does not mean that the drive hangs.
            self.stage.beat();
        }
    }

    /// Records one camera until the test ends.
    fn record(&self, camera: u64, offset_ns: u64) -> Result<(), AppError> {
        let path = |segment: u64| self.stage.path(&format!("camera{camera}-{segment:04}.mp4"));
        let mut open: Option<(File, PathBuf)> = None;
        for second in 0..self.seconds_max {
            // A second of video can be written when it is over.
            let due_ns = offset_ns + (second + 1) * NS_PER_S;
            if !self.wait_until(due_ns) {
                break;
            }
            let segment = second / SEGMENT_SECONDS;
            if second % SEGMENT_SECONDS == 0 {
                if segment >= 2 {
                    let old = path(segment - 2);
                    std::fs::remove_file(&old).context(Action::Remove, &old)?;
                }
                let path = path(segment);
                open = Some((File::create_new(&path).context(Action::Create, &path)?, path));
            }
            let Some((file, path)) = &mut open else { break };
            for chunk in self.content.chunks(derive_seed(camera, second), self.second_bytes) {
                file.write_all(chunk).context(Action::Write, path)?;
            }
            file.sync_data().context(Action::Sync, path)?;
            if self.part.now_ns() - due_ns > self.buffer_ns {
                self.part.done_late(due_ns, self.second_bytes);
                self.decide();
                break;
            }
            self.part.done(due_ns, self.second_bytes);
        }
        Ok(())
    }
}

pub(crate) const LOAD: AppLoad = AppLoad {
    name: "cameras",
    summary: message!("app-summary.cameras"),
    parameters: &[("cameras", 1, 1_024), ("mbit_per_s", 1, 1_000), ("buffer_s", 1, 60)],
    names: &["camera#-#.mp4"],
    run,
};

fn run(stage: &Stage) -> Result<(), AppError> {
    let cameras = stage.parameter("cameras", 1);
    let second_bytes = stage.parameter("mbit_per_s", 8) * 125_000;
    let content = Content::new(stage.content_seed);
    let part = stage.begin("record", Operation::Second, Direction::Write, 1.0);
    let studio = Studio {
        stage,
        part: &part,
        content: &content,
        second_bytes,
        buffer_ns: stage.parameter("buffer_s", 4) * NS_PER_S,
        seconds_max: stage.write_bytes_max / (second_bytes * cameras),
        is_decided: AtomicBool::new(false),
        failure: OnceLock::new(),
    };
    std::thread::scope(|scope| {
        let studio = &studio;
        for camera in 0..cameras {
            // Cameras are not synchronised.
            let offset_ns = camera * NS_PER_S / cameras;
            let record = move || studio.record(camera, offset_ns).unwrap_or_else(|error| studio.fail(error));
            let started = std::thread::Builder::new().stack_size(1 << 17).spawn_scoped(scope, record);
            if let Err(error) = started.context(Action::StartThread, &stage.directory) {
                studio.fail(error);
                break;
            }
        }
    });
    let failure = studio.failure.into_inner();
    part.end();
    failure.map_or(Ok(()), Err)
}
