use cardiograph_core::drive::Queue;
use cardiograph_core::histogram::{LatencyHistogram, LatencyParts, bucket_of};
use cardiograph_core::{Latency, NS_PER_MS};
use cardiograph_jobs::settings::Settings as _;

use super::*;
use crate::next_step::NextStep;
use crate::suite::Options;
use crate::testing::{FAST_SSD, GB, SLOW_CARD, card, has, plan, run, run_all, settle, with_context};

/// A drive of a kind with a `write back` cache.
fn drive(kind: LeafKind, rotational: bool) -> Drive {
    let mut drive = card(64 * GB, 60 * GB);
    drive.mount.as_mut().unwrap().fs_type = "ext4".to_string();
    drive.leaves = vec![Leaf {
        kind,
        rotational: Some(rotational),
        write_cache: Some("write back".to_string()),
        queue: Some(Queue { fua: Some(true), ..Queue::default() }),
        ..Leaf::default()
    }];
    drive
}

fn latencies(n: u64, ns: u64) -> Latency {
    let mut histogram = LatencyHistogram::default();
    histogram.add(bucket_of(ns), n);
    let parts = LatencyParts {
        min_ns: ns,
        max_ns: ns,
        sum_ns: u128::from(n * ns),
        sum_squares_ns2: u128::from(n) * u128::from(ns) * u128::from(ns),
    };
    Latency::from_parts(histogram, parts)
}

/// All steps on a drive that takes a write in `write_ns` and a flush in `flush_ns`.
fn run_on(drive: &Drive, write_ns: u64, flush_ns: u64) -> Vec<StepResult> {
    run_n_writes(drive, 1_000, write_ns, flush_ns)
}

/// The same with `n` writes in each step.
fn run_n_writes(drive: &Drive, n: u64, write_ns: u64, flush_ns: u64) -> Vec<StepResult> {
    with_context(drive, &Options::default(), |context| {
        let mut done = Vec::new();
        while let Some(NextStep { step, .. }) = Durability.next(context, &done) {
            let mut result = run(step, &FAST_SSD);
            let directions = &mut result.result.as_mut().unwrap().workers[0].directions;
            directions.write.completion = latencies(n, write_ns);
            if directions.sync.ios > 0 {
                directions.sync.completion = latencies(n, flush_ns);
            }
            done.push(result);
        }
        settle(&mut done, drive, &Options::default());
        done
    })
}

fn claim(drive: &Drive, write_ns: u64, flush_ns: u64) -> Claim {
    let done = run_on(drive, write_ns, flush_ns);
    with_context(drive, &Options::default(), |context| Durability.claims(context, &done).remove(0))
}

#[test]
fn each_method_uses_its_option_of_fio() {
    let done = run_all(&Durability, &card(64 * GB, 60 * GB), &Options::default(), &SLOW_CARD);
    assert_eq!(done.len(), 1 + SIZES.len() * METHODS.len());
    assert_eq!(done[0].step.role, StepRole::Prepare);
    let setting = |id: &str, option: &str| {
        let step = done.iter().find(|step| step.step.id == id).unwrap();
        step.step.jobs()[0].last(option).map(str::to_string)
    };
    assert_eq!(setting("fsync-4k", "fsync").as_deref(), Some("1"));
    assert_eq!(setting("fdatasync-64k", "fdatasync").as_deref(), Some("1"));
    assert_eq!(setting("o_dsync-4k", "sync").as_deref(), Some("dsync"));
    assert_eq!(setting("o_sync-1m", "sync").as_deref(), Some("sync"));
    assert_eq!(setting("none-4k", "sync"), None);
    for step in &done[1..] {
        let workload = &plan(&step.step).jobs[0].workload;
        assert_eq!(workload.depth, 1);
        assert!(workload.direct && workload.is_modifying());
    }
}

#[test]
fn write_limits_hold_on_drives_of_all_sizes() {
    for (drive, model) in [
        (card(64 * GB, 60 * GB), SLOW_CARD),
        (card(16 * GB, 2 * GB), SLOW_CARD),
        (card(2_000 * GB, 1_000 * GB), FAST_SSD),
        (Drive::default(), FAST_SSD),
    ] {
        let done = run_all(&Durability, &drive, &Options::default(), &model);
        let outline = with_context(&drive, &Options::default(), |context| Durability.outline(context));
        let written = |step: &StepResult| step.result.as_ref().unwrap().issued_bytes(Direction::Write);
        let sum: u64 = done.iter().map(written).sum();
        assert!(done.len() == 21 && sum <= outline.write_bytes_max, "{sum} of {}", outline.write_bytes_max);
        assert!(done.iter().all(|step| written(step) <= step.step.write_bytes_max));
    }
    let small = card(GB, 200 * MIB);
    with_context(&small, &Options::default(), |context| {
        let outline = Durability.outline(context);
        assert!(outline.steps.is_empty() && has(&outline.notes, "note-instead.quick"), "{:?}", outline.notes);
        assert_eq!(Durability.next(context, &[]), None);
    });
}

#[test]
fn a_flush_faster_than_its_medium_is_broken() {
    let cases = [
        // A card cannot store a page in 60 µs, and takes a millisecond.
        (
            LeafKind::SdCard,
            false,
            40_000,
            20_000,
            ClaimOutcome::Broken,
            message!("claim-flush.too-fast-flash"),
        ),
        (
            LeafKind::SdCard,
            false,
            300_000,
            3 * NS_PER_MS,
            ClaimOutcome::Kept,
            message!("claim-flush.plausible"),
        ),
        // A disk has to wait for the rotation.
        (LeafKind::Sata, true, 100_000, 100_000, ClaimOutcome::Broken, message!("claim-flush.too-fast-disk")),
        (LeafKind::Sata, true, 100_000, 8 * NS_PER_MS, ClaimOutcome::Kept, message!("claim-flush.plausible")),
        // An SSD can have capacitors, and a virtual disk anything.
        (LeafKind::Nvme, false, 20_000, 1_000, ClaimOutcome::CannotBeJudged, message!("claim-flush.free")),
        (
            LeafKind::Nvme,
            false,
            20_000,
            900_000,
            ClaimOutcome::CannotBeJudged,
            message!("claim-flush.hidden"),
        ),
        (
            LeafKind::Virtual,
            true,
            50_000,
            40_000,
            ClaimOutcome::CannotBeJudged,
            message!("claim-flush.hidden"),
        ),
    ];
    for (kind, rotational, write_ns, flush_ns, outcome, reason) in cases {
        let claim = claim(&drive(kind, rotational), write_ns, flush_ns);
        assert_eq!(claim.outcome, outcome, "{kind:?}: {claim:?}");
        assert_eq!(claim.reasons, [reason], "{kind:?}");
        assert_eq!(claim.evidence[1].measured.unwrap().value.round(), flush_ns as f64);
    }
}

#[test]
fn a_simulated_card_is_judged_as_a_card() {
    let mut simulated = drive(LeafKind::Simulated, false);
    simulated.leaves[0].simulates = Some(LeafKind::SdCard);
    assert_eq!(claim(&simulated, 40_000, 20_000).outcome, ClaimOutcome::Broken);
}

#[test]
fn a_file_system_in_memory_proves_nothing() {
    let mut memory = drive(LeafKind::SdCard, false);
    memory.mount.as_mut().unwrap().is_memory = true;
    let claim = claim(&memory, 1_000, 1_000);
    assert_eq!(claim.outcome, ClaimOutcome::CannotBeJudged);
    let memory = Doubt::MemoryFileSystem.message();
    assert_eq!(claim.reasons, [message!("claim-doubt", doubt = memory)]);
}

#[test]
fn tables_have_a_row_for_each_size() {
    let drive = drive(LeafKind::SdCard, false);
    let done = run_on(&drive, 300_000, 3 * NS_PER_MS);
    let tables = with_context(&drive, &Options::default(), |context| Durability.tables(context, &done));
    assert_eq!(tables.len(), 3);
    assert!(tables.iter().all(|table| table.rows.len() == 4));
    let headings = |table: usize| -> Vec<Message> {
        tables[table].columns.iter().map(|column| column.heading.clone()).collect()
    };
    let calls = ["fdatasync", "fsync", "O_DSYNC", "O_SYNC"].map(Message::verbatim);
    assert_eq!(headings(0), [&[message!("table-durability.none")], &calls[..]].concat());
    // Without a sync, a write has no time until it is durable.
    assert_eq!(headings(1), calls);
    let opened = ["O_DSYNC", "O_SYNC"].map(|option| message!("table-durability.write", option));
    assert_eq!(headings(2), [&calls[..2], &opened].concat());
    let value = |table: usize, column: usize| match &tables[table].rows[0].cells[column] {
        Cell::Figure { estimate, .. } => Some(estimate.value.round()),
        _ => None,
    };
    // fsync takes the times of the write and the flush; O_DSYNC is one call.
    assert_eq!([0, 1, 2, 3].map(|column| value(1, column)), [3.3e6, 3.3e6, 3e5, 3e5].map(Some));
    assert_eq!([0, 1, 2, 3].map(|column| value(2, column)), [3e6, 3e6, 3e5, 3e5].map(Some));
    assert!(tables[1].notes[0].id().starts_with("note-dsync."), "{:?}", tables[1].notes);
    assert_eq!(tables[2].notes, [message!("table-durability.calls")]);
    assert!(with_context(&drive, &Options::default(), |context| Durability.tables(context, &[])).is_empty());
}

#[test]
fn the_effect_of_o_dsync_is_explained_for_each_drive() {
    let (back, through) = (Some("write back"), Some("write through"));
    for (fs_type, leaves, direct, expected) in [
        ("ext4", &[(back, Some(true))][..], true, "note-dsync.fua"),
        ("xfs", &[(back, Some(true)), (back, Some(true))], true, "note-dsync.fua"),
        ("ext4", &[(back, Some(true))], false, "note-dsync.page-cache"),
        ("vfat", &[(back, Some(true))], true, "note-dsync.other-file-system"),
        ("ext4", &[(back, Some(false))], true, "note-dsync.no-fua"),
        ("ext4", &[(back, Some(true)), (back, Some(false))], true, "note-dsync.no-fua"),
        ("ext4", &[(back, None)], true, "note-dsync.unknown"),
        ("ext4", &[(None, Some(true))], true, "note-dsync.unknown"),
        ("ext4", &[], true, "note-dsync.unknown"),
        ("vfat", &[(through, Some(false))], true, "note-dsync.write-through"),
        ("ext4", &[(through, Some(false))], false, "note-dsync.write-through"),
        // Only the drive with a volatile cache matters.
        ("ext4", &[(through, Some(false)), (back, Some(true))], true, "note-dsync.fua"),
    ] {
        let mut drive = card(64 * GB, 60 * GB);
        drive.mount.as_mut().unwrap().fs_type = fs_type.to_string();
        let leaf = |&(cache, fua): &(Option<&str>, Option<bool>)| Leaf {
            write_cache: cache.map(str::to_string),
            queue: Some(Queue { fua, ..Queue::default() }),
            ..Leaf::default()
        };
        drive.leaves = leaves.iter().map(leaf).collect();
        let options = Options { direct, ..Options::default() };
        let notes = with_context(&drive, &options, dsync_notes);
        let ids: Vec<&str> = notes.iter().map(|note| note.id()).collect();
        assert_eq!(ids, [expected, "note-dsync.same"], "{fs_type} {leaves:?}");
    }
    let simulated = Drive { simulated: true, ..drive(LeafKind::Simulated, false) };
    let notes = with_context(&simulated, &Options::default(), dsync_notes);
    assert_eq!(notes, [message!("note-dsync.simulated")]);
}

#[test]
fn too_few_samples_cannot_be_judged() {
    let drive = drive(LeafKind::SdCard, false);
    with_context(&drive, &Options::default(), |context| {
        let done = run_n_writes(&drive, 6, 300_000, 700 * NS_PER_MS);
        let claim = Durability.claims(context, &done).remove(0);
        assert_eq!(claim.outcome, ClaimOutcome::CannotBeJudged);
        let few =
            message!("claim-flush.too-few", writes = 6_u64, flushes = 6_u64, needed = MEDIAN_SAMPLES_MIN);
        assert_eq!(claim.reasons, [few]);
        assert!(claim.evidence.iter().all(|evidence| evidence.measured.is_none()));
        // A table without a figure is left out.
        let tables = Durability.tables(context, &done);
        assert_eq!(tables.len(), 2);
        assert!(has(&tables[1].notes, "table-durability.no-tail"), "{:?}", tables[1].notes);

        let mut stopped = run_on(&drive, 300_000, 3 * NS_PER_MS);
        let synced = stopped.iter_mut().find(|step| step.step.id == "fdatasync-4k").unwrap();
        synced.outcome = StepOutcome::Interrupted;
        settle(&mut stopped, &drive, &Options::default());
        let claim = Durability.claims(context, &stopped).remove(0);
        assert_eq!(claim.outcome, ClaimOutcome::CannotBeJudged);
        let ended = Doubt::Interrupted.message();
        assert_eq!(claim.reasons, [message!("claim-doubt", doubt = ended)]);
        assert!(Durability.claims(context, &stopped[..1]).is_empty(), "nothing was measured");
    });
}
