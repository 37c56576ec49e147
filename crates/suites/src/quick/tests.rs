use cardiograph_core::Doubt;
use cardiograph_core::counters::{CounterCheck, CounterOutcome};
use cardiograph_core::drive::{Drive, FileSystem};
use cardiograph_core::figures::StepFigures;
use cardiograph_core::plan::Plan as RunPlan;
use cardiograph_core::report::StepOutcome;
use cardiograph_core::result::EngineNote;
use cardiograph_core::workload::Order;
use cardiograph_core::{GIB, NS_PER_MS};
use cardiograph_jobs::resolve::{ResolveContext, resolve};
use cardiograph_jobs::settings::Settings as _;

use super::*;
use crate::budget::Budget;
use crate::next_step::NextStep;
use crate::setting::Settings;
use crate::suite::Options;
use crate::testing::{
    BAD_CARD, FAST_SSD, GB, Model, SLOW_CARD, card, has, plan, run, run_all, settle, with_context, written,
};

/// Drives of all sorts, each with a model of its speed.
fn cases() -> Vec<(&'static str, Drive, Model)> {
    vec![
        ("slow 64 GB card", card(64 * GB, 50 * GB), SLOW_CARD),
        ("fast SSD", card(2_000 * GB, 1_500 * GB), FAST_SSD),
        ("4 GB card", card(4 * GB, 2 * GB), SLOW_CARD),
        ("bad card", card(16 * GB, 10 * GB), BAD_CARD),
        ("slow but large", card(2_000 * GB, 1_500 * GB), SLOW_CARD),
        ("300 MB free", card(4 * GB, 300_000_000), SLOW_CARD),
        ("300 MB free, fast", card(10 * GB, 300_000_000), FAST_SSD),
        (
            "simulated",
            Drive { capacity_bytes: Some(64 * GB), simulated: true, ..Default::default() },
            SLOW_CARD,
        ),
        ("the smallest", card(450_000_000, 300_000_000), SLOW_CARD),
        ("the smallest room", card(64 * GB, 64 * GB / 50 + 5 * MIB), FAST_SSD),
        ("little room, slowly filled", card(64 * GB, 64 * GB / 50 + 200_000_000), BAD_CARD),
        ("nothing known", Drive::default(), FAST_SSD),
    ]
}

fn ids(done: &[StepResult]) -> Vec<&str> {
    done.iter().map(|step| step.step.id.as_str()).collect()
}

static UNHURRIED: Options = Options {
    max_time_ns: None,
    precision: None,
    direct: true,
    settings: Settings::NONE,
    keeps_report: true,
    kept: None,
};

#[test]
fn every_drive_gets_all_steps_within_its_budget() {
    for (name, drive, model) in cases() {
        let done = run_all(&Quick, &drive, &UNHURRIED, &model);
        assert_eq!(ids(&done), ORDER.map(Kind::id), "{name}");
        let budget = Budget::for_drive(&drive);
        assert!(written(&done) <= budget.write_bytes, "{name}: {} of {}", written(&done), budget.write_bytes);
        let mut files: Vec<_> = done.iter().flat_map(|step| &step.step.files).collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files.dedup();
        assert_eq!(files.len(), 3, "{name}: a file keeps its length");
        let file_bytes: u64 = files.iter().map(|file| file.len_bytes).sum();
        assert!(file_bytes <= budget.file_bytes, "{name}");
        assert!(
            done.iter().all(|step| step.step.write_bytes_max >= written(std::slice::from_ref(step))),
            "{name}"
        );
    }
}

#[test]
fn zeros_of_the_file_system_stay_within_the_budget() {
    for fs_type in ["vfat", "exfat"] {
        for model in [SLOW_CARD, FAST_SSD, BAD_CARD] {
            let mut drive = card(64 * GB, 50 * GB);
            drive.mount.as_mut().unwrap().fs_type = fs_type.to_string();
            let outline = with_context(&drive, &UNHURRIED, |context| Quick.outline(context));
            let done = run_all(&Quick, &drive, &UNHURRIED, &model);
            assert_eq!(ids(&done), ORDER.map(Kind::id), "{fs_type}");
            let steps: Vec<Step> = done.iter().map(|step| step.step.clone()).collect();
            let with_zeros_bytes = written(&done) + file_bytes(&steps);
            assert!(with_zeros_bytes <= outline.write_bytes_max, "{with_zeros_bytes}");
            assert!(outline.write_bytes_max <= 640_000_000, "{}", outline.write_bytes_max);
        }
    }
}

#[test]
fn no_file_is_longer_than_the_file_system_allows() {
    let mut drive = card(2_000 * GB, 1_500 * GB);
    let mount = drive.mount.as_mut().unwrap();
    mount.file_system = Some(FileSystem { file_len_bytes_max: Some((4 << 30) - 1), ..FileSystem::default() });
    let done = run_all(&Quick, &drive, &UNHURRIED, &FAST_SSD);
    let longest = done.iter().flat_map(|step| &step.step.files).map(|file| file.len_bytes).max().unwrap();
    assert_eq!(longest, (4 << 30) - MIB);
}

#[test]
fn the_slow_card_takes_at_most_75_seconds_and_uses_most_of_its_budget() {
    let drive = card(64 * GB, 50 * GB);
    let done = run_all(&Quick, &drive, &UNHURRIED, &SLOW_CARD);
    let time_ns: u64 = done.iter().filter_map(|step| step.step.time_ns_max).sum();
    assert!(time_ns <= 75 * NS_PER_S, "{time_ns}");
    assert!(written(&done) > 500 * MIB, "{}", written(&done));
    assert_eq!(done[0].step.sizing[0].id(), "note-budget.drive");
}

#[test]
fn steps_resolve_and_touch_only_what_holds_data() {
    for (name, drive, model) in cases() {
        let done = run_all(&Quick, &drive, &UNHURRIED, &model);
        let mut filled_bytes = 0;
        for result in &done {
            let job = &plan(&result.step).jobs[0];
            let (workload, region_len_bytes) = (&job.workload, job.clones[0][0].region_len_bytes);
            let file = &result.step.files[0];
            assert!(region_len_bytes <= file.len_bytes, "{name}: {}", result.step.id);
            assert!(workload.direct && workload.stop.time_ns.is_some(), "{name}: {}", result.step.id);
            if workload.uses(Direction::Read) || workload.order == Order::RandomUnique {
                assert!(region_len_bytes <= filled_bytes, "{name}: {} meets a hole", result.step.id);
            }
            if workload.uses(Direction::Write) {
                assert!(workload.stop.bytes.is_some(), "{name}: {} is not bound by bytes", result.step.id);
                assert_eq!(
                    workload.stop.bytes,
                    Some(result.step.write_bytes_max),
                    "{name}: {}",
                    result.step.id
                );
            }
            if workload.uses(Direction::Write) && workload.order == Order::Sequential {
                assert_eq!(workload.stop.bytes, Some(region_len_bytes), "{name}: a wrap");
            }
            if result.step.id == "fill" {
                filled_bytes = result.result.as_ref().unwrap().merged(|_| true).write.bytes;
            }
        }
    }
}

#[test]
fn jobs_match_their_titles() {
    let done = run_all(&Quick, &card(64 * GB, 50 * GB), &UNHURRIED, &SLOW_CARD);
    let shape = |id: &str| {
        let step = &done.iter().find(|step| step.step.id == id).unwrap().step;
        let workload = plan(step).jobs[0].workload.clone();
        let len = workload.block_len_bytes_max();
        (workload.engine, workload.depth, len, workload.read_percent, workload.order, step.role)
    };
    use {Order::RandomUnique as Random, Order::Sequential};
    let measure = StepRole::Measure;
    assert_eq!(shape("fill"), ("io_uring".into(), 4, MIB, 0, Sequential, StepRole::Prepare));
    assert_eq!(shape("sequential-read"), ("psync".into(), 1, MIB, 100, Sequential, measure));
    assert_eq!(shape("random-read"), ("psync".into(), 1, 4_096, 100, Random, measure));
    assert_eq!(shape("random-read-deep"), ("io_uring".into(), 32, 4_096, 100, Random, measure));
    assert_eq!(shape("random-write"), ("psync".into(), 1, 4_096, 0, Random, measure));
    assert_eq!(shape("durable-write"), ("psync".into(), 1, 4_096, 0, Sequential, measure));
    assert_eq!(shape("sustained-write"), ("psync".into(), 1, MIB, 0, Sequential, measure));
    let syncs = |id: &str| {
        let step = &done.iter().find(|step| step.step.id == id).unwrap().step;
        plan(step).jobs[0].workload.sync_every.map(|every| every.writes)
    };
    assert_eq!((syncs("durable-write"), syncs("random-write")), (Some(1), None));
}

#[test]
fn offsets_follow_the_seed_of_the_run() {
    let done = run_all(&Quick, &card(64 * GB, 50 * GB), &UNHURRIED, &SLOW_CARD);
    for step in done.iter().map(|step| &step.step).filter(|step| step.id.starts_with("random")) {
        let seed = |run_seed| {
            let context = ResolveContext::new(run_seed, 100 * NS_PER_MS);
            resolve(step.jobs(), &context).map(|plan: RunPlan| plan.jobs[0].workload.seed)
        };
        assert_ne!(seed(1), seed(2), "{}", step.id);
    }
}

#[test]
fn the_same_results_give_the_same_steps() {
    for (name, drive, model) in cases() {
        let done = run_all(&Quick, &drive, &UNHURRIED, &model);
        with_context(&drive, &UNHURRIED, |context| {
            for (index, result) in done.iter().enumerate() {
                assert_eq!(
                    Quick.next(context, &done[..index]).map(|next| next.step).as_ref(),
                    Some(&result.step),
                    "{name}"
                );
            }
            assert_eq!(Quick.next(context, &done), None, "{name}");
        });
    }
}

#[test]
fn the_sustained_write_is_sized_by_the_speed_of_filling() {
    let large = card(2_000 * GB, 1_500 * GB);
    let sustained = |model| {
        let done = run_all(&Quick, &large, &UNHURRIED, &model);
        done.last().unwrap().step.clone()
    };
    let slow = sustained(SLOW_CARD);
    assert!((1_200 * MIB..=1_280 * MIB).contains(&slow.write_bytes_max), "{}", slow.write_bytes_max);
    let fast = sustained(FAST_SSD);
    assert!(fast.write_bytes_max > 4 * GIB, "{}", fast.write_bytes_max);
}

#[test]
fn only_the_filled_region_is_read() {
    let drive = card(2_000 * GB, 1_500 * GB);
    let done = run_all(&Quick, &drive, &UNHURRIED, &BAD_CARD);
    // 4 MiB/s for 8 s.
    assert_eq!(plan(&done[1].step).jobs[0].clones[0][0].region_len_bytes, 32 * MIB);
    let (filled, planned) = (Parameter::Bytes(32 * MIB), Parameter::Bytes(GIB));
    let partly = message!("note-quick.partly-filled", filled, planned);
    assert_eq!(done[1].step.sizing, [partly]);
    assert_eq!(done[2].step.sizing, [], "said once");
    let crawling = Model { write_mib_per_s: 1, ..BAD_CARD };
    let done = run_all(&Quick, &drive, &UNHURRIED, &crawling);
    let small = message!("note-quick.small-region", bytes = Parameter::Bytes(8 * MIB));
    assert_eq!(done[1].step.sizing[0], small);
}

#[test]
fn writes_run_even_if_nothing_was_filled() {
    let drive = card(64 * GB, 50 * GB);
    let dead = Model { write_mib_per_s: 0, ..BAD_CARD };
    with_context(&drive, &UNHURRIED, |context| {
        let fill = run(Quick.next(context, &[]).unwrap().step, &dead);
        let next = Quick.next(context, std::slice::from_ref(&fill)).unwrap().step;
        assert_eq!(next.id, "durable-write");
        assert!(has(&next.sizing, "note-quick.nothing-filled"), "{:?}", next.sizing);
    });
}

#[test]
fn a_precision_ends_only_steps_with_rates() {
    let precise = Options { precision: Some(0.02), ..UNHURRIED.clone() };
    let drive = card(2_000 * GB, 1_500 * GB);
    let done = run_all(&Quick, &drive, &precise, &SLOW_CARD);
    let option = |id: &str, option: &str| {
        let step = &done.iter().find(|step| step.step.id == id).unwrap().step;
        step.jobs()[0].last(option).map(str::to_string)
    };
    for kind in ORDER {
        let (id, is_rate) = (kind.id(), kind.is_rate());
        assert_eq!(option(id, "precision"), is_rate.then(|| "2%".to_string()), "{id}");
        let time = if is_rate { "60".to_string() } else { (kind.wanted_ns() / NS_PER_S).to_string() };
        assert_eq!(option(id, "runtime"), Some(time), "{id}");
        let ios = kind.has_percentile().then(|| "1280".to_string());
        assert_eq!(option(id, "precision_ios"), ios, "{id}");
        let precision =
            plan(&done.iter().find(|step| step.step.id == id).unwrap().step).jobs[0].workload.precision;
        assert_eq!(precision.map(|precision| precision.half_width), is_rate.then_some(0.02), "{id}");
    }
    let outline = with_context(&drive, &precise, |context| Quick.outline(context));
    let time_ns: Option<u64> = done.iter().map(|step| step.step.time_ns_max).sum();
    assert_eq!(outline.time_ns_max, time_ns);
    let precision = outline.notes.iter().find(|note| note.id() == "note-quick.precision").unwrap();
    assert_eq!(precision.parameter("precision"), Some(&Parameter::share(0.02)));
}

#[test]
fn a_time_limit_bounds_precise_steps_and_spare_time_is_passed_on() {
    let options = Options { precision: Some(0.02), max_time_ns: Some(100 * NS_PER_S), ..UNHURRIED.clone() };
    let drive = card(2_000 * GB, 1_500 * GB);
    with_context(&drive, &options, |context| {
        let mut done: Vec<StepResult> = Vec::new();
        let mut times_ns = Vec::new();
        while let Some(NextStep { step, .. }) = Quick.next(context, &done) {
            times_ns.push((step.id.clone(), step.time_ns_max.unwrap()));
            let mut result = run(step, &SLOW_CARD);
            // All except the random write reach the precision after five seconds.
            if let Some(result) = result.result.as_mut().filter(|_| result.step.id != "random-write") {
                result.duration_ns = result.duration_ns.min(5 * NS_PER_S);
            }
            done.push(result);
        }
        let time_ns = |id: &str| times_ns.iter().find(|(step, _)| step == id).unwrap().1;
        // Of the 93 s after filling, the others want 50 s.
        assert_eq!(time_ns("sequential-read"), 43 * NS_PER_S);
        assert!(time_ns("random-write") > time_ns("sequential-read"), "{times_ns:?}");
        assert_eq!(time_ns("durable-write"), 8 * NS_PER_S, "no spare time is left");
        assert_eq!(time_ns("sustained-write"), 20 * NS_PER_S);
        let taken_ns: u64 =
            done.iter().filter_map(|step| step.result.as_ref()).map(|result| result.duration_ns).sum();
        assert!(taken_ns <= 100 * NS_PER_S, "{taken_ns}");
        let outline = Quick.outline(context);
        assert_eq!(outline.time_ns_max, Some(100 * NS_PER_S));
        for (outlined, (id, time_ns)) in outline.steps.iter().zip(&times_ns) {
            assert!(outlined.time_ns_max >= Some(*time_ns), "{id}");
        }
    });
}

#[test]
fn the_outline_bounds_all_steps() {
    for max_time_ns in [None, Some(30 * NS_PER_S), Some(9 * NS_PER_S), Some(3 * NS_PER_S), Some(NS_PER_S)] {
        for (name, drive, model) in cases() {
            let options = Options { max_time_ns, ..UNHURRIED.clone() };
            let outline = with_context(&drive, &options, |context| Quick.outline(context));
            let done = run_all(&Quick, &drive, &options, &model);
            assert_eq!(outline.steps.len(), done.len(), "{name}");
            assert!(outline.write_bytes_max >= written(&done), "{name}");
            let sum: u64 = done.iter().map(|step| step.step.write_bytes_max).sum();
            assert!(outline.steps.iter().map(|step| step.write_bytes_max).sum::<u64>() >= sum, "{name}");
            for (outlined, step) in outline.steps.iter().zip(&done) {
                assert_eq!(outlined.title, step.step.title, "{name}");
                assert!(outlined.write_bytes_max >= step.step.write_bytes_max, "{name}: {}", step.step.id);
                assert!(outlined.time_ns_max >= step.step.time_ns_max, "{name}: {}", step.step.id);
            }
            let time_ns: u64 = done.iter().filter_map(|step| step.step.time_ns_max).sum();
            assert!(outline.time_ns_max >= Some(time_ns), "{name}");
            assert!(time_ns <= max_time_ns.unwrap_or(64 * NS_PER_S), "{name}");
        }
    }
}

#[test]
fn overtime_shortens_the_remaining_steps() {
    let limit_ns = 30 * NS_PER_S;
    let options = Options { max_time_ns: Some(limit_ns), ..UNHURRIED.clone() };
    let drive = card(64 * GB, 50 * GB);
    with_context(&drive, &options, |context| {
        let (mut done, mut taken_ns) = (Vec::new(), 0);
        while let Some(NextStep { step, .. }) = Quick.next(context, &done) {
            let planned_ns = step.time_ns_max.unwrap();
            assert!(taken_ns + planned_ns <= limit_ns, "{} begins at {taken_ns}", step.id);
            let mut result = run(step, &SLOW_CARD);
            // Half a second to complete the I/Os in flight, or to make them durable.
            let took_ns = planned_ns + NS_PER_S / 2;
            result.result.as_mut().unwrap().duration_ns = took_ns;
            taken_ns += took_ns;
            done.push(result);
        }
        assert_eq!(ids(&done), ORDER.map(Kind::id));
        assert!(taken_ns > limit_ns - NS_PER_S && taken_ns <= limit_ns, "{taken_ns}");
    });
}

#[test]
fn the_most_important_steps_remain_under_a_time_limit() {
    let cases: [(u64, &[&str]); 8] = [
        (7_000, &ORDER.map(Kind::id)),
        (
            6_999,
            &["fill", "sequential-read", "random-read", "random-write", "durable-write", "sustained-write"],
        ),
        (5_000, &["fill", "sequential-read", "random-read", "random-write", "durable-write"]),
        (4_000, &["fill", "random-read", "random-write", "durable-write"]),
        (3_000, &["fill", "random-write", "durable-write"]),
        (2_000, &["fill", "random-write"]),
        (1_000, &["durable-write"]),
        (999, &[]),
    ];
    for (max_ms, expected) in cases {
        let options = Options { max_time_ns: Some(max_ms * NS_PER_MS), ..UNHURRIED.clone() };
        let drive = card(64 * GB, 50 * GB);
        let done = run_all(&Quick, &drive, &options, &SLOW_CARD);
        assert_eq!(ids(&done), expected, "{max_ms} ms");
        let time_ns: u64 = done.iter().filter_map(|step| step.step.time_ns_max).sum();
        assert!(time_ns <= max_ms * NS_PER_MS, "{max_ms} ms: {time_ns}");
        let notes = with_context(&drive, &options, |context| Quick.outline(context).notes);
        let left_out = notes.iter().find(|note| note.id() == "note-time.left-out");
        let is_noted = left_out.is_some() || has(&notes, "note-time.too-short");
        assert_eq!(is_noted, expected.len() < 7, "{max_ms} ms: {notes:?}");
        // Steps are named by their titles.
        let steps = left_out.map(|note| note.parameter("steps").unwrap());
        let is_title = |step: &Parameter| matches!(step, Parameter::Message(_));
        assert!(steps.is_none_or(|all| matches!(all, Parameter::All(all) if all.iter().all(is_title))));
    }
}

#[test]
fn a_full_drive_gets_a_reason_instead_of_steps() {
    let drive = card(64 * GB, GB);
    with_context(&drive, &UNHURRIED, |context| {
        assert_eq!(Quick.next(context, &[]), None);
        let outline = Quick.outline(context);
        assert_eq!((outline.steps.len(), outline.write_bytes_max), (0, 0));
        assert!(has(&outline.notes, "note-quick.too-little"), "{:?}", outline.notes);
    });
}

#[test]
fn nothing_follows_a_step_that_did_not_end_as_planned() {
    let drive = card(64 * GB, 50 * GB);
    let done = run_all(&Quick, &drive, &UNHURRIED, &SLOW_CARD);
    let failed = StepOutcome::Failed { message: cardiograph_core::Message::verbatim("EIO") };
    for outcome in [StepOutcome::Interrupted, failed, StepOutcome::Hung] {
        let mut broken = done[..3].to_vec();
        broken[2].outcome = outcome;
        with_context(&drive, &UNHURRIED, |context| assert_eq!(Quick.next(context, &broken), None));
    }
}

#[test]
fn figures_become_metrics() {
    let drive = card(64 * GB, 50 * GB);
    let done = run_all(&Quick, &drive, &UNHURRIED, &SLOW_CARD);
    let measured = with_context(&drive, &UNHURRIED, |context| Quick.measure(context, &done));
    let value = |metric| measured.get(&metric).map(|measured| measured.estimate.value);
    let near = |metric, expected: f64| {
        let value = value(metric).unwrap();
        assert!((value / expected - 1.0).abs() < 0.01, "{metric:?}: {value}, {expected} expected");
    };
    near(Metric::Capacity, 64e9);
    near(Metric::SequentialRead, 90.0 * MIB as f64);
    near(Metric::RandomReadIops, 3_800.0);
    near(Metric::RandomReadP99, 1e9 / 3_800.0);
    near(Metric::RandomReadDeepIops, 5_000.0);
    near(Metric::RandomWriteIops, 500.0);
    near(Metric::RandomWriteP99, 2e6);
    near(Metric::DurableWriteIops, 166.0);
    near(Metric::SyncP99, 1e9 / 166.0);
    near(Metric::SequentialWrite, 31.0 * MIB as f64);
    near(Metric::WriteStallMax, 40e6);
    assert_eq!(value(Metric::SyncP999), None, "1,328 syncs are too few for a 99.9th percentile");
    assert_eq!(value(Metric::MixedSequentialRead), None);
    assert!(measured.values().all(|measured| measured.doubt.is_none()));
    assert_eq!(measured[&Metric::SyncP99].step, "durable-write");
    // Without stored figures, the result gives the same.
    let mut bare = done.clone();
    bare.iter_mut().for_each(|step| step.figures = None);
    assert_eq!(with_context(&drive, &UNHURRIED, |context| Quick.measure(context, &bare)), measured);
    assert_eq!(done[1].figures.as_ref(), Some(&StepFigures::from_result(done[1].result.as_ref().unwrap())));
}

#[test]
fn contradicted_and_unfinished_figures_are_doubted() {
    let drive = card(64 * GB, 50 * GB);
    let mut done = run_all(&Quick, &drive, &UNHURRIED, &SLOW_CARD);
    let check = |direction, outcome| CounterCheck {
        direction,
        asked_bytes: 100,
        counted_bytes: 12,
        share: 0.12,
        outcome,
    };
    done[1].counter_checks = vec![check(Direction::Read, CounterOutcome::OtherLoad)];
    done[2].counter_checks = vec![check(Direction::Read, CounterOutcome::Contradicts)];
    let capped = EngineNote::DepthCapped { engine: "psync".to_string(), depth: 32 };
    done[3].result.as_mut().unwrap().notes = vec![capped];
    done[5].counter_checks = vec![check(Direction::Write, CounterOutcome::Contradicts)];
    done[6].outcome = StepOutcome::Interrupted;
    settle(&mut done, &drive, &UNHURRIED);
    let measured = with_context(&drive, &UNHURRIED, |context| Quick.measure(context, &done));
    let contradicted = Some(Doubt::Contradicted { share: 0.12 });
    for (metric, doubt) in [
        (Metric::SequentialRead, None),
        (Metric::RandomReadIops, contradicted.clone()),
        (Metric::RandomReadP99, contradicted.clone()),
        (Metric::RandomReadDeepIops, Some(Doubt::OneAtATime { asked: 32 })),
        (Metric::RandomWriteIops, None),
        (Metric::SyncP99, contradicted),
        (Metric::SequentialWrite, Some(Doubt::Interrupted)),
    ] {
        assert_eq!(measured[&metric].doubt, doubt, "{metric:?}");
    }
}

#[test]
fn buffered_and_in_memory_runs_are_doubted() {
    let buffered = Options { direct: false, ..UNHURRIED.clone() };
    let mut drive = card(64 * GB, 50 * GB);
    let mut done = run_all(&Quick, &drive, &buffered, &SLOW_CARD);
    assert!(done.iter().all(|step| !plan(&step.step).jobs[0].workload.direct));
    let measured = with_context(&drive, &buffered, |context| Quick.measure(context, &done));
    assert!(measured[&Metric::RandomReadIops].doubt.is_some());
    assert!(measured[&Metric::DurableWriteIops].doubt.is_none(), "a flush reaches the drive");
    if let Some(mount) = &mut drive.mount {
        mount.is_memory = true;
    }
    settle(&mut done, &drive, &UNHURRIED);
    let measured = with_context(&drive, &UNHURRIED, |context| Quick.measure(context, &done));
    assert!(measured[&Metric::DurableWriteIops].doubt.is_some());
}

#[test]
fn a_card_and_an_ssd_are_distinguished() {
    let levels = |drive: &Drive, model: &Model| -> Vec<_> {
        let done = run_all(&Quick, drive, &UNHURRIED, model);
        with_context(drive, &UNHURRIED, |context| {
            let verdicts =
                Quick.judge(context, &Quick.measure(context, &done), &cardiograph_judge::purpose::PURPOSES);
            verdicts.into_iter().map(|verdict| verdict.level).collect()
        })
    };
    use cardiograph_core::verdict::Level::*;
    // Cameras are for the suite apps.
    let slow = levels(&card(64 * GB, 50 * GB), &SLOW_CARD);
    assert_eq!(slow[..6], [Enough, Enough, NotEnough, NotEnough, NotEnough, Good]);
    assert_eq!(slow[6..], [CannotBeJudged; 2]);
    let fast = levels(&card(2_000 * GB, 1_500 * GB), &FAST_SSD);
    // A short write does not approve a file server.
    assert_eq!((&fast[..4], fast[4]), (&[Good; 4][..], CannotBeJudged));
    assert_eq!(fast[5..], [Good, CannotBeJudged, CannotBeJudged]);
    let bad = levels(&card(16 * GB, 10 * GB), &BAD_CARD);
    assert_eq!((&bad[..6], bad[6]), (&[NotEnough; 6][..], CannotBeJudged));
}
