use cardiograph_core::NS_PER_S;
use cardiograph_core::drive::Drive;
use cardiograph_core::report::{Step, StepOutcome, StepRole};

use super::*;
use crate::suite::{Options, Suite};
use crate::testing::{FAST_SSD, GB, SLOW_CARD, card, plan, run_all, with_context};

/// The options of a job as words of a command line, its file's name left out.
fn words(step: &Step) -> String {
    let job = &step.jobs()[0];
    let settings = job.settings.iter().filter(|setting| setting.option != "filename");
    let words: Vec<_> = settings.map(|setting| format!("--{}={}", setting.option, setting.value)).collect();
    format!("--name={} {}", job.name, words.join(" "))
}

#[test]
fn the_experiments_are_the_published_ones() {
    let done = run_all(&ARTICLE, &card(64 * GB, 50 * GB), &Options::default(), &SLOW_CARD);
    let measured = done.iter().filter(|step| step.step.role == StepRole::Measure);
    let lines: Vec<_> = measured.map(|step| words(&step.step)).collect();
    assert_eq!(
        lines,
        [
            "--name=sdtest --size=200M --bs=1M --rw=readwrite --direct=1 --numjobs=1",
            "--name=latp --size=1G --bs=4k --rw=randread --iodepth=1 --direct=1 --time_based=1 --runtime=30 \
             --lat_percentiles=1 --percentile_list=95:99:99.9",
            "--name=fsync --size=256M --bs=4k --rw=write --direct=1 --iodepth=1 --fsync=1 --runtime=30 --time_based=1",
            "--name=sustain --size=3G --bs=1M --rw=write --direct=1 --time_based=1 --runtime=120 --iodepth=2",
        ]
    );
}

#[test]
fn what_is_read_was_laid_out_before() {
    let done = run_all(&ARTICLE, &card(64 * GB, 50 * GB), &Options::default(), &SLOW_CARD);
    let ids: Vec<_> = done.iter().map(|step| step.step.id.as_str()).collect();
    assert_eq!(ids, ["layout-sdtest", "sdtest", "layout-latp", "latp", "fsync", "sustain"]);
    for (index, step) in done.iter().enumerate() {
        let job = &plan(&step.step).jobs[0];
        let (workload, region_len_bytes) = (&job.workload, job.clones[0][0].region_len_bytes);
        assert_eq!(region_len_bytes, step.step.files[0].len_bytes);
        if workload.uses(Direction::Read) {
            let layout = &done[index - 1].step;
            assert_eq!((&layout.files, layout.role), (&step.step.files, StepRole::Prepare));
            let written = plan(layout).jobs[0].workload.clone();
            assert_eq!(written.stop.bytes, Some(region_len_bytes));
        }
    }
}

#[test]
fn bounds_hold_and_a_limit_changes_no_step() {
    let none = Drive::default();
    let drives = [(card(64 * GB, 50 * GB), SLOW_CARD), (none, FAST_SSD)];
    for (drive, model) in drives {
        let done = run_all(&ARTICLE, &drive, &Options::default(), &model);
        let outline = with_context(&drive, &Options::default(), |context| ARTICLE.outline(context));
        for (outlined, step) in outline.steps.iter().zip(&done) {
            let written = step.result.as_ref().unwrap().issued_bytes(Direction::Write);
            assert!(step.step.write_bytes_max >= written, "{}", step.step.id);
            assert_eq!(outlined.write_bytes_max, step.step.write_bytes_max);
        }
        let sum: u64 = done.iter().map(|step| step.step.write_bytes_max).sum();
        assert_eq!(outline.write_bytes_max, sum);
        let hurried = Options { max_time_ns: Some(NS_PER_S), ..Options::default() };
        let limited = run_all(&ARTICLE, &drive, &hurried, &model);
        assert_eq!(
            limited.iter().map(|step| &step.step).collect::<Vec<_>>(),
            done.iter().map(|s| &s.step).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_card_is_not_said_to_take_more_than_its_bus_carries() {
    let card = card(64 * GB, 50 * GB);
    let outline = with_context(&card, &Options::default(), |context| ARTICLE.outline(context));
    // UHS-II: 312 MB/s for 120 s, and for 30 s, and the two layouts and the mixed test.
    let bound = 312_000_000 * 150 + 1_424 * MIB;
    assert_eq!(outline.write_bytes_max, bound);
    let mut card = card;
    card.mount.as_mut().unwrap().fs_type = "exfat".to_string();
    let filled = with_context(&card, &Options::default(), |context| ARTICLE.outline(context));
    assert_eq!(filled.write_bytes_max, bound + outline.file_bytes_max);
    assert!(
        filled.notes.iter().any(|note| note.contains("exfat fills new files with zeros")),
        "{:?}",
        filled.notes
    );
}

#[test]
fn nothing_follows_a_failure_and_replaying_repeats() {
    let drive = card(64 * GB, 50 * GB);
    let options = Options::default();
    let mut done = run_all(&ARTICLE, &drive, &options, &SLOW_CARD);
    with_context(&drive, &options, |context| {
        for (index, step) in done.iter().enumerate() {
            assert_eq!(ARTICLE.next(context, &done[..index]), Some(step.step.clone().into()));
        }
        assert_eq!(ARTICLE.next(context, &done), None);
        done.truncate(2);
        done[1].outcome = StepOutcome::Interrupted;
        assert_eq!(ARTICLE.next(context, &done), None);
    });
}

#[test]
fn figures_become_metrics() {
    let drive = card(64 * GB, 50 * GB);
    let options = Options::default();
    let done = run_all(&ARTICLE, &drive, &options, &SLOW_CARD);
    let measured = with_context(&drive, &options, |context| ARTICLE.measure(context, &done));
    let metrics: Vec<_> = measured.keys().copied().collect();
    assert_eq!(
        metrics,
        [
            Metric::Capacity,
            Metric::MixedSequentialRead,
            Metric::MixedSequentialWrite,
            Metric::SustainedWrite,
            Metric::RandomReadIops,
            Metric::RandomReadP99,
            Metric::DurableWriteIops,
            Metric::SyncP99,
            Metric::WriteStallMax,
        ]
    );
    assert!((measured[&Metric::MixedSequentialRead].estimate.value / (45 * MIB) as f64 - 1.0).abs() < 0.02);
    assert!((measured[&Metric::SustainedWrite].estimate.value / (31 * MIB) as f64 - 1.0).abs() < 0.02);
    assert!(measured.values().all(|measured| measured.doubt.is_none()));
}

#[test]
fn buffered_is_said_and_done() {
    let options = Options { direct: false, ..Options::default() };
    let done = run_all(&ARTICLE, &card(64 * GB, 50 * GB), &options, &SLOW_CARD);
    for step in &done {
        assert!(!plan(&step.step).jobs[0].workload.direct);
        assert!(step.step.sizing.iter().any(|note| note.contains("Buffered")));
    }
}
