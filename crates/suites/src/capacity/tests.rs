use std::collections::BTreeMap;

use cardiograph_core::claim::ClaimOutcome;
use cardiograph_core::drive::Drive;
use cardiograph_core::report::{Step, StepOutcome, Work};
use cardiograph_core::result::{BadSpan, FoundWrite, MismatchKind, Verified};
use cardiograph_core::{Direction, Doubt, GIB, JobSpec, MIB, Message, Origin, Parameter, message};
use cardiograph_jobs::settings::Settings as _;

use super::plan::BLOCK_BYTES;
use super::*;
use crate::board::PartState;
use crate::next_step::NextStep;
use crate::setting::Settings;
use crate::suite::{KeptParts, Options};
use crate::testing::{GB, SLOW_CARD, card, has, run, with_context};

const BLOCK: u64 = BLOCK_BYTES;

fn options(words: &[(&str, &str)]) -> Options {
    let given: Vec<_> = words.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Options { settings: Settings::parse(NAME, SETTINGS, &given).unwrap(), ..Options::default() }
}

fn full() -> Options {
    options(&[("proof", "full")])
}

/// The result of a step with `ios` writes, or with this result of reading back.
fn ran(step: Step, ios: u64, verified: Option<Verified>) -> StepResult {
    let origin = Origin::CommandLine { word: 1 };
    let job =
        JobSpec::new("job", origin).set("rw", "write").set("bs", "1M").set("size", "1M").set("io_size", "1M");
    let mut result =
        run(Step { work: Work::Jobs(vec![job.set("filename", "f")]), ..step.clone() }, &SLOW_CARD);
    result.step = step;
    let worker = &mut result.result.as_mut().unwrap().workers[0];
    if let Some(verified) = verified {
        worker.directions[Direction::Read] = worker.directions[Direction::Write].clone();
        worker.directions[Direction::Write] = Default::default();
        worker.verified = Some(verified);
    } else {
        worker.directions[Direction::Write].ios = ios;
    }
    result
}

fn good(blocks: u64) -> Verified {
    Verified { blocks, ..Verified::default() }
}

/// Blocks with one bad span, whose first block was found to be `found`.
fn bad(
    blocks: u64,
    at_bytes: u64,
    len_bytes: u64,
    kind: MismatchKind,
    found: Option<FoundWrite>,
) -> Verified {
    let mut verified = good(blocks);
    verified.bad_blocks = len_bytes / BLOCK;
    verified.kinds = BTreeMap::from([(kind, verified.bad_blocks)]);
    verified.note_span(BadSpan { target: "f".to_string(), offset_bytes: at_bytes, len_bytes, kind, found });
    verified
}

/// Runs the suite on a drive from which `read` reads back a part (from 0) of a number of blocks.
fn checked(drive: &Drive, options: &Options, mut read: impl FnMut(u64, u64) -> Verified) -> Vec<StepResult> {
    with_context(drive, options, |context| {
        let mut done: Vec<StepResult> = Vec::new();
        while let Some(NextStep { step, .. }) = Capacity.next(context, &done) {
            let ios = step.jobs()[0].last("number_ios").map_or(0, |ios| ios.parse().unwrap());
            let blocks = match ios {
                0 => step.files[0].len_bytes / BLOCK,
                ios => ios * 16,
            };
            let part = step.id.rsplit('-').next().and_then(|part| part.parse::<u64>().ok()).unwrap_or(1) - 1;
            let verified = step.id.starts_with("read").then(|| read(part, blocks));
            done.push(ran(step, ios, verified));
            assert!(done.len() < 1_000, "the suite does not end");
        }
        done
    })
}

fn claim_of(drive: &Drive, options: &Options, done: &[StepResult]) -> Claim {
    with_context(drive, options, |context| Capacity.claims(context, done).remove(0))
}

fn capacity_of(drive: &Drive, options: &Options, done: &[StepResult]) -> (f64, Option<Doubt>, Vec<Level>) {
    with_context(drive, options, |context| {
        let measurements = Capacity.measure(context, done);
        let levels = Capacity
            .judge(context, &measurements, &cardiograph_judge::purpose::PURPOSES)
            .iter()
            .map(|verdict| verdict.level)
            .collect();
        let measured = &measurements[&Metric::Capacity];
        (measured.estimate.value, measured.doubt.clone(), levels)
    })
}

#[test]
fn a_full_proof_writes_all_before_it_reads_any() {
    let (drive, options) = (card(64 * GB, 63 * GB), full());
    let done = checked(&drive, &options, |_, blocks| good(blocks));
    let ids: Vec<&str> = done.iter().map(|step| step.step.id.as_str()).collect();
    assert_eq!(
        (ids.len(), ids[0], ids[63], ids[64], ids[127]),
        (128, "fill-1", "fill-64", "read-1", "read-64")
    );
    assert!(done.iter().all(|step| step.step.files[0].len_bytes < 4 * GIB));
    with_context(&drive, &options, |context| {
        // The writes of each part continue those of the part before.
        let mut due = 0;
        for (nth, step) in done[..64].iter().enumerate() {
            let sequence = Capacity.next(context, &done[..nth]).unwrap().sequence.unwrap();
            assert_eq!(sequence.first_write, due);
            due += step.step.files[0].len_bytes / MIB;
        }
        let outline = Capacity.outline(context);
        assert_eq!((outline.steps.len(), outline.write_bytes_max), (128, due * MIB));
        assert_eq!(outline.file_bytes_max, due * MIB);
    });
    let claim = claim_of(&drive, &options, &done);
    assert_eq!(claim.outcome, ClaimOutcome::Kept, "{claim:?}");
    assert_eq!(claim.reasons[1].id(), "claim-untested.files");
    assert_eq!(capacity_of(&drive, &options, &done).0, 64e9);
    with_context(&drive, &options, |context| {
        let table = Capacity.tables(context, &done).remove(0);
        assert_eq!((table.rows.len(), table.rows[15].cells.len()), (16, 4));
    });
}

#[test]
fn parts_of_an_interrupted_checkup_are_only_read() {
    let kept = KeptParts { part_bytes: 100 * MIB, whole: vec![0, 2], len_bytes: 200 * MIB };
    let (drive, options) = (card(GB, 700 * MIB), Options { kept: Some(kept), ..full() });
    let done = checked(&drive, &options, |_, blocks| good(blocks));
    let written: Vec<&str> =
        done.iter().map(|step| step.step.id.as_str()).filter(|id| id.starts_with("fill")).collect();
    // 64 MiB stay free.
    assert_eq!(written, ["fill-2", "fill-4", "fill-5", "fill-6", "fill-7", "fill-8", "fill-9"]);
    with_context(&drive, &options, |context| {
        let outline = Capacity.outline(context);
        assert_eq!(outline.file_bytes_max, (700 - 64) * MIB);
        let resumed = message!("note-capacity.resumed", bytes = Parameter::Bytes(200 * MIB));
        assert!(outline.notes.contains(&resumed), "{:?}", outline.notes);
        let sequence = Capacity.next(context, &done[..7]).unwrap().sequence.unwrap();
        assert_eq!((sequence.first_write, sequence.part.map(|part| part.is_there)), (0, Some(true)));
    });
}

#[test]
fn each_kind_of_fake_is_named_with_its_capacity() {
    use MismatchKind::{Flipped, Misdirected, Unwritten};
    let drive = card(64 * GB, 63 * GB);
    let options = full();
    let tested = with_context(&drive, &options, |context| Capacity.outline(context)).file_bytes_max;
    let part = (tested / 64).next_multiple_of(MIB);
    // The first 16 of the 64 parts are real.
    let limbo = |part_number: u64, blocks: u64| match part_number {
        16.. => bad(blocks, 0, blocks * BLOCK, Unwritten, None),
        _ => good(blocks),
    };
    // All parts share the places of the last 16.
    let wrap = |part_number: u64, blocks: u64| match part_number {
        48.. => good(blocks),
        _ => {
            let number = (part_number + 48 - part_number / 16 * 16) * (part / MIB);
            bad(blocks, 0, blocks * BLOCK, Misdirected, Some(FoundWrite { number, offset_bytes: 0 }))
        }
    };
    let chain = |part_number: u64, blocks: u64| match part_number % 32 {
        16.. => bad(blocks, 0, blocks * BLOCK, Unwritten, None),
        on if part_number < 32 => {
            let found = FoundWrite { number: (on + 32) * (part / MIB), offset_bytes: 0 };
            bad(blocks, 0, blocks * BLOCK, Misdirected, Some(found))
        }
        _ => good(blocks),
    };
    // The last 8 MiB lie in a cache.
    let front = |part_number: u64, blocks: u64| match part_number {
        63 => bad(blocks, 0, blocks * BLOCK - 8 * MIB, Unwritten, None),
        part_number => limbo(part_number, blocks),
    };
    let defect = |part_number: u64, blocks: u64| match part_number {
        5 => bad(blocks, 4_096, 4_096, Flipped, None),
        _ => good(blocks),
    };
    type Read<'a> = &'a dyn Fn(u64, u64) -> Verified;
    let tail = message!("claim-intact-tail", tail = Parameter::Bytes(8 * MIB));
    let wrong = message!("claim-wrong-blocks", wrong = 1_u32, checked = tested / BLOCK);
    let cases: [(Read<'_>, Message, Option<Message>); 5] = [
        (&limbo, message!("claim-fake.limbo"), None),
        (&wrap, message!("claim-fake.wrap"), None),
        (&chain, message!("claim-fake.chain"), None),
        (&front, message!("claim-fake.limbo"), Some(tail)),
        (&defect, message!("claim-fake.defect"), Some(wrong)),
    ];
    for (read, kind, more) in cases {
        let done = checked(&drive, &options, read);
        let claim = claim_of(&drive, &options, &done);
        assert_eq!((claim.outcome, &claim.reasons[0]), (ClaimOutcome::Broken, &kind), "{claim:?}");
        assert!(more.is_none_or(|more| claim.reasons.contains(&more)), "{claim:?}");
        let (real, doubt, levels) = capacity_of(&drive, &options, &done);
        assert_eq!(doubt, None);
        assert!(levels.iter().all(|&level| level == Level::NotEnough), "{kind}: {levels:?}");
        let expected = part as f64 * if kind == message!("claim-fake.defect") { 64.0 } else { 16.0 };
        assert!((real / expected - 1.0).abs() < 0.02, "{kind}: {real} {expected}");
    }
}

#[test]
fn a_sample_reports_the_probability_of_missing_a_fake() {
    let drive = card(64 * GB, 63 * GB);
    let all = options(&[]);
    let done = checked(&drive, &all, |_, blocks| good(blocks));
    let ids: Vec<&str> = done.iter().map(|step| step.step.id.as_str()).collect();
    assert_eq!(ids, ["write", "read"]);
    assert_eq!(done[0].step.jobs()[0].last("bs"), Some("64k"));
    let claim = claim_of(&drive, &all, &done);
    assert_eq!(claim.outcome, ClaimOutcome::Kept);
    assert_eq!(claim.reasons[1].id(), "claim-sample.cleared");
    let miss = message!("claim-probability.below", count = 1_000_000_u64);
    assert_eq!(claim.reasons[1].parameter("miss"), Some(&miss.into()));

    // The time limit stopped the writing early: only written cells count.
    let few = with_context(&drive, &all, |context| {
        let write = Capacity.next(context, &[]).unwrap().step;
        let mut done = vec![ran(write, 100, None)];
        let read = Capacity.next(context, &done).unwrap().step;
        assert_eq!(read.jobs()[0].last("number_ios"), Some("100"));
        done.push(ran(read, 0, Some(good(1_600))));
        done
    });
    let claim = claim_of(&drive, &all, &few);
    assert_eq!(claim.outcome, ClaimOutcome::CannotBeJudged);
    assert!(claim.reasons.iter().any(|reason| reason.id() == "claim-sample.doubtful"), "{claim:?}");

    // Half of the card is full.
    let half = card(64 * GB, 30 * GB);
    let done = checked(&half, &all, |_, blocks| good(blocks));
    let claim = claim_of(&half, &all, &done);
    assert_eq!(claim.outcome, ClaimOutcome::CannotBeJudged);
    assert!(claim.reasons.contains(&message!("claim-sample.make-room")), "{claim:?}");
}

#[test]
fn a_sample_estimates_the_real_capacity_of_a_fake() {
    use MismatchKind::{Misdirected, Unwritten};
    let (drive, options) = (card(64 * GB, 63 * GB), options(&[]));
    let limbo = |_, blocks: u64| bad(blocks, 0, blocks / 4 * 3 * BLOCK, Unwritten, None);
    let done = checked(&drive, &options, limbo);
    let (real, _, _) = capacity_of(&drive, &options, &done);
    assert!((real / 16e9 - 1.0).abs() < 0.05, "{real}");
    // See `estimate_places`.
    let tested =
        with_context(&drive, &options, |context| Ground::from_context(context).unwrap().tested_bytes);
    let wrap = |_, blocks: u64| {
        let (cells, places) = ((tested / 65_536) as f64, 16e9 / 65_536.0);
        let drawn = (blocks / 16) as f64;
        let last = places * (1.0 - libm::pow(1.0 - drawn / cells, cells / places));
        bad(blocks, 0, (drawn - last).round() as u64 * 16 * BLOCK, Misdirected, None)
    };
    let done = checked(&drive, &options, wrap);
    let (real, _, levels) = capacity_of(&drive, &options, &done);
    assert!((real / 16e9 - 1.0).abs() < 0.05, "{real}");
    assert!(levels.iter().all(|&level| level == Level::NotEnough));
}

#[test]
fn a_drive_that_fails_is_not_cleared() {
    let (drive, options) = (card(64 * GB, 63 * GB), full());
    let done = with_context(&drive, &options, |context| {
        let mut first = ran(Capacity.next(context, &[]).unwrap().step, 0, None);
        first.outcome =
            StepOutcome::Failed { message: cardiograph_core::Message::verbatim("write at 4096: EIO") };
        assert_eq!(Capacity.next(context, std::slice::from_ref(&first)), None);
        vec![first]
    });
    let claim = claim_of(&drive, &options, &done);
    assert_eq!(claim.outcome, ClaimOutcome::CannotBeJudged);
    let ended = Doubt::Failed { message: cardiograph_core::Message::verbatim("write at 4096: EIO") };
    let ended = ended.message_of_step(&done[0].step.title);
    let reasons = [message!("claim-unread.ended", ended), message!("claim-unread.defect")];
    assert_eq!(claim.reasons, reasons);
    let (_, doubt, levels) = capacity_of(&drive, &options, &done);
    assert!(matches!(doubt, Some(Doubt::NotProved { .. })));
    assert!(levels.iter().all(|&level| level < Level::Enough));
}

#[test]
fn unsuitable_targets_are_refused_with_a_suggestion() {
    let notes = |drive: &Drive, options: &Options| {
        with_context(drive, options, |context| {
            let outline = Capacity.outline(context);
            assert!(outline.steps.is_empty() && Capacity.next(context, &[]).is_none());
            outline.notes
        })
    };
    assert!(has(&notes(&card(GB, 70 * MIB), &full()), "note-instead.quick"));
    let buffered = Options { direct: false, ..full() };
    assert!(has(&notes(&card(64 * GB, 63 * GB), &buffered), "note-capacity.buffered"));
    let mut vfat = card(64 * GB, 63 * GB);
    vfat.mount.as_mut().unwrap().fs_type = "vfat".to_string();
    assert!(has(&notes(&vfat, &options(&[])), "note-capacity.no-sample"));
    with_context(&vfat, &full(), |context| assert!(!Capacity.outline(context).steps.is_empty()));
    let timed = options(&[("proof", "full"), ("time", "10s")]);
    assert_eq!(
        notes(&card(64 * GB, 63 * GB), &timed),
        [message!("note-capacity.time-of-full", time = "10s")]
    );
    let small = notes(&card(64 * GB, 63 * GB), &options(&[("size", "5M")]));
    assert_eq!((small[0].id(), small[0].parameter("size")), ("note-capacity.size", Some(&"5M".into())));
    assert!(has(&notes(&card(64 * MIB, 50 * MIB), &full()), "note-instead.none"));
    let size = options(&[("proof", "full"), ("size", "100M")]);
    with_context(&card(64 * GB, 63 * GB), &size, |context| {
        assert_eq!(Capacity.outline(context).write_bytes_max, 100 * MIB);
    });
}

#[test]
fn writes_of_other_programs_between_two_checkups_do_not_make_a_fake() {
    let device = Drive { capacity_bytes: Some(64 * MIB), ..Drive::default() };
    let kept = KeptParts { part_bytes: 16 * MIB, whole: vec![0, 1], len_bytes: 32 * MIB };
    let options = Options { kept: Some(kept), ..full() };
    let outcome = |kind: MismatchKind, part: u64| {
        let found =
            (kind == MismatchKind::Misdirected).then_some(FoundWrite { number: 40, offset_bytes: 40 * MIB });
        let done = checked(&device, &options, |number, _| match number == part {
            true => bad(16 * MIB / BLOCK, part * 16 * MIB, MIB, kind, found),
            false => good(16 * MIB / BLOCK),
        });
        with_context(&device, &options, |context| {
            let claim = Capacity.claims(context, &done).remove(0);
            (claim.outcome, claim.reasons)
        })
    };
    let (damaged, moved) = (MismatchKind::Damaged, MismatchKind::Misdirected);
    let (earlier, reasons) = outcome(damaged, 1);
    let changed = message!("claim-changed", changed = Parameter::Bytes(MIB));
    assert_eq!((earlier, reasons), (ClaimOutcome::CannotBeJudged, vec![changed]));
    // Damage in a part that this checkup wrote, and blocks that only a fake misplaces.
    assert_eq!(outcome(damaged, 2).0, ClaimOutcome::Broken);
    assert_eq!(outcome(moved, 1).0, ClaimOutcome::Broken);
}

#[test]
fn the_map_shows_what_is_written_read_back_and_bad() {
    let drive = card(64 * GB, 50 * GB);
    let done = checked(&drive, &full(), |part, blocks| match part {
        2 => bad(blocks, 0, BLOCK, MismatchKind::Unwritten, None),
        _ => good(blocks),
    });
    let (parts, half) = (done.len() / 2, done.len() / 2 + 3);
    let board = |at: usize| {
        with_context(&drive, &full(), |context| Capacity.board(context, &done[..at], &done[at].step))
    };
    let Some(Board::Map { parts: writing, step_bytes }) = board(1) else { panic!("no map") };
    assert_eq!(writing.len(), parts);
    assert_eq!(step_bytes, done[1].step.write_bytes_max);
    use PartState::{Bad, Reading, Verified, Waiting, Writing, Written};
    assert_eq!(writing[..3], [Written, Writing, Waiting]);
    let Some(Board::Map { parts: reading, .. }) = board(half) else { panic!("no map") };
    assert_eq!(reading[..5], [Verified, Verified, Bad, Reading, Written]);
}
