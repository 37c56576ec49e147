use cardiograph_core::{Doubt, MIB};

use super::*;

const MS: f64 = 1e6;
const KIB_PER_S: f64 = 1_024.0;
const MIB_PER_S: f64 = MIB as f64;

/// A figure as published, without an interval.
fn bare(value: f64) -> Measured {
    let estimate = Estimate { value, n: 100, n_effective: 100.0, low: None, high: None };
    Measured { estimate, step: "published".to_string(), doubt: None }
}

fn published(figures: &[(Metric, f64)]) -> Measurements {
    figures.iter().map(|&(metric, value)| (metric, bare(value))).collect()
}

fn verdict(measurements: &Measurements, purpose: &str) -> Verdict {
    judge(&PURPOSES, measurements).into_iter().find(|verdict| verdict.purpose == purpose).unwrap()
}

fn levels(measurements: &Measurements) -> Vec<(String, Level)> {
    judge(&PURPOSES, measurements).into_iter().map(|verdict| (verdict.purpose, verdict.level)).collect()
}

fn level_of(measurements: &Measurements, purpose: &str) -> Level {
    verdict(measurements, purpose).level
}

fn outcome(measurements: &Measurements, purpose: &str, metric: Metric, guards: Guards) -> Finding {
    let findings = verdict(measurements, purpose).findings;
    findings.into_iter().find(|finding| finding.metric == metric && finding.guards == guards).unwrap()
}

/// The microSD card of the published comparison that the suite `article` repeats: SanDisk Ultra 64 GB, Raspberry Pi 5.
fn article_card() -> Measurements {
    published(&[
        (Metric::Capacity, 64e9),
        (Metric::MixedSequentialRead, 22.7 * MIB_PER_S),
        (Metric::MixedSequentialWrite, 23.2 * MIB_PER_S),
        (Metric::RandomReadIops, 3_786.0),
        (Metric::RandomReadP99, 0.379 * MS),
        (Metric::DurableWriteIops, 166.0),
        (Metric::SyncP99, 7.57 * MS),
        (Metric::SyncP999, 28.967 * MS),
        (Metric::SustainedWrite, 31.3 * MIB_PER_S),
        (Metric::WriteStallMax, 65.5 * MS),
    ])
}

/// The SSD of the same comparison: KIOXIA 960 GB, SATA behind USB 3.2.
fn article_ssd() -> Measurements {
    published(&[
        (Metric::Capacity, 960e9),
        (Metric::MixedSequentialRead, 144.0 * MIB_PER_S),
        (Metric::MixedSequentialWrite, 147.0 * MIB_PER_S),
        (Metric::RandomReadIops, 5_275.0),
        (Metric::RandomReadP99, 0.196 * MS),
        (Metric::DurableWriteIops, 178.0),
        (Metric::SyncP99, 5.735 * MS),
        (Metric::SyncP999, 11.076 * MS),
        (Metric::SustainedWrite, 198.0 * MIB_PER_S),
        (Metric::WriteStallMax, 623.0 * MS),
    ])
}

/// Cards as measured by fio in 2013 and later through one USB card reader: KiB/s, and I/Os per second.
/// Name, GB (0: not given), sequential read and write, random read, random write, random read 32 at once.
const FIO_CARDS: [(&str, f64, f64, f64, f64, f64, f64); 6] = [
    ("Panasonic RP-SDAB08GJK", 8.0, 18_729.0, 15_256.0, 720.0, 13.0, 697.0),
    ("Panasonic RP-SDWA08GJK", 8.0, 16_447.0, 7_962.0, 414.0, 22.0, 467.0),
    ("SanDisk Extreme Pro", 0.0, 18_830.0, 18_089.0, 1_059.0, 332.0, 1_062.0),
    ("SONY SF-8UX", 8.0, 17_646.0, 14_699.0, 862.0, 196.0, 920.0),
    ("TOSHIBA SD-T16GR6WA2", 16.0, 17_486.0, 11_461.0, 976.0, 34.0, 1_003.0),
    ("BUFFALO RSDC-16GC10/E", 16.0, 13_289.0, 4_985.0, 598.0, 1.0, 577.0),
];

/// The SSD that its author compared them with.
const FIO_SSD: (&str, f64, f64, f64, f64, f64, f64) =
    ("PLEXTOR PX-256M5", 256.0, 249_512.0, 225_550.0, 4_767.0, 8_402.0, 28_950.0);

fn fio_card(name: &str) -> Measurements {
    let row = FIO_CARDS.iter().chain([&FIO_SSD]).find(|row| row.0 == name).unwrap();
    let mut measurements = published(&[
        (Metric::SequentialRead, row.2 * KIB_PER_S),
        (Metric::SequentialWrite, row.3 * KIB_PER_S),
        (Metric::RandomReadIops, row.4),
        (Metric::RandomWriteIops, row.5),
        (Metric::RandomReadDeepIops, row.6),
    ]);
    if row.1 > 0.0 {
        measurements.insert(Metric::Capacity, bare(row.1 * 1e9));
    }
    measurements
}

/// Cards on a Raspberry Pi 2, by hdparm, dd and iozone in MB/s: capacity in GB, sequential read and write, random read
/// and write of 4 KiB.
fn iozone_card(gb: f64, figures_mb_per_s: [f64; 4]) -> Measurements {
    let [read, write, random_read, random_write] = figures_mb_per_s.map(|mb| mb * 1e6);
    published(&[
        (Metric::Capacity, gb * 1e9),
        (Metric::SequentialRead, read),
        (Metric::SequentialWrite, write),
        (Metric::RandomReadIops, random_read / 4_096.0),
        (Metric::RandomWriteIops, random_write / 4_096.0),
    ])
}

/// None of them was tested with cameras.
fn expected(levels: [Level; 6]) -> Vec<(String, Level)> {
    let ids = ["os", "db-light", "db-heavy", "containers", "nas", "sensors", "cameras", "recording"];
    let levels = levels.into_iter().chain([Level::CannotBeJudged; 2]);
    ids.into_iter().map(str::to_string).zip(levels).collect()
}

#[test]
fn the_articles_drives_are_judged_as_its_author_concluded() {
    use Level::*;
    assert_eq!(levels(&article_card()), expected([Enough, Enough, NotEnough, NotEnough, NotEnough, Good]));
    assert_eq!(levels(&article_ssd()), expected([Good, Good, Enough, Good, Good, Good]));
}

#[test]
fn the_articles_drives_are_judged_the_same_without_the_highest_percentile() {
    // 30 s of syncs leave fewer than ten samples above the 99.9th percentile on both.
    for (mut drive, light) in [(article_card(), Level::Enough), (article_ssd(), Level::Good)] {
        let before = levels(&drive);
        drive.remove(&Metric::SyncP999);
        assert_eq!(level_of(&drive, "db-light"), light);
        assert_eq!(levels(&drive), before);
    }
}

#[test]
fn cards_measured_by_fio_are_judged_plausibly() {
    use Level::*;
    let os: Vec<_> = FIO_CARDS.iter().map(|row| level_of(&fio_card(row.0), "os")).collect();
    assert_eq!(os, [NotEnough, NotEnough, Enough, Enough, NotEnough, NotEnough]);
    for purpose in ["os", "db-light", "db-heavy", "containers", "nas", "sensors"] {
        assert_eq!(level_of(&fio_card("BUFFALO RSDC-16GC10/E"), purpose), NotEnough, "{purpose}");
    }
    for row in &FIO_CARDS {
        let levels = levels(&fio_card(row.0));
        assert!(levels.iter().all(|(_, level)| *level < Good), "{}: {levels:?}", row.0);
        assert_eq!(level_of(&fio_card(row.0), "db-heavy"), NotEnough, "{}", row.0);
        assert_eq!(level_of(&fio_card(row.0), "containers"), NotEnough, "{}", row.0);
        // Durable writes were not measured, so a light database cannot pass.
        let light = if row.5 < 50.0 { NotEnough } else { CannotBeJudged };
        assert_eq!(level_of(&fio_card(row.0), "db-light"), light, "{}", row.0);
    }
}

#[test]
fn an_ssd_is_good_only_if_enough_was_measured() {
    let ssd = fio_card(FIO_SSD.0);
    use Level::*;
    // A short write meets the limits of a file server, which does not prove anything for a long one.
    assert_eq!(
        levels(&ssd),
        expected([Good, CannotBeJudged, CannotBeJudged, Enough, CannotBeJudged, CannotBeJudged])
    );
}

#[test]
fn cards_measured_by_iozone_are_judged_plausibly() {
    // Samsung Evo+ 32 GB and SanDisk Extreme 16 GB lead the table, Kingston 8 GB and Toshiba 16 GB end it.
    let evo = iozone_card(32.0, [18.45, 14.0, 8.02, 3.00]);
    let extreme = iozone_card(16.0, [18.51, 18.3, 8.10, 2.30]);
    let kingston = iozone_card(8.0, [12.80, 7.2, 5.56, 0.17]);
    let toshiba = iozone_card(16.0, [17.66, 11.2, 5.21, 0.21]);
    for best in [&evo, &extreme] {
        assert_eq!(level_of(best, "os"), Level::Enough);
        assert_eq!(level_of(best, "db-light"), Level::CannotBeJudged);
    }
    for worst in [&kingston, &toshiba] {
        assert_eq!(level_of(worst, "os"), Level::NotEnough);
        assert!(level_of(worst, "os") < level_of(&evo, "os"));
    }
    assert_eq!(level_of(&kingston, "db-light"), Level::NotEnough);
}

#[test]
fn without_measurements_nothing_is_judged() {
    for verdict in judge(&PURPOSES, &Measurements::new()) {
        assert_eq!(verdict.level, Level::CannotBeJudged, "{}", verdict.purpose);
        for finding in &verdict.findings {
            assert_eq!(finding.outcome, FindingOutcome::NotJudged);
            assert!(finding.doubt.is_some() && finding.measured.is_none() && !finding.close);
        }
    }
}

#[test]
fn sources_of_missing_figures_are_named() {
    let doubt = |measurements: &Measurements, purpose: &str, metric| {
        outcome(measurements, purpose, metric, Guards::Good).doubt
    };
    let (few, unmeasured) = (message!("finding-missing.samples"), message!("finding-missing.quick"));
    assert_eq!(doubt(&Measurements::new(), "db-light", Metric::SyncP99), Some(unmeasured.clone()));
    let rate_only = Measurements::from([(Metric::DurableWriteIops, bare(180.0))]);
    assert_eq!(doubt(&rate_only, "db-light", Metric::SyncP99), Some(few));
    assert_eq!(doubt(&rate_only, "db-light", Metric::RandomReadIops), Some(unmeasured));
}

#[test]
fn each_required_figure_is_needed() {
    for purpose in PURPOSES.iter() {
        for rule in purpose.rules.iter().filter(|rule| rule.required) {
            let mut ssd = article_ssd();
            let before = level_of(&ssd, &purpose.id);
            rule.evidence.iter().for_each(|evidence| {
                ssd.remove(&evidence.metric());
            });
            let after = level_of(&ssd, &purpose.id);
            let needed_for_enough = purpose.rules.iter().any(|other| {
                other.required && other.guards == Guards::Enough && other.evidence == rule.evidence
            });
            let limit = if needed_for_enough { Level::CannotBeJudged } else { before.min(Level::Enough) };
            assert_eq!(after, limit, "{} without {:?}", purpose.id, rule.evidence);
        }
    }
}

#[test]
fn one_failing_figure_decides_even_if_others_are_missing() {
    for (metric, value, purpose) in [
        (Metric::RandomWriteIops, 1.0, "os"),
        (Metric::RandomWriteIops, 1.0, "db-light"),
        (Metric::DurableWriteIops, 0.5, "sensors"),
        (Metric::Capacity, 32e9, "nas"),
        (Metric::SyncP99, 200.0 * MS, "db-light"),
        (Metric::LifeLeft, 0.0, "os"),
        (Metric::LifeLeft, 1e12, "db-light"),
        (Metric::Cameras, 3.0, "cameras"),
        (Metric::SustainedWrite, 3.9e6, "cameras"),
        (Metric::LifeLeft, 126e12, "cameras"),
    ] {
        let verdict = verdict(&published(&[(metric, value)]), purpose);
        assert_eq!(verdict.level, Level::NotEnough, "{purpose}, {metric:?}");
    }
}

#[test]
fn the_remaining_life_limits_the_level() {
    for (left_bytes, os, db_heavy) in [
        (0.1e12, Level::NotEnough, Level::NotEnough),
        (1e12, Level::Enough, Level::NotEnough),
        (20e12, Level::Good, Level::Enough),
        (100e12, Level::Good, Level::Good),
    ] {
        let mut ssd = article_ssd();
        ssd.insert(Metric::LifeLeft, bare(left_bytes));
        let unknown = ["os", "db-heavy"].map(|id| level_of(&article_ssd(), id));
        let levels = ["os", "db-heavy"].map(|id| level_of(&ssd, id));
        assert_eq!(levels, [os.min(unknown[0]), db_heavy.min(unknown[1])], "{left_bytes}");
    }
}

#[test]
fn a_contradicted_figure_is_not_judged_whether_it_passes_or_fails() {
    for value in [1.0, 1_000_000.0] {
        let mut ssd = article_ssd();
        let doubt = Some(Doubt::Contradicted { share: 0.12 });
        ssd.insert(Metric::RandomReadIops, Measured { doubt: doubt.clone(), ..bare(value) });
        for purpose in ["os", "db-heavy", "containers"] {
            assert_eq!(level_of(&ssd, purpose), Level::CannotBeJudged, "{purpose}");
            let finding = outcome(&ssd, purpose, Metric::RandomReadIops, Guards::Enough);
            assert_eq!(
                (finding.outcome, finding.doubt),
                (FindingOutcome::NotJudged, doubt.as_ref().map(Doubt::message))
            );
            assert_eq!(finding.measured.map(|estimate| estimate.value), Some(value));
        }
        assert_eq!(level_of(&ssd, "nas"), Level::Good, "independent verdicts stay");
    }
}

#[test]
fn a_doubtful_optional_figure_blocks_its_level() {
    let mut ssd = article_ssd();
    let doubt = Some(Doubt::Interrupted);
    ssd.insert(Metric::RandomWriteIops, Measured { doubt, ..bare(9_000.0) });
    assert_eq!(level_of(&ssd, "os"), Level::CannotBeJudged);
    ssd.insert(Metric::RandomWriteIops, bare(9_000.0));
    assert_eq!(level_of(&ssd, "os"), Level::Good);
}

#[test]
fn harder_conditions_prove_a_pass_only() {
    let ssd = outcome(&article_ssd(), "nas", Metric::MixedSequentialRead, Guards::Good);
    assert_eq!(ssd.outcome, FindingOutcome::Pass);
    let card = outcome(&article_card(), "nas", Metric::MixedSequentialRead, Guards::Enough);
    assert_eq!(card.outcome, FindingOutcome::NotJudged);
    assert_eq!(card.doubt, Some(message!("finding-unsettled.harder")));
    // The figure itself takes precedence.
    let mut both = article_card();
    both.insert(Metric::SequentialRead, bare(90.0 * MIB_PER_S));
    assert_eq!(outcome(&both, "nas", Metric::SequentialRead, Guards::Enough).outcome, FindingOutcome::Pass);
    both.insert(Metric::SequentialRead, Measured { doubt: Some(Doubt::PageCache), ..bare(9e9) });
    let doubted = outcome(&both, "nas", Metric::SequentialRead, Guards::Enough);
    assert_eq!(doubted.doubt, Some(Doubt::PageCache.message()));
}

#[test]
fn easier_conditions_prove_a_failure_only() {
    let judged = |mb_per_s: f64| {
        let measured = published(&[(Metric::SequentialWrite, mb_per_s * 1e6)]);
        outcome(&measured, "nas", Metric::SequentialWrite, Guards::Enough).outcome
    };
    assert_eq!(judged(30.0), FindingOutcome::Fail);
    assert_eq!(judged(300.0), FindingOutcome::NotJudged);
}

#[test]
fn a_limit_inside_the_interval_is_close() {
    let close = |value, low, high| {
        let estimate = Estimate { value, n: 80, n_effective: 40.0, low, high };
        let mut ssd = article_ssd();
        ssd.insert(Metric::RandomReadIops, Measured { estimate, ..bare(value) });
        let finding = outcome(&ssd, "db-heavy", Metric::RandomReadIops, Guards::Enough);
        (finding.outcome, finding.close)
    };
    assert_eq!(close(4_050.0, Some(3_950.0), Some(4_150.0)), (FindingOutcome::Pass, true));
    assert_eq!(close(3_950.0, Some(3_850.0), Some(4_050.0)), (FindingOutcome::Fail, true));
    assert_eq!(close(4_500.0, Some(4_400.0), Some(4_600.0)), (FindingOutcome::Pass, false));
    assert_eq!(close(4_001.0, None, None), (FindingOutcome::Pass, false));
    assert_eq!(close(4_000.0, Some(4_000.0), Some(4_000.0)), (FindingOutcome::Pass, false));
}

#[test]
fn meeting_a_limit_exactly_passes() {
    let heavy = |metric, value, guards| {
        let mut ssd = article_ssd();
        ssd.insert(metric, bare(value));
        outcome(&ssd, "db-heavy", metric, guards).outcome
    };
    assert_eq!(heavy(Metric::SyncP99, 10.0 * MS, Guards::Enough), FindingOutcome::Pass);
    assert_eq!(heavy(Metric::SyncP99, 10.0 * MS + 1.0, Guards::Enough), FindingOutcome::Fail);
    assert_eq!(heavy(Metric::DurableWriteIops, 500.0, Guards::Good), FindingOutcome::Pass);
    assert_eq!(heavy(Metric::DurableWriteIops, 499.9, Guards::Good), FindingOutcome::Fail);
}

#[test]
fn an_imprecise_figure_does_not_pass() {
    let durable = |value: f64, low: f64, high: f64| {
        let estimate = Estimate { value, n: 100, n_effective: 2.0, low: Some(low), high: Some(high) };
        let measured = Measured { estimate, step: "durable-write".to_string(), doubt: None };
        level_of(&Measurements::from([(Metric::DurableWriteIops, measured)]), "sensors")
    };
    assert_eq!(durable(1.1, 0.0, 40.0), Level::CannotBeJudged);
    assert_eq!(durable(11.0, 0.0, 400.0), Level::Enough, "more than one a second it is, ten is not known");
    // So far above the limit that precision does not matter.
    assert_eq!(durable(1_787.0, 0.0, 67_162.0), Level::Good);
    // Close is reported as close: it is precise enough.
    assert_eq!(durable(1.1, 0.9, 1.3), Level::Enough);
    // Values below the limit fail.
    assert_eq!(durable(0.5, 0.0, 3.0), Level::NotEnough);
}

#[test]
fn slow_commits_fail_purposes_that_wait_for_them() {
    let with = |commits: f64| {
        let measurements = published(&[(Metric::SqliteCommits, commits)]);
        (level_of(&measurements, "sensors"), level_of(&measurements, "db-light"))
    };
    assert_eq!(with(0.8), (Level::NotEnough, Level::NotEnough));
    // Fewer than 50 commits per second do not fail a drive that needs 50 durable writes: a commit is several.
    assert_eq!(with(20.0), (Level::Good, Level::CannotBeJudged));
}

#[test]
fn only_recorded_cameras_prove_the_purpose_cameras() {
    use Level::*;
    use Metric::{Cameras, CamerasAtLeast, LifeLeft, SequentialWrite, SustainedWrite};
    for (figures, level) in [
        (&[(Cameras, 3.0)][..], NotEnough),
        (&[(Cameras, 4.0)], Enough),
        (&[(Cameras, 7.0)], Enough),
        (&[(Cameras, 8.0)], Good),
        // Untested counts may come out either way.
        (&[(CamerasAtLeast, 3.0)], CannotBeJudged),
        (&[(CamerasAtLeast, 7.0)], Enough),
        (&[(CamerasAtLeast, 8.0)], Good),
        // A fast drive may wait too long for each second.
        (&[(SustainedWrite, 500e6)], CannotBeJudged),
        (&[(SequentialWrite, 500e6)], CannotBeJudged),
        // A test of a few seconds may have hit a pause.
        (&[(SequentialWrite, 3.9e6)], CannotBeJudged),
        (&[(Cameras, 20.0), (SustainedWrite, 5e6)], Enough),
        (&[(Cameras, 20.0), (LifeLeft, 127e12)], Enough),
        (&[(Cameras, 20.0), (LifeLeft, 631e12)], Good),
    ] {
        assert_eq!(level_of(&published(figures), "cameras"), level, "{figures:?}");
    }
    let doubt = |figures: &[(Metric, f64)]| {
        let findings = verdict(&published(figures), "cameras").findings;
        findings.into_iter().find_map(|finding| finding.doubt)
    };
    assert_eq!(doubt(&[]), Some(message!("finding-missing.apps")));
    assert_eq!(doubt(&[(CamerasAtLeast, 2.0)]), Some(message!("finding-unsettled.cameras")));
}

#[test]
fn recording_needs_every_deadline_and_short_stalls() {
    use Level::*;
    let level = |missed, stall_s: f64| {
        let figures = [(Metric::RecordingMissed, missed), (Metric::RecordingStallMax, stall_s * 1e9)];
        level_of(&published(&figures), "recording")
    };
    for (missed, stall_s, expected) in
        [(0.0, 0.4, Good), (0.0, 3.0, Enough), (1.0, 4.5, NotEnough), (0.0, 5.0, NotEnough)]
    {
        assert_eq!(level(missed, stall_s), expected, "{missed}, {stall_s} s");
    }
    assert_eq!(level_of(&published(&[(Metric::Cameras, 16.0)]), "recording"), CannotBeJudged);
}

#[test]
fn purposes_left_out_are_named_with_the_suites_that_judge_them() {
    let said = |figures: &[(Metric, f64)]| {
        let measurements = published(figures);
        let mut verdicts = judge(&PURPOSES, &measurements);
        verdicts.retain(|verdict| verdict.level != Level::CannotBeJudged);
        left_out(&PURPOSES, &verdicts, &measurements)
    };
    let capacity = [message!("not-judged.only-capacity")];
    assert_eq!(said(&[]), capacity);
    assert_eq!(said(&[(Metric::Capacity, 64e9)]), capacity);
    // No purpose depends on that.
    assert_eq!(said(&[(Metric::Capacity, 64e9), (Metric::RandomReadDeepIops, 1e5)]), capacity);
    assert_eq!(said(&[(Metric::LifeLeft, 1e15)]), [message!("not-judged.only-capacity-and-life")]);
    let of_apps = || Parameter::all(["cameras", "recording"]);
    let both = [message!("not-judged.quick-and-apps", purposes = of_apps())];
    assert_eq!(said(&[(Metric::SequentialRead, 200e6)]), both);
    assert_eq!(said(&[(Metric::DurableWriteIops, 0.1)]), both);
    let recording = Parameter::all(["recording"]);
    assert_eq!(
        said(&[(Metric::Cameras, 9.0)]),
        [message!("not-judged.quick-and-apps", purposes = recording)]
    );
    assert_eq!(said(&[(Metric::LifeLeft, 0.0)]), []);
    let mut all = article_ssd();
    assert_eq!(left_out(&PURPOSES, &judge(&PURPOSES, &all), &all), []);
    let mut judged = judge(&PURPOSES, &all);
    judged.retain(|verdict| verdict.level != Level::CannotBeJudged);
    assert_eq!(left_out(&PURPOSES, &judged, &all), [message!("not-judged.apps", purposes = of_apps())]);
    all.get_mut(&Metric::SustainedWrite).unwrap().doubt = Some(Doubt::PageCache);
    assert_eq!(left_out(&PURPOSES, &[], &all), [both[0].clone(), message!("not-judged.doubt")]);
}
