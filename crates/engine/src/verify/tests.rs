//! Tests of headers and of the diagnosis of bad blocks, compared with fio where it is installed.

use std::path::Path;
use std::process::{Command, Output};

use cardiograph_core::result::{MismatchKind, Verified};

use super::*;

mod pattern;

const BLOCK: usize = 4_096;

/// Blocks of `block_len_bytes` with any checksum, of worker 2 of a run.
fn form(checksum: Checksum, run_seed: u64, block_len_bytes: usize) -> BlockForm {
    BlockForm {
        checksum,
        block_len_bytes,
        header_len_bytes: checksum.header_len_bytes() as usize,
        header_offset_bytes: 0,
        dump: false,
        content: Content::Stamped,
        pattern: None,
        write_step_bytes: BLOCK,
        write_len_bytes_max: BLOCK,
        tag: tag_of(run_seed),
        thread: 3,
        first_write: None,
    }
}

/// `blocks` blocks of 4 KiB, sealed as writes of `write_len` bytes each, numbered from `first`.
fn sealed_from(first: u64, form: &BlockForm, blocks: usize, write_len: usize) -> Vec<u8> {
    let mut bytes = vec![0; blocks * BLOCK];
    let mut base = vec![0; write_len];
    // As a worker's filler does.
    cardiograph_core::rng::Rng::new(derive_seed(form.tag, 1)).fill(&mut base);
    let mut sealer = Sealer::new(form.clone());
    for _ in 0..first {
        sealer.seal(&mut base.clone(), 0, 0);
    }
    for (write, at) in bytes.chunks_mut(write_len).zip((0..).step_by(write_len)) {
        write.copy_from_slice(&base);
        sealer.seal(write, at, 1_500_000_000 + at);
    }
    bytes
}

fn sealed(form: &BlockForm, blocks: usize) -> Vec<u8> {
    sealed_from(0, form, blocks, BLOCK)
}

fn faults(bytes: &[u8], form: &BlockForm, expected: impl Fn(u64) -> Expected) -> Verified {
    let mut checker = Checker::new(form.clone(), false);
    for (number, block) in bytes.to_vec().chunks_mut(BLOCK).enumerate() {
        let bad_before = checker.verified().bad_blocks;
        let found = checker.check("file", block, (number * BLOCK) as u64, expected(number as u64));
        assert_eq!(found.is_some(), checker.verified().bad_blocks > bad_before);
    }
    checker.verified().clone()
}

/// Checksums that cover content of any kind.
fn all_checksums() -> impl Iterator<Item = Checksum> {
    let others = [Checksum::Null, Checksum::Pattern, Checksum::PatternHeader];
    Checksum::WORDS.iter().map(|&(_, checksum)| checksum).filter(move |checksum| !others.contains(checksum))
}

#[test]
fn sealed_blocks_are_found_intact() {
    for checksum in all_checksums() {
        for header_every in [BLOCK, 1_024, 512] {
            for header_offset_bytes in [0, 200] {
                let form = BlockForm { header_offset_bytes, ..form(checksum, 5, header_every) };
                let bytes = sealed(&form, 8);
                for expected in [|_| Expected::Any, |n| Expected::NotBefore(n)] {
                    let verified = faults(&bytes, &form, expected);
                    assert_eq!((verified.blocks, verified.first), ((8 * BLOCK / header_every) as u64, None));
                }
            }
        }
    }
}

#[test]
fn the_header_layout_matches_fios() {
    // The first 44 bytes of a file written by `fio-3.33 --rw=write --bs=4k --verify=crc32c`.
    let header = "caac0500001000003c5409c501cca40000000000000000000000000\
                  0d1517e060100000087add785f4a2efa3";
    let byte = |at: usize| u8::from_str_radix(&header[at..at + 2], 16).unwrap();
    let header: Vec<u8> = (0..header.len()).step_by(2).map(byte).collect();
    let found = header::Header::read(&header).unwrap();
    assert_eq!((found.kind, found.block_len_bytes, found.offset_bytes, found.thread), (5, 4_096, 0, 1));
    let form = form(Checksum::Crc32c, 7, BLOCK);
    let second = header::Header::read(&sealed(&form, 2)[BLOCK..]).unwrap();
    assert_eq!((second.tag(), second.number(), second.thread), (form.tag, 1, 3));
    assert_eq!((second.offset_bytes, second.since_start_ns), (4_096, 1_500_004_096));
}

#[test]
fn a_header_at_an_offset_is_swapped_with_the_content_there() {
    let plain = form(Checksum::Md5, 1, BLOCK);
    let front = sealed(&plain, 1);
    let moved = sealed(&BlockForm { header_offset_bytes: 100, ..plain }, 1);
    assert_eq!((&moved[100..156], &moved[..56]), (&front[..56], &front[100..156]));
    assert_eq!(moved[156..], front[156..]);
}

fn first_mismatch(verified: &Verified) -> (u64, MismatchKind, String, String) {
    let first = verified.first.clone().unwrap();
    assert_eq!(verified.kinds[&first.kind], verified.bad_blocks);
    (first.offset_bytes, first.kind, first.expected.to_string(), first.found.to_string())
}

fn as_newer_fio(block: &mut [u8]) {
    block[2] = 0x81;
    let checksum = checksum::crc32c(&block[..44]);
    block[44..48].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn each_kind_of_damage_is_detected_and_named() {
    use MismatchKind::{Damaged, Flipped, Misdirected, Stale, Torn, Unwritten};
    for checksum in all_checksums().filter(|&checksum| checksum != Checksum::Meta) {
        let form = form(checksum, 9, BLOCK);
        let clean = sealed(&form, 4);
        let earlier = sealed(&BlockForm { tag: tag_of(8), ..form.clone() }, 4);
        let later = sealed_from(4, &form, 4, BLOCK);
        let changed = |change: fn(&mut [u8])| {
            let mut bytes = clean.clone();
            change(&mut bytes[BLOCK..2 * BLOCK]);
            bytes
        };
        let torn = |front: &[u8], back: &[u8], at: usize| {
            [&clean[..BLOCK], &front[BLOCK..BLOCK + at], &back[BLOCK + at..2 * BLOCK], &clean[2 * BLOCK..]]
                .concat()
        };
        let zeros = vec![0; 4 * BLOCK];
        for (bytes, bad_blocks, kind, found) in [
            (changed(|block| block[0] ^= 4), 1, Flipped, "verify-byte.flipped(bits=1, value=ce)"),
            (changed(|block| block[9] ^= 4), 1, Flipped, "verify-byte.flipped(bits=1, "),
            (changed(|block| block[37] ^= 4), 1, Flipped, "verify-byte.flipped(bits=1, "),
            (changed(|block| block[40] ^= 4), 1, Flipped, "verify-byte.flipped(bits=1, "),
            (changed(|block| block[300] ^= 4), 1, Flipped, "verify-byte.flipped(bits=1, "),
            (changed(|block| block[512] ^= 4), 1, Flipped, "verify-byte.flipped(bits=1, "),
            (changed(|block| block[520] ^= 4), 1, Flipped, "verify-byte.flipped(bits=1, "),
            (changed(|block| block[4_095] ^= 6), 1, Flipped, "verify-byte.flipped(bits=2, "),
            (changed(|block| block[1_000..3_000].fill(7)), 1, Damaged, "verify-content.checksum("),
            (changed(|block| block.fill(7)), 1, Damaged, "verify-header.magic(value=0707)"),
            (changed(as_newer_fio), 1, Stale, "verify-header.newer-fio"),
            (changed(|block| block.fill(0)), 1, Unwritten, "verify-content.zeros"),
            (
                changed(|block| block[2_048..].fill(0)),
                1,
                Torn,
                "verify-torn.from(byte=2048, content=verify-content.zeros)",
            ),
            (
                changed(|block| block[1_536..].fill(7)),
                1,
                Torn,
                "verify-torn.from(byte=1536, content=verify-content.other)",
            ),
            (
                torn(&clean, &earlier, 512),
                1,
                Torn,
                "verify-torn.from(byte=512, content=verify-write.of-other-run(number=1))",
            ),
            (
                torn(&later, &clean, 2_048),
                1,
                Torn,
                "verify-torn.from(byte=2048, content=verify-write(number=1))",
            ),
            (
                torn(&zeros, &clean, 1_024),
                1,
                Torn,
                "verify-torn.no-header(byte=1024, write=verify-write(number=1))",
            ),
            (
                [&clean[BLOCK..], &clean[..BLOCK]].concat(),
                4,
                Misdirected,
                "verify-block.of-write(offset=4096, write=verify-write(number=1))",
            ),
            (earlier.clone(), 4, Stale, "verify-write.of-other-run(number=0)"),
            (
                sealed(&BlockForm { thread: 4, ..form.clone() }, 4),
                4,
                Stale,
                "verify-write.of-worker(number=0, worker=4)",
            ),
        ] {
            let verified = faults(&bytes, &form, Expected::NotBefore);
            assert_eq!(
                (verified.blocks, verified.bad_blocks),
                (4, bad_blocks),
                "{checksum:?} {kind:?} {found}"
            );
            let (offset_bytes, of_kind, _, found_text) = first_mismatch(&verified);
            assert_eq!(offset_bytes, if bad_blocks == 1 { BLOCK as u64 } else { 0 });
            assert!(
                of_kind == kind && found_text.contains(found),
                "{checksum:?}: {of_kind:?} {found_text}, not {found}"
            );
        }
    }
}

#[test]
fn a_lost_write_leaves_an_earlier_one() {
    let form = form(Checksum::Crc32c, 9, BLOCK);
    let bytes = sealed(&form, 2);
    let verified = faults(&bytes, &form, |n| Expected::NotBefore(n + 2));
    let expected = "verify-block.not-before(number=2, offset=0)".to_string();
    assert_eq!(
        first_mismatch(&verified),
        (0, MismatchKind::Stale, expected, "verify-write(number=0)".to_string())
    );
    // A later write over it is accepted, too.
    assert_eq!(faults(&bytes, &form, |_| Expected::NotBefore(0)).bad_blocks, 0);
    // Blocks of any run have their own checksum and offset.
    assert_eq!(
        faults(&bytes, &BlockForm { tag: tag_of(0), ..form.clone() }, |_| Expected::Any).bad_blocks,
        0
    );
    // If another worker may have written last, its block is accepted, too.
    let mut checker = Checker::new(BlockForm { thread: 9, ..form }, true);
    assert_eq!(checker.check("file", &mut bytes.clone(), 0, Expected::NotBefore(7)), None);
}

#[test]
fn a_wrong_bit_is_found_in_any_block_of_a_long_write() {
    let form = BlockForm { write_len_bytes_max: 4 * BLOCK, ..form(Checksum::Crc32c, 3, BLOCK) };
    for block in 0..4 {
        let mut bytes = sealed_from(0, &form, 4, 4 * BLOCK);
        bytes[block * BLOCK + 2_000] ^= 0x80;
        let (_, kind, expected, found) = first_mismatch(&faults(&bytes, &form, |_| Expected::Any));
        assert_eq!(kind, MismatchKind::Flipped, "{block}: {expected}, {found}");
        assert!(expected.starts_with("verify-byte.at(byte=2000, "), "{expected}");
    }
}

#[test]
fn writes_too_short_for_a_header_are_not_sealed() {
    let mut bytes = [7; 40];
    let form = form(Checksum::Crc32c, 1, 40);
    Sealer::new(form.clone()).seal(&mut bytes, 0, 0);
    assert_eq!(bytes, [7; 40]);
    let mut checker = Checker::new(form, false);
    assert_eq!(checker.check("file", &mut bytes, 0, Expected::Any), None);
    assert_eq!(checker.verified().blocks, 0);
}

fn fio(dir: &Path, arguments: &str) -> Option<Output> {
    let mut command = Command::new("fio");
    command
        .current_dir(dir)
        .args(["--clocksource=clock_gettime", "--name=job", "--filename=file", "--bs=4k"])
        .args(arguments.split(' '));
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            cardiograph_testing::skip("verify headers against fio", &error.to_string());
            None
        }
    }
}

/// fio's options, block size, and offset of the headers.
type Form = (&'static str, usize, usize);

/// Tries each checksum that fio 3.33 stores correctly, with each of `forms`. Only a few checksums are tried
/// with more than the first form, because fio is slow to start.
fn with_fio(forms: &[Form], attempt: impl Fn(&Path, Checksum, Form) + Sync) {
    use Checksum::{Sha3_224, Sha3_384, Sha3_512, Sha256, Sha512};
    // One of the four lengths of SHA-3 represents all.
    let left_out = [Sha3_224, Sha3_384, Sha3_512, Sha256, Sha512];
    let all: Vec<Checksum> = all_checksums().filter(|checksum| !left_out.contains(checksum)).collect();
    let try_all = &|checksums: &[Checksum]| {
        let dir = tempfile::tempdir().unwrap();
        for &checksum in checksums {
            let is_usual = matches!(checksum, Checksum::Crc32c | Checksum::Md5);
            let forms = &forms[..if is_usual { forms.len() } else { 1 }];
            forms.iter().for_each(|&form| attempt(dir.path(), checksum, form));
        }
    };
    std::thread::scope(|scope| {
        all.chunks(all.len().div_ceil(4)).for_each(|part| drop(scope.spawn(move || try_all(part))));
    });
}

#[test]
fn fio_accepts_our_data_and_rejects_it_when_damaged() {
    let forms = [("", BLOCK, 0), (" --verify_interval=512", 512, 0), (" --verify_offset=1024", BLOCK, 1_024)];
    with_fio(&forms, |dir, checksum, (options, header_every, header_offset_bytes)| {
        let form = BlockForm { header_offset_bytes, ..form(checksum, 77, header_every) };
        let mut bytes = sealed(&form, 16);
        let word = checksum.word();
        std::fs::write(dir.join("file"), &bytes).unwrap();
        let rw = if options.is_empty() { "write --verify_only" } else { "randread" };
        let line = format!("--verify={word} --size=64k --rw={rw}{options}");
        let Some(output) = fio(dir, &line) else { return };
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !stderr.contains("verify"), "{line}: {stderr}");
        if checksum == Checksum::Meta {
            return;
        }
        bytes[40_000] ^= 1;
        std::fs::write(dir.join("file"), &bytes).unwrap();
        let output = fio(dir, &format!("--verify={word} --size=64k --rw=read{options}")).unwrap();
        // With several headers per I/O, fio 3.33 reports it but still exits with 0.
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains("verify failed"), "{stderr}");
    });
}

#[test]
fn we_accept_fios_data_and_reject_it_when_damaged() {
    let forms = [
        ("", BLOCK, 0),
        (" --verify_interval=1k --iodepth=4 --ioengine=libaio", 1_024, 0),
        (" --verify_offset=400", BLOCK, 400),
    ];
    with_fio(&forms, |dir, checksum, (options, header_every, header_offset_bytes)| {
        let word = checksum.word();
        let line = format!("--verify={word} --do_verify=0 --size=64k --rw=randwrite{options}");
        let Some(output) = fio(dir, &line) else { return };
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let form = BlockForm { header_offset_bytes, ..form(checksum, 0, header_every) };
        let mut bytes = std::fs::read(dir.join("file")).unwrap();
        let verified = faults(&bytes, &form, |_| Expected::Any);
        assert_eq!((verified.blocks, verified.first), ((16 * BLOCK / header_every) as u64, None), "{line}");
        if checksum != Checksum::Meta {
            bytes[40_000] ^= 1;
            let (_, kind, ..) = first_mismatch(&faults(&bytes, &form, |_| Expected::Any));
            assert_eq!(kind, MismatchKind::Damaged);
        }
    });
}
