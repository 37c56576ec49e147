use cardiograph_core::card::SdStatus;
use cardiograph_core::drive::Leaf;

use super::*;
use crate::suite::Options;
use crate::testing::{
    BAD_CARD, GB, Model, SLOW_CARD, card as card_drive, has, plan, run_all, with_context, written,
};

const GOOD_CARD: Model = Model {
    read_mib_per_s: 90,
    write_mib_per_s: 60,
    random_read_iops: 4_500,
    random_read_deep_iops: 4_500,
    random_write_iops: 2_500,
    durable_write_iops: 500,
};

/// A card with marks: speed class, UHS grade, video class, application class.
fn marked(marks: [u8; 4]) -> Drive {
    let mut drive = card_drive(64 * GB, 60 * GB);
    let [speed, uhs, video, application] = marks.map(Some);
    let status = SdStatus {
        speed_class: speed,
        uhs_grade: uhs,
        video_class: video,
        application_class: application,
        ..SdStatus::default()
    };
    let card = Card::Sd(SdCard { status: Some(status), ..SdCard::default() });
    drive.leaves = vec![Leaf { kind: LeafKind::SdCard, card: Some(card), ..Leaf::default() }];
    drive
}

fn claims(drive: &Drive, model: &Model) -> Vec<Claim> {
    let done = run_all(&SdClass, drive, &Options::default(), model);
    let claims = with_context(drive, &Options::default(), |context| SdClass.claims(context, &done));
    let known = SdClass.claim_ids();
    assert!(claims.iter().all(|claim| known.contains(&claim.id)), "{claims:?}");
    claims
}

fn outcomes(claims: &[Claim]) -> Vec<(&str, ClaimOutcome)> {
    claims.iter().map(|claim| (claim.id.as_str(), claim.outcome)).collect()
}

#[test]
fn every_try_is_a_step_and_the_range_is_written_before_random_access() {
    let done = run_all(&SdClass, &marked([10, 3, 30, 1]), &Options::default(), &SLOW_CARD);
    let ids: Vec<&str> = done.iter().map(|step| step.step.id.as_str()).collect();
    let expected = [
        "sequential-write",
        "sequential-write-2",
        "sequential-write-3",
        "fill",
        "random-read",
        "random-read-2",
        "random-read-3",
        "random-write",
        "random-write-2",
        "random-write-3",
    ];
    assert_eq!(ids, expected);
    let files: Vec<&str> = done[..3].iter().map(|step| step.step.files[0].name.as_str()).collect();
    assert!(files[0] != files[1] && files[1] != files[2], "each try writes space of its own");
    let range = plan(&done[4].step).jobs[0].workload.clone();
    assert_eq!((range.depth, done[4].step.files[0].len_bytes), (DEPTH, RANGE_BYTES));
}

#[test]
fn a_card_is_judged_by_its_own_marks() {
    use ClaimOutcome::{Broken, CannotBeJudged, Kept};
    let v30 = claims(&marked([10, 3, 30, 1]), &SLOW_CARD);
    assert_eq!(outcomes(&v30), [("c10", Kept), ("u3", Kept), ("v30", Kept), ("a1", Kept)]);
    assert_eq!(v30[2].said_by, Some(message!("claim-said-by.sd-status")));
    assert_eq!(v30[2].evidence[0].tries.len(), 3, "every try is shown");
    let bad = claims(&marked([10, 3, 30, 1]), &BAD_CARD);
    assert_eq!(outcomes(&bad), [("c10", Broken), ("u3", Broken), ("v30", Broken), ("a1", Broken)]);
    let slow = claims(&marked([0, 0, 0, 2]), &BAD_CARD);
    assert_eq!(outcomes(&slow), [("a2", Broken)], "10 MB/s need no queue");
    // Without the queue that A2 needs, only meeting the limits proves something.
    for (queue_use, missed, reason) in [
        (None, CannotBeJudged, message!("claim-queue.unknown")),
        (Some(SdQueueUse::Off), CannotBeJudged, message!("claim-queue.unused")),
        (Some(SdQueueUse::HostOnly), CannotBeJudged, message!("claim-queue.unused")),
        (
            Some(SdQueueUse::On { depth: Some(16), recoveries: 2 }),
            CannotBeJudged,
            message!("claim-queue.fails"),
        ),
        (Some(SdQueueUse::On { depth: Some(16), recoveries: 0 }), Broken, message!("claim-class.indication")),
    ] {
        let mut drive = marked([0, 0, 0, 2]);
        if let Some(Card::Sd(card)) = &mut drive.leaves[0].card {
            card.queue_use = queue_use;
        }
        let claim = claims(&drive, &SLOW_CARD).remove(0);
        assert_eq!(claim.outcome, missed, "{queue_use:?}");
        assert_eq!(claim.reasons, [reason]);
        assert_eq!(claims(&drive, &GOOD_CARD)[0].outcome, Kept, "{queue_use:?}");
    }
}

#[test]
fn all_classes_are_judged_without_registers() {
    let drive = card_drive(64 * GB, 60 * GB);
    let all = claims(&drive, &GOOD_CARD);
    assert!(all.iter().all(|claim| claim.said_by.is_none()));
    let kept: Vec<&str> = all
        .iter()
        .filter(|claim| claim.outcome == ClaimOutcome::Kept)
        .map(|claim| claim.id.as_str())
        .collect();
    assert_eq!(kept, ["c10", "u3", "v30", "v60", "a1", "a2"]);
}

#[test]
fn differing_or_doubtful_tries_cannot_be_judged() {
    let drive = marked([10, 0, 0, 0]);
    let mut done = run_all(&SdClass, &drive, &Options::default(), &SLOW_CARD);
    let judged = |done: &[StepResult]| {
        with_context(&drive, &Options::default(), |context| SdClass.claims(context, done).remove(0))
    };
    let slow = run_all(&SdClass, &drive, &Options::default(), &BAD_CARD);
    done[1] = slow[1].clone();
    let split = judged(&done);
    assert_eq!(split.outcome, ClaimOutcome::CannotBeJudged);
    assert_eq!(split.reasons, [message!("claim-class.split")]);
    // All tries keep it, but each is slower than the one before.
    let fast = run_all(&SdClass, &drive, &Options::default(), &GOOD_CARD);
    let mut done = run_all(&SdClass, &drive, &Options::default(), &SLOW_CARD);
    assert_eq!(judged(&done).outcome, ClaimOutcome::Kept);
    let written = Parameter::Bytes(384 * MIB);
    assert_eq!(judged(&done).reasons[1], message!("claim-class.unseen-cliff", written));
    done[0] = fast[0].clone();
    let falling = judged(&done);
    assert_eq!(falling.outcome, ClaimOutcome::CannotBeJudged);
    assert_eq!(falling.reasons[0].id(), "claim-class.slowing");
    let none = judged(&[]);
    assert_eq!(
        (none.outcome, none.reasons),
        (ClaimOutcome::CannotBeJudged, vec![message!("claim-class.incomplete")])
    );
}

#[test]
fn small_cards_get_smaller_tests_or_none() {
    for (capacity, fits) in [(64 * GB, true), (8 * GB, true), (2 * GB, true), (GB, false)] {
        let drive = card_drive(capacity, capacity / 10 * 9);
        let options = Options::default();
        let outline = with_context(&drive, &options, |context| SdClass.outline(context));
        assert_eq!(!outline.steps.is_empty(), fits, "{capacity}");
        assert!(outline.write_bytes_max <= capacity / CAPACITY_DIVISOR);
        if fits {
            let done = run_all(&SdClass, &drive, &options, &BAD_CARD);
            let written = written(&done);
            assert!(written <= outline.write_bytes_max, "{written} of {}", outline.write_bytes_max);
        } else {
            assert!(has(&outline.notes, "note-instead.quick"));
        }
    }
}
