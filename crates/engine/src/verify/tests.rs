//! Tests of headers, with fio as a witness where it is there.

use std::path::Path;
use std::process::{Command, Output};

use super::*;

const BLOCK: usize = 4_096;

/// `blocks` blocks, sealed as writes of `write_len` bytes each with a header every `header_every` bytes.
fn sealed(seed: u64, blocks: usize, write_len: usize, header_every: usize) -> Vec<u8> {
    let mut rng = cardiograph_core::rng::Rng::new(seed);
    let mut bytes = vec![0; blocks * BLOCK];
    rng.fill(&mut bytes);
    let mut sealer = Sealer::new(header_every, seed, 2);
    for (write, at) in bytes.chunks_mut(write_len).zip((0..).step_by(write_len)) {
        sealer.seal(write, at, 1_500_000_000 + at);
    }
    bytes
}

fn faults(bytes: &[u8], header_every: usize, seed: u64, expected: impl Fn(u64) -> Expected) -> Verified {
    let mut checker = Checker::new(header_every, seed);
    for (number, block) in bytes.chunks(BLOCK).enumerate() {
        let found = checker.check("file", block, (number * BLOCK) as u64, expected(number as u64));
        assert_eq!(found.is_some(), checker.verified().bad_blocks > 0 && found.is_some());
    }
    checker.verified().clone()
}

#[test]
fn what_was_sealed_is_found_whole() {
    for header_every in [BLOCK, 1_024, 512] {
        let bytes = sealed(1 << 50, 8, BLOCK, header_every);
        for expected in [|_| Expected::Any, |_| Expected::ThisRun, |n| Expected::NotBefore(n)] {
            let verified = faults(&bytes, header_every, 1 << 50, expected);
            assert_eq!((verified.blocks, verified.bad_blocks), ((8 * BLOCK / header_every) as u64, 0));
        }
    }
}

#[test]
fn a_header_is_laid_out_as_fio_lays_it_out() {
    // The first 44 bytes of a file that `fio-3.33 --rw=write --bs=4k --verify=crc32c` has written.
    let header = "caac0500001000003c5409c501cca40000000000000000000000000\
                  0d1517e060100000087add785f4a2efa3";
    let byte = |at: usize| u8::from_str_radix(&header[at..at + 2], 16).unwrap();
    let header: Vec<u8> = (0..header.len()).step_by(2).map(byte).collect();
    assert_eq!(u32_at(&header, 36), checksum(&header[..36]));
    let bytes = sealed(7 << NUMBER_BITS, 2, BLOCK, BLOCK);
    let second = &bytes[BLOCK..];
    // Magic, kind and length are the same.
    assert_eq!(second[..8], header[..8]);
    assert_eq!((u64_at(second, 8), u64_at(second, 16)), ((7 << NUMBER_BITS) + 1, BLOCK as u64));
    assert_eq!((u32_at(second, 24), u32_at(second, 28)), (1, 500_004_096));
    assert_eq!((u16_at(second, 32), u16_at(second, 34)), (3, 1));
}

#[test]
fn each_kind_of_damage_is_found_and_named() {
    let seed = 9 << NUMBER_BITS;
    let clean = sealed(seed, 4, BLOCK, BLOCK);
    let moved = [&clean[BLOCK..], &clean[..BLOCK]].concat();
    let other_run = sealed(10 << NUMBER_BITS, 4, BLOCK, BLOCK);
    let longer = sealed(seed, 4, 2 * BLOCK, 2 * BLOCK);
    let flipped = |at: usize| {
        let mut bytes = clean.clone();
        bytes[BLOCK + at] ^= 4;
        bytes
    };
    for (bytes, bad_blocks, offset, what) in [
        (flipped(0), 1, BLOCK, "bad magic acce"),
        (flipped(9), 1, BLOCK, "bad header checksum"),
        (flipped(37), 1, BLOCK, "bad header checksum"),
        (flipped(41), 1, BLOCK, "bad checksum"),
        (flipped(44), 1, BLOCK, "bad checksum"),
        (flipped(4_095), 1, BLOCK, "bad checksum"),
        (vec![0; 4 * BLOCK], 4, 0, "bad magic 0"),
        (moved, 4, 0, "block of offset 4096, wanted 0"),
        (other_run, 4, 0, "block of another run"),
        (longer, 4, 0, "bad block length 8192, wanted 4096"),
    ] {
        let verified = faults(&bytes, BLOCK, seed, Expected::NotBefore);
        let first = verified.first.unwrap();
        assert_eq!((verified.blocks, verified.bad_blocks), (4, bad_blocks), "{what}");
        assert_eq!((first.offset_bytes, first.len_bytes), (offset as u64, BLOCK as u64));
        assert!(first.what.starts_with(what), "{} instead of {what}", first.what);
    }
}

#[test]
fn a_lost_write_leaves_an_earlier_one() {
    let seed = 9 << NUMBER_BITS;
    let bytes = sealed(seed, 2, BLOCK, BLOCK);
    assert_eq!(faults(&bytes, BLOCK, seed, |n| Expected::NotBefore(n + 2)).bad_blocks, 2);
    // A later write over it is as good.
    assert_eq!(faults(&bytes, BLOCK, seed, |_| Expected::NotBefore(0)).bad_blocks, 0);
    // Blocks of whatever run hold their own checksum and place.
    assert_eq!(faults(&bytes, BLOCK, 0, |_| Expected::Any).bad_blocks, 0);
}

#[test]
fn what_is_too_short_for_a_header_is_left_alone() {
    let mut bytes = [7; 40];
    Sealer::new(40, 1, 0).seal(&mut bytes, 0, 0);
    assert_eq!(bytes, [7; 40]);
    let mut checker = Checker::new(40, 1);
    assert_eq!(checker.check("file", &bytes, 0, Expected::Any), None);
    assert_eq!(checker.verified().blocks, 0);
}

fn fio(dir: &Path, arguments: &str) -> Option<Output> {
    let mut command = Command::new("fio");
    command.current_dir(dir).args(["--name=job", "--filename=file", "--bs=4k"]).args(arguments.split(' '));
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            cardiograph_testing::skip("verify headers against fio", &error.to_string());
            None
        }
    }
}

#[test]
fn fio_accepts_what_we_wrote_and_rejects_it_when_it_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    for (options, header_every) in [("", BLOCK), (" --verify_interval=512", 512)] {
        let mut bytes = sealed(77, 16, BLOCK, header_every);
        for rw in ["read", "randread", "write --verify_only"] {
            std::fs::write(dir.path().join("file"), &bytes).unwrap();
            let line = format!("--verify=crc32c --size=64k --rw={rw}{options}");
            let Some(output) = fio(dir.path(), &line) else { return };
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        }
        bytes[40_000] ^= 1;
        std::fs::write(dir.path().join("file"), &bytes).unwrap();
        let output = fio(dir.path(), &format!("--verify=crc32c --size=64k --rw=read{options}")).unwrap();
        // With several headers in an I/O, fio 3.33 says so and ends with 0 all the same.
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("verify failed"), "{told}");
    }
}

#[test]
fn we_accept_what_fio_wrote_and_reject_it_when_it_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    for (options, header_every) in
        [("", BLOCK), (" --verify_interval=1k --iodepth=4 --ioengine=libaio", 1_024)]
    {
        let line = format!("--verify=crc32c --do_verify=0 --size=64k --rw=randwrite{options}");
        let Some(output) = fio(dir.path(), &line) else { return };
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let mut bytes = std::fs::read(dir.path().join("file")).unwrap();
        let verified = faults(&bytes, header_every, 0, |_| Expected::Any);
        assert_eq!((verified.blocks, verified.first), ((16 * BLOCK / header_every) as u64, None));
        bytes[40_000] ^= 1;
        assert_eq!(faults(&bytes, header_every, 0, |_| Expected::Any).bad_blocks, 1);
    }
}
