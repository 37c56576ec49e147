//! `gnome-disks`: the benchmark of GNOME's Disks, reading only.
//!
//! It reads 10 MiB at each of a hundred positions spread evenly over the whole drive, and then small blocks at a thousand
//! random positions. The first shows how the speed changes from start to end (hard disks are slower on inner tracks, worn
//! or fake cards have slow stretches), the second shows the access time. It reads the whole device, because a file
//! covers only a part of it.

use cardiograph_core::message::Parameter;
use cardiograph_core::metric::{Measurements, Metric};
use cardiograph_core::report::{Step, StepResult, StepRole};
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Direction, Estimate, JobSpec, KIB, MIB, Message, message};

use crate::figure::{Figure, estimate, job_result};
use crate::group::Group;
use crate::instead::instead;
use crate::measure::{Source, measure};
use crate::next_step::{NextStep, first_ahead, step_of, step_of_jobs};
use crate::setting::Settings;
use crate::suite::{Context, Outline, Suite};
use crate::tabulate::{NOTHING_COMPLETED, absent, column, figure, row};
use crate::text::{self, whole_mib};
use crate::traits::{OnDevice, SuiteTraits};

const NAME: &str = "gnome-disks";
/// Name that stands for the drive.
const FILE: &str = "cardiograph-disks.tmp";
const FILL: &str = "fill";
const SURFACE: &str = "surface";
const ACCESS: &str = "access";

const SAMPLES: u64 = 100;
const SAMPLE_BYTES: u64 = 10 * MIB;
const ACCESSES: u64 = 1_000;
const ACCESS_BYTES: u64 = 4 * KIB;
/// Samples per row of the table of speeds.
const IN_A_ROW: u64 = 10;

/// The suite.
#[derive(Debug, Clone, Copy)]
pub struct GnomeDisks;

/// The length of the drive in whole MiB, or why the suite does not fit it.
fn len_bytes(context: &Context<'_>) -> Result<u64, Vec<Message>> {
    let refuse = |why: Message| Err(std::iter::once(why).chain(instead(context)).collect());
    if context.drive.mount.is_some() {
        return refuse(message!("note-gnome-disks.bare-drive"));
    }
    let len_bytes = whole_mib(context.drive.capacity_bytes.unwrap_or(0));
    let least_bytes = SAMPLES * SAMPLE_BYTES;
    match len_bytes {
        0 => Err(vec![message!("note-gnome-disks.capacity-unknown")]),
        short if short < least_bytes => refuse(message!(
            "note-gnome-disks.too-small",
            holds = Parameter::Bytes(short),
            samples = Parameter::Bytes(least_bytes)
        )),
        long => Ok(long),
    }
}

fn job(id: &str, len_bytes: u64) -> JobSpec {
    JobSpec::for_step(NAME, id)
        .set("filename", FILE)
        .set("size", text::option_bytes(len_bytes))
        .set("ioengine", "psync")
        .set("direct", 1)
}

/// The title of a step that reads blocks at several positions.
fn read_at(block_bytes: u64, places: u64) -> Message {
    message!("step-gnome-disks.read", block = Parameter::BlockBytes(block_bytes), places)
}

fn steps(context: &Context<'_>, len_bytes: u64) -> Vec<Step> {
    // A simulated drive has to be written before it can be read.
    let fill = context.drive.simulated.then(|| {
        let job = job(FILL, len_bytes).set("rw", "write").set("bs", "1M");
        let fill = step_of(job, message!("step-gnome-disks.fill"), (FILE, len_bytes), len_bytes);
        Step { role: StepRole::Prepare, ..fill }
    });
    let sample = |nth: u64| {
        let offset = whole_mib((len_bytes - SAMPLE_BYTES) / (SAMPLES - 1) * nth);
        job(&format!("{SURFACE}-{nth}"), SAMPLE_BYTES)
            .set("offset", text::option_bytes(offset))
            .set("rw", "read")
            .set("bs", "10M")
            .set("stonewall", 1)
    };
    let samples = (0..SAMPLES).map(sample).collect();
    let surface = step_of_jobs(SURFACE, read_at(SAMPLE_BYTES, SAMPLES), samples, (FILE, len_bytes), 0);
    let job = job(ACCESS, len_bytes)
        .set("rw", "randread")
        .set("bs", text::option_bytes(ACCESS_BYTES))
        .set("io_size", text::option_bytes(ACCESSES * ACCESS_BYTES))
        .set("norandommap", 1)
        .set("randrepeat", 0);
    let access = step_of(job, read_at(ACCESS_BYTES, ACCESSES), (FILE, len_bytes), 0);
    fill.into_iter().chain([surface, access]).collect()
}

impl Suite for GnomeDisks {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-gnome-disks")
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits { group: Group::Published, on_device: OnDevice::Reads, ..SuiteTraits::default() }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        match len_bytes(context) {
            Ok(len_bytes) => Outline::from_steps(context, steps(context, len_bytes), None, Vec::new()),
            Err(why) => Outline::from_steps(context, Vec::new(), None, why),
        }
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        first_ahead(steps(context, len_bytes(context).ok()?), done)
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        measure(context, done, SOURCES)
    }

    fn tables(&self, _: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let Some(surface) = done.iter().find(|step| step.step.id == SURFACE) else { return Vec::new() };
        let speeds: Vec<f64> = (0..SAMPLES as usize)
            .filter_map(|nth| {
                Some(estimate(&job_result(surface, nth), Figure::Bandwidth(Direction::Read))?.value)
            })
            .collect();
        let doubt = surface.doubt(Direction::Read).cloned();
        let cell = |value: Option<f64>| match value {
            Some(value) => Cell::Figure {
                estimate: Estimate::bare(value, 1),
                step: SURFACE.to_string(),
                doubt: doubt.clone(),
            },
            None => absent(NOTHING_COMPLETED),
        };
        let mean =
            |speeds: &[f64]| (!speeds.is_empty()).then(|| speeds.iter().sum::<f64>() / speeds.len() as f64);
        let least = |speeds: &[f64]| speeds.iter().copied().reduce(f64::min);
        let most = |speeds: &[f64]| speeds.iter().copied().reduce(f64::max);
        let rows = speeds.chunks(IN_A_ROW as usize).enumerate().map(|(nth, part)| {
            let from = nth as u64 * IN_A_ROW;
            let share = |percent: u64| Parameter::share(percent as f64 / 100.0);
            let name = message!("table-gnome-disks.place", from = share(from), to = share(from + IN_A_ROW));
            row(name, vec![cell(mean(part)), cell(least(part)), cell(most(part))])
        });
        let unit = CellUnit::MegabytesPerSecond;
        let average = Figure::MeanLatency(Direction::Read);
        vec![
            Table {
                title: message!("table-gnome-disks.along"),
                heading: message!("table-heading.place"),
                columns: vec![
                    column(message!("table-heading.mean"), unit),
                    column(message!("table-heading.least"), unit),
                    column(message!("table-heading.most"), unit),
                ],
                rows: rows.collect(),
                ..Table::default()
            },
            Table {
                title: message!("table-published.disks"),
                // As GNOME Disks labels them.
                columns: vec![
                    column(Message::verbatim("average read rate"), unit),
                    column(Message::verbatim("average access time"), CellUnit::Milliseconds),
                ],
                rows: vec![row(
                    message!("table-gnome-disks.counts", samples = SAMPLES, accesses = ACCESSES),
                    vec![cell(mean(&speeds)), figure(done, ACCESS, average)],
                )],
                ..Table::default()
            },
        ]
    }
}

const SOURCES: &[Source] = &[(ACCESS, &[Metric::RandomReadIops, Metric::RandomReadP99])];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Options;
    use crate::testing::{GB, SLOW_CARD, card, plan, run_all, with_context};

    fn bare(capacity_bytes: u64) -> cardiograph_core::drive::Drive {
        cardiograph_core::drive::Drive { mount: None, ..card(capacity_bytes, 0) }
    }

    #[test]
    fn samples_are_spread_evenly_over_the_drive() {
        let (drive, options) = (bare(64 * GB), Options::default());
        let done = run_all(&GnomeDisks, &drive, &options, &SLOW_CARD);
        let ids: Vec<&str> = done.iter().map(|step| step.step.id.as_str()).collect();
        assert_eq!(ids, [SURFACE, ACCESS]);
        let plan = plan(&done[0].step);
        let files: Vec<_> = plan.jobs.iter().map(|job| job.clones[0][0]).collect();
        assert_eq!((files.len(), files[0].offset_bytes), (100, 0));
        let distances: Vec<u64> =
            files.windows(2).map(|pair| pair[1].offset_bytes - pair[0].offset_bytes).collect();
        assert!(distances.iter().all(|&distance| distance.abs_diff(distances[0]) <= MIB), "{distances:?}");
        let end = files[99].offset_bytes + files[99].region_len_bytes;
        assert!(whole_mib(64 * GB) - end < 200 * MIB && end <= 64 * GB, "{end}");
        assert!(plan.jobs.iter().all(|job| !job.workload.is_modifying()));
        let tables = with_context(&drive, &options, |context| GnomeDisks.tables(context, &done));
        assert_eq!((tables[0].rows.len(), tables[1].rows[0].cells.len()), (10, 2));
    }

    #[test]
    fn other_targets_are_refused_with_a_suggestion() {
        for (drive, id) in [
            (card(64 * GB, 50 * GB), "note-gnome-disks.bare-drive"),
            (bare(GB / 2), "note-gnome-disks.too-small"),
        ] {
            let outline = with_context(&drive, &Options::default(), |context| GnomeDisks.outline(context));
            assert!(outline.steps.is_empty() && outline.notes[0].id() == id, "{:?}", outline.notes);
        }
    }
}
