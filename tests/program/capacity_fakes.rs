//! The suite `capacity` on a hundred fakes and a hundred honest drives of different size, kind and real capacity: no
//! honest drive is condemned, no fake passes the full proof, and the sample finds what it claims to find.
//!
//! Here the suite's steps are done block by block on simulated drives, with a stamp for each block of 4 KiB.
//! `check_capacity.rs` tests the same through headers, checksums and engines.

use cardiograph_core::claim::ClaimOutcome;
use cardiograph_core::drive::{Drive, Environment};
use cardiograph_core::metric::Metric;
use cardiograph_core::report::{Step, StepResult};
use cardiograph_core::result::{BadSpan, FoundWrite, MismatchKind, Verified};
use cardiograph_core::rng::Rng;
use cardiograph_core::verdict::Level;
use cardiograph_core::{Direction, MIB, Report};
use cardiograph_engine::sim::{DriveModel, SimDrive};
use cardiograph_jobs::settings::Settings as _;
use cardiograph_render::lang::Lang;
use cardiograph_suites::{Context, Options, Settings, Suite};
use cardiograph_testing::drives::PLAIN;

use crate::common::Bench;

const BLOCK: u64 = 4_096;
const CELL: u64 = 64 << 10;
const WRITE: u64 = MIB;
/// Marks the stamps of this checkup; the rest of a stamp is the number of its block.
const TAG: u128 = 0x5eed << 64;

/// A drive and its true properties.
struct Sample {
    drive: std::sync::Arc<SimDrive>,
    /// Claimed capacity.
    claimed_bytes: u64,
    /// Real capacity.
    real_bytes: u64,
    kind: &'static str,
}

/// A drive of 64 to 512 MiB: honest, or a fake of any kind with a share of that as its real capacity.
fn drive(seed: u64, is_fake: bool, shares: (f64, f64)) -> Sample {
    let mut rng = Rng::new(seed);
    let claimed_bytes = (64 + rng.below(449)) * MIB;
    let share = shares.0 + (shares.1 - shares.0) * rng.unit();
    let real_bytes =
        if is_fake { (claimed_bytes as f64 * share) as u64 / BLOCK * BLOCK } else { claimed_bytes };
    let capacity = |bytes: u64| format!("capacity_bytes = {bytes}");
    let mut text = PLAIN
        .replace(&capacity(4_294_967_296).replace("4294967296", "4_294_967_296"), &capacity(claimed_bytes));
    assert_ne!(text, PLAIN);
    let kind = ["wrap", "limbo", "garbage", "chain"][rng.below(4) as usize];
    if is_fake {
        let mut fake = format!("\n[fake]\nreal_capacity_bytes = {real_bytes}\nbeyond = '{kind}'\n");
        if kind == "chain" {
            let decoded_blocks = real_bytes / BLOCK + rng.below((claimed_bytes - real_bytes) / BLOCK);
            fake += &format!("decoded_bytes = {}\n", decoded_blocks * BLOCK);
        } else if kind != "wrap" {
            fake += &format!("front_bytes = {}\n", rng.below(MIB / BLOCK) * BLOCK);
        }
        text += &fake;
    }
    let model = DriveModel::from_toml(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    Sample { drive: SimDrive::new(model, seed), claimed_bytes, real_bytes, kind }
}

/// A result to fill in, from a small checkup by the program.
fn template() -> StepResult {
    let bench = Bench::new();
    bench.file("plain.toml", PLAIN);
    let line =
        "check --simulate plain.toml --suite capacity --set proof=full --set size=16M --no-keep --json";
    let report: Report = bench.run(line).exits_with(0).report();
    report.steps.last().unwrap().clone()
}

/// Does the steps of a suite on a drive.
struct Runner<'a> {
    sample: &'a Sample,
    template: &'a StepResult,
    seed: u64,
}

impl Runner<'_> {
    /// The blocks that a step writes or reads, in order: offset in its file, and number.
    fn blocks(&self, step: &Step, first_write: u64) -> Vec<(u64, u64)> {
        let job = &step.jobs()[0];
        let len_bytes = step.files[0].len_bytes;
        let Some(ios) = job.last("number_ios") else {
            return (0..len_bytes / BLOCK)
                .map(|block| (block * BLOCK, first_write * WRITE / BLOCK + block))
                .collect();
        };
        // Any order without repetition, the same for both steps.
        let mut cells: Vec<u64> = (0..len_bytes / CELL).collect();
        let mut rng = Rng::new(self.seed ^ 0xd4a7);
        let ios: usize = ios.parse().unwrap();
        for at in 0..ios {
            let other = at + rng.below((cells.len() - at) as u64) as usize;
            cells.swap(at, other);
        }
        let per_cell = CELL / BLOCK;
        let blocks_of = |(write, cell): (usize, &u64)| {
            let (write, cell) = (write as u64, *cell);
            (0..per_cell).map(move |block| (cell * CELL + block * BLOCK, write * per_cell + block))
        };
        cells[..ios].iter().enumerate().flat_map(blocks_of).collect()
    }

    /// Does a step on a file that begins at `base_bytes` of the drive.
    fn run(&self, step: Step, first_write: u64, base_bytes: u64) -> StepResult {
        let blocks = self.blocks(&step, first_write);
        let mut result = self.template.clone();
        let worker = &mut result.result.as_mut().unwrap().workers[0];
        let drive = &self.sample.drive;
        if step.write_bytes_max > 0 {
            for &(at, number) in &blocks {
                drive.store_content(base_bytes + at, TAG | u128::from(number + 1));
            }
            worker.directions[Direction::Write].ios = blocks.len() as u64 * BLOCK / CELL;
            worker.verified = None;
        } else {
            worker.verified =
                Some(self.read(&blocks, base_bytes, step.jobs()[0].last("number_ios").is_some()));
        }
        StepResult { step, ..result }
    }

    fn read(&self, blocks: &[(u64, u64)], base_bytes: u64, is_sample: bool) -> Verified {
        let offsets: std::collections::HashMap<u64, u64> = match is_sample {
            true => blocks.iter().map(|&(at, number)| (number, at)).collect(),
            false => Default::default(),
        };
        let mut verified = Verified { blocks: blocks.len() as u64, ..Verified::default() };
        for &(at, number) in blocks {
            let stamp = self.sample.drive.load_content(base_bytes + at);
            if stamp == TAG | u128::from(number + 1) {
                continue;
            }
            let is_ours = stamp >> 64 == TAG >> 64;
            let kind = match stamp {
                0 => MismatchKind::Unwritten,
                _ if is_ours => MismatchKind::Misdirected,
                _ => MismatchKind::Damaged,
            };
            let found = is_ours.then(|| {
                let other = stamp as u64 - 1;
                let offset_bytes = offsets.get(&other).copied().unwrap_or(other * BLOCK);
                FoundWrite { number: other * BLOCK / WRITE, offset_bytes }
            });
            verified.bad_blocks += 1;
            *verified.kinds.entry(kind).or_default() += 1;
            let target = "f".to_string();
            verified.note_span(BadSpan { target, offset_bytes: at, len_bytes: BLOCK, kind, found });
        }
        verified
    }
}

/// The suite's result for a drive: the claim's outcome, the capacity, the best level of any purpose, and the reasons.
fn judged(
    sample: &Sample,
    template: &StepResult,
    proof: &str,
    seed: u64,
) -> (ClaimOutcome, f64, Level, String) {
    let suite: &dyn Suite = cardiograph_suites::find("capacity").unwrap();
    let drive = Drive { capacity_bytes: Some(sample.claimed_bytes), simulated: true, ..Drive::default() };
    let given = [("proof".to_string(), proof.to_string())];
    let settings = Settings::parse("capacity", suite.settings(), &given).unwrap();
    let options = Options { settings, ..Options::default() };
    let environment = Environment::default();
    let context = Context { drive: &drive, environment: &environment, options: &options };
    let runner = Runner { sample, template, seed };
    let mut done: Vec<StepResult> = Vec::new();
    while let Some(next) = suite.next(&context, &done) {
        let sequence = next.sequence.unwrap();
        let base_bytes = sequence.part.map_or(0, |part| u64::from(part.number) * part.part_bytes);
        done.push(runner.run(next.step, sequence.first_write, base_bytes));
    }
    let claim = suite.claims(&context, &done).remove(0);
    let measurements = suite.measure(&context, &done);
    let levels = suite
        .judge(&context, &measurements, &cardiograph_judge::purpose::PURPOSES)
        .into_iter()
        .map(|verdict| verdict.level);
    let capacity = measurements[&Metric::Capacity].estimate.value;
    (claim.outcome, capacity, levels.max().unwrap(), Lang::EN.sentences(&claim.reasons))
}

#[test]
fn no_fake_passes_and_no_honest_drive_is_condemned() {
    let template = template();
    for seed in 0..100 {
        let fake = drive(seed, true, (0.05, 0.95));
        let (outcome, capacity, best, reasons) = judged(&fake, &template, "full", seed);
        assert_eq!(outcome, ClaimOutcome::Broken, "{seed} {}: {reasons}", fake.kind);
        assert_eq!(best, Level::NotEnough, "{seed}");
        // A front below 1 MiB adds to the real capacity.
        let (real, error) = (fake.real_bytes as f64, 1.1 * MIB as f64);
        assert!((capacity - real).abs() <= error, "{seed} {}: {capacity} of {real}: {reasons}", fake.kind);
        let honest = drive(seed, false, (1.0, 1.0));
        let (outcome, capacity, _, reasons) = judged(&honest, &template, "full", seed);
        assert_eq!(outcome, ClaimOutcome::Kept, "{seed}: {reasons}");
        assert_eq!(capacity, honest.claimed_bytes as f64);
    }
}

#[test]
fn a_sample_finds_every_fake_that_holds_less_than_half() {
    let template = template();
    // Each is missed with a probability below 1 in 1,000,000.
    for seed in 0..100 {
        let fake = drive(1_000 + seed, true, (0.05, 0.5));
        let (outcome, capacity, best, reasons) = judged(&fake, &template, "sample", seed);
        assert_eq!(outcome, ClaimOutcome::Broken, "{seed} {}: {reasons}", fake.kind);
        assert_eq!(best, Level::NotEnough, "{seed}");
        assert!(capacity < 0.8 * fake.claimed_bytes as f64, "{seed} {}: {capacity}", fake.kind);
        let honest = drive(1_000 + seed, false, (1.0, 1.0));
        let (outcome, _, _, reasons) = judged(&honest, &template, "sample", seed);
        assert_eq!(outcome, ClaimOutcome::Kept, "{seed}: {reasons}");
    }
}
