//! Blocks of a pattern.

use cardiograph_jobs::value::{PatternKind, parse_pattern};

use super::*;

/// A change to a block.
type Change = fn(&mut [u8]);

/// Blocks of 4 KiB of a pattern.
fn form_of(checksum: Checksum, text: &str) -> BlockForm {
    let pattern =
        parse_pattern(text, PatternKind::Verify, |_| Err(cardiograph_core::Message::default())).unwrap();
    let content = Content::Pattern { pattern: pattern.clone() };
    BlockForm { content, pattern: Some(pattern), ..form(checksum, 9, BLOCK) }
}

/// `blocks` writes of a form, each a block long, numbered from `first`.
fn written_from(first: u64, form: &BlockForm, blocks: usize) -> Vec<u8> {
    let mut bytes = vec![0; blocks * BLOCK];
    let mut sealer = Sealer::new(form.clone());
    (0..first).for_each(|_| sealer.seal(&mut [0; BLOCK], 0, 0));
    for (write, at) in bytes.chunks_mut(BLOCK).zip((0..).step_by(BLOCK)) {
        form.pattern.as_ref().unwrap().fill(write, at);
        sealer.seal(write, at, 0);
    }
    bytes
}

#[test]
fn damage_to_a_pattern_block_is_named_as_far_as_possible() {
    use MismatchKind::{Damaged, Flipped, Misdirected, Torn, Unwritten};
    let cases: [(&str, Change, MismatchKind, &str, &str); 13] = [
        (
            "0xdeadbeef",
            |block| block[0] ^= 1,
            Flipped,
            "verify-byte.at(byte=0, value=de)",
            "verify-byte.flipped(bits=1, value=df)",
        ),
        (
            "0xdeadbeef",
            |block| block[4_095] ^= 3,
            Flipped,
            "verify-byte.at(byte=4095, value=ef)",
            "verify-byte.flipped(bits=2, ",
        ),
        ("0xdeadbeef", |block| block.fill(0), Unwritten, "verify-pattern-content", "verify-content.zeros"),
        (
            "0xdeadbeef",
            |block| block[1_024..].fill(0),
            Torn,
            "verify-pattern-content",
            "verify-torn.from(byte=1024, content=verify-content.zeros)",
        ),
        (
            "0xdeadbeef",
            |block| block[512..].fill(7),
            Torn,
            "verify-pattern-content",
            "verify-torn.from(byte=512, content=verify-content.other)",
        ),
        (
            "0xdeadbeef",
            |block| block[..2_048].fill(7),
            Torn,
            "verify-pattern-content",
            "verify-torn.pattern(byte=2048)",
        ),
        (
            "0xdeadbeef",
            |block| block[600..900].fill(7),
            Damaged,
            "verify-byte.at-in(byte=600, content=verify-pattern-content, value=de)",
            "verify-byte.differs(",
        ),
        (
            "0xdeadbeef",
            |block| block.fill(7),
            Damaged,
            "verify-byte.at-in(byte=0, content=verify-pattern-content, value=de)",
            "verify-byte.differs(",
        ),
        // A block of zeros differs only where the pattern does.
        (
            "0",
            |block| block[9] = 1,
            Flipped,
            "verify-byte.at(byte=9, value=00)",
            "verify-byte.flipped(bits=1, value=01)",
        ),
        (
            "0",
            |block| block[512..].fill(7),
            Torn,
            "verify-pattern-content",
            "verify-torn.from(byte=512, content=verify-content.other)",
        ),
        (
            "%o",
            |block| block[8_usize] ^= 1,
            Flipped,
            "verify-byte.at(byte=8, value=00)",
            "verify-byte.flipped(bits=1, value=01)",
        ),
        (
            "%o",
            |block| block.fill(0),
            Unwritten,
            "verify-pattern-content.at(offset=4096)",
            "verify-content.zeros",
        ),
        (
            "\"ab\"%o",
            |block| {
                let len = block.len();
                form_of(Checksum::Pattern, "\"ab\"%o").pattern.unwrap().fill(&mut block[..len], 77_824);
            },
            Misdirected,
            "verify-pattern-content.at(offset=4096)",
            "verify-pattern-content.at(offset=77824)",
        ),
    ];
    for (text, change, kind, expected, found) in cases {
        let form = form_of(Checksum::Pattern, text);
        let mut bytes = written_from(0, &form, 4);
        assert_eq!(faults(&bytes, &form, Expected::NotBefore).first, None, "{text}");
        change(&mut bytes[BLOCK..2 * BLOCK]);
        let verified = faults(&bytes, &form, Expected::NotBefore);
        assert_eq!((verified.blocks, verified.bad_blocks), (4, 1), "{text} {found}");
        let first = first_mismatch(&verified);
        assert_eq!((first.0, first.1), (BLOCK as u64, kind), "{text}: {first:?}");
        assert!(first.2.contains(expected) && first.3.contains(found), "{text}: {first:?}");
    }
}

#[test]
fn a_header_before_a_pattern_identifies_writes() {
    use MismatchKind::{Damaged, Flipped, Misdirected, Stale};
    for checksum in [Checksum::PatternHeader, Checksum::Meta] {
        let form = form_of(checksum, "\"abc\"%o");
        let clean = written_from(5, &form, 4);
        let changed = |change: fn(&mut [u8])| {
            let mut bytes = clean.clone();
            change(&mut bytes[BLOCK..2 * BLOCK]);
            bytes
        };
        let other = BlockForm { tag: tag_of(8), ..form.clone() };
        for (bytes, bad_blocks, kind) in [
            (clean.clone(), 0, Damaged),
            (changed(|block| block[12] ^= 1), 1, Flipped),
            (changed(|block| block[40] ^= 1), 1, Flipped),
            (changed(|block| block[900..1_500].fill(0xff)), 1, Damaged),
            (written_from(0, &form, 4), 4, Stale),
            (written_from(5, &other, 4), 4, Stale),
            ([&clean[BLOCK..], &clean[..BLOCK]].concat(), 4, Misdirected),
        ] {
            let verified = faults(&bytes, &form, |n| Expected::NotBefore(n + 5));
            let kinds: Vec<_> = verified.kinds.into_iter().collect();
            let expected = if bad_blocks == 0 { vec![] } else { vec![(kind, bad_blocks)] };
            assert_eq!(kinds, expected, "{checksum:?} {:?}", verified.first);
        }
        // Valid headers with another pattern.
        let wrong = form_of(checksum, "\"abd\"%o");
        let verified = faults(&written_from(5, &wrong, 4), &form, |_| Expected::Any);
        assert_eq!(verified.kinds.keys().collect::<Vec<_>>(), [&Damaged]);
    }
}

#[test]
fn partial_overwrites_with_the_same_pattern_are_accepted() {
    // Lengths of 512 bytes to 4 KiB, at multiples of 512 bytes; none is a multiple of seven bytes.
    for text in ["\"sevenby\"", "\"x\"%o"] {
        let form =
            BlockForm { block_len_bytes: 512, write_step_bytes: 512, ..form_of(Checksum::Pattern, text) };
        let pattern = form.pattern.clone().unwrap();
        let mut bytes = vec![0; 8 * BLOCK];
        pattern.fill(&mut bytes, 0);
        let mut rng = cardiograph_core::rng::Rng::new(3);
        for _ in 0..500 {
            let len = (rng.below(8) as usize + 1) * 512;
            let at = rng.below(((8 * BLOCK - len) / 512 + 1) as u64) as usize * 512;
            pattern.fill(&mut bytes[at..at + len], at as u64);
        }
        let bad_blocks = |form: &BlockForm, bytes: &mut [u8]| {
            let mut checker = Checker::new(form.clone(), false);
            for (index, write) in bytes.chunks_mut(1_024).enumerate() {
                checker.check("file", write, index as u64 * 1_024, Expected::Any);
            }
            assert_eq!(checker.verified().blocks, 64);
            checker.verified().bad_blocks
        };
        assert_eq!(bad_blocks(&form, &mut bytes.clone()), 0, "{text}");
        // If all writes have one length, a write that began at another offset is wrong.
        let strict = BlockForm { write_step_bytes: 1_024, write_len_bytes_max: 1_024, ..form.clone() };
        assert!(bad_blocks(&strict, &mut bytes.clone()) > 10, "{text}");
        bytes[5_000] ^= 16;
        assert_eq!(bad_blocks(&form, &mut bytes), 1, "{text}");
    }
}
