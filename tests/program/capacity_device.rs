//! `check DEVICE --suite capacity`: it restores what it overwrites, whatever happens, and leaves data of others alone.

use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::Duration;

use cardiograph_core::claim::ClaimOutcome;
use cardiograph_core::report::ReportState;
use cardiograph_core::rng::Rng;
use cardiograph_core::{MIB, Report};
use cardiograph_testing::{part_or_all, skip};

use crate::common::loop_device::LoopDevice;
use crate::common::{Bench, Running, entries, has_message, signal_is_ignored, step_ids};

const BLOCK: usize = 4_096;
/// Attempts to catch a sample while it overwrites something.
const TRIES: u32 = 20;
/// When this much of 192 MiB has been saved, the first write is about to begin.
const SAVED_BYTES: u64 = 30 * MIB;

/// A device full of random bytes.
struct TestDevice {
    bench: Bench,
    device: LoopDevice,
    id: String,
    content: Vec<u8>,
}

impl TestDevice {
    fn with_mib(mib: u64) -> Option<Self> {
        let bench = Bench::new();
        let Some(device) = LoopDevice::with_mib(&bench, mib) else {
            skip("the capacity of whole devices", "no loop devices");
            return None;
        };
        let mut rng = Rng::new(mib);
        let mut content = vec![0; (mib * MIB) as usize];
        rng.fill(&mut content);
        std::fs::write(&device.backing, &content).unwrap();
        let id = device.id(&bench);
        Some(Self { bench, device, id, content })
    }

    fn line(&self, more: &str) -> String {
        format!("check {} --suite capacity --allow-erase {} {more}", self.device.path, self.id)
    }

    /// A sample stopped by SIGSTOP while part of the device is overwritten, however fast the device is.
    fn stopped_sample(&self) -> Running {
        for _ in 0..TRIES {
            let mut running = self.bench.start(&self.line("--no-keep"));
            while !running.has_ended() {
                let is_long =
                    |path: &PathBuf| std::fs::metadata(path).is_ok_and(|data| data.len() > SAVED_BYTES);
                if self.journals().iter().any(is_long) {
                    running.signal("STOP");
                    if self.has_changed() {
                        return running;
                    }
                    running.signal("CONT");
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            running.finish().exits_with(0);
        }
        panic!("no attempt caught it while it overwrites");
    }

    fn read_content(&self) -> Vec<u8> {
        std::fs::read(&self.device.backing).unwrap()
    }

    /// Numbers of the 4 KiB blocks that differ from `content`, in rising order. Lazily: a whole device takes long to read.
    fn differing_blocks<'a>(&self, content: &'a [u8]) -> impl Iterator<Item = usize> + use<'a> {
        const PART: usize = 256 * BLOCK;
        let file = std::fs::File::open(&self.device.backing).unwrap();
        assert_eq!(file.metadata().unwrap().len(), content.len() as u64);
        let mut now = vec![0; PART];
        content.chunks(PART).enumerate().flat_map(move |(part, before)| {
            let now = &mut now[..before.len()];
            file.read_exact_at(now, (part * PART) as u64).unwrap();
            let blocks = now.chunks(BLOCK).zip(before.chunks(BLOCK)).enumerate();
            let differing = blocks.filter(|(_, (now, before))| now != before);
            differing.map(|(block, _)| part * PART / BLOCK + block).collect::<Vec<_>>()
        })
    }

    /// Whether the whole device has this content.
    fn has_content(&self, content: &[u8]) -> bool {
        self.differing_blocks(content).next().is_none()
    }

    fn has_changed(&self) -> bool {
        !self.has_content(&self.content)
    }

    fn journals(&self) -> Vec<PathBuf> {
        let directory = self.bench.work().parent().unwrap().join("data/cardiograph/journals");
        entries(&directory).into_iter().map(|name| directory.join(name)).collect()
    }
}

fn outcome(report: &Report) -> ClaimOutcome {
    report.claims.iter().find(|claim| claim.id == "capacity").unwrap().outcome
}

#[test]
fn a_sample_restores_what_it_overwrote() {
    let Some(tested) = TestDevice::with_mib(64) else { return };
    let line = format!("check {} --suite capacity", tested.device.path);
    tested.bench.run(&line).exits_with(2).complains(&["@prepare-needs-consent.restored", "allow-erase"]);
    let line = format!("{line} --set proof=full");
    tested.bench.run(&line).exits_with(2).complains(&["@prepare-needs-consent.lost", "allow-erase"]);
    let run = tested.bench.run(&tested.line("--json")).exits_with(0);
    let report = run.report();
    assert_eq!(outcome(&report), ClaimOutcome::Kept, "{:?}", report.claims);
    let written = report.steps[0].result.as_ref().unwrap().merged(|_| true).write.ios;
    assert!(written > 100, "{written}");
    assert!(report.notes.iter().any(|note| note.id() == "restored"), "{:?}", report.notes);
    assert!(!tested.has_changed() && tested.journals().is_empty());
    // A sample cut short, or without any time, leaves nothing either.
    for limit in ["50ms", "1ms"] {
        tested.bench.run(&tested.line(&format!("--no-keep --max-time {limit}"))).exits_with(0);
        assert!(!tested.has_changed() && tested.journals().is_empty(), "{limit}");
    }
}

#[test]
fn a_killed_sample_is_undone_by_the_next() {
    let Some(tested) = TestDevice::with_mib(192) else { return };
    // Killed twice where it was stopped, then some time later: while it restores or at its end.
    let waits_ms = part_or_all(&[0, 0, 20][..], &[0, 0, 3, 20, 60, 120]);
    for (number, &wait_ms) in waits_ms.iter().enumerate() {
        let running = tested.stopped_sample();
        if wait_ms > 0 {
            running.signal("CONT");
            std::thread::sleep(Duration::from_millis(wait_ms));
        }
        running.signal("KILL");
        running.finish();
        let mut expected = tested.content.clone();
        // Data written by others meanwhile stays. Where nothing else is left to restore, the journal stays too.
        let changed: Vec<usize> = tested.differing_blocks(&tested.content).collect();
        let is_last = changed.last() < changed.first().map(|first| first + 256).as_ref();
        if let Some(&block) = changed.first().filter(|_| number > 0 && !is_last) {
            let file = std::fs::OpenOptions::new().write(true).open(&tested.device.path).unwrap();
            let mine = vec![number as u8 + 1; BLOCK];
            file.write_all_at(&mine, (block * BLOCK) as u64).unwrap();
            file.sync_all().unwrap();
            expected[block * BLOCK..][..BLOCK].copy_from_slice(&mine);
        }
        match number {
            // The next sample begins by restoring.
            0 => drop(tested.bench.run(&tested.line("--no-keep")).exits_with(0).says(&["@restored"])),
            _ => {
                let dry = tested.line("--set leftovers=remove --dry-run");
                let before = tested.read_content();
                let words =
                    if tested.journals().is_empty() { "@leftovers-none" } else { "@leftovers-would-restore" };
                tested.bench.run(&dry).exits_with(0).says(&[words]);
                assert!(tested.has_content(&before));
                tested.bench.run(&tested.line("--set leftovers=remove")).exits_with(0);
            }
        }
        assert!(tested.has_content(&expected), "after {wait_ms} ms");
        assert!(tested.journals().is_empty());
        std::fs::write(&tested.device.backing, &tested.content).unwrap();
    }
}

#[test]
fn a_full_proof_of_a_device_resumes_unless_another_program_wrote_to_it() {
    let Some(tested) = TestDevice::with_mib(320) else { return };
    let line = tested.line("--set proof=full");
    let interrupt = || {
        let mut running = tested.bench.start(&line);
        // Two parts are recorded in the journal, behind its head.
        running.wait_until(
            || {
                tested
                    .journals()
                    .iter()
                    .any(|path| std::fs::metadata(path).is_ok_and(|data| data.len() > 4_130))
            },
            "two parts are whole",
        );
        running.signal("KILL");
        running.finish();
        assert_eq!(tested.journals().len(), 1);
        tested.bench.delete_saved();
    };
    let parts = |report: &Report| step_ids(report).iter().filter(|id| id.starts_with("fill-")).count();

    interrupt();
    let report = tested.bench.run(&format!("{line} --no-keep --json")).exits_with(0).report();
    assert!(parts(&report) <= 18, "{:?}", step_ids(&report));
    assert_eq!((outcome(&report), report.state), (ClaimOutcome::Kept, ReportState::Finished));
    assert!(report.notes.iter().any(|note| note.id() == "parts-resumed"), "{:?}", report.notes);
    assert!(tested.journals().is_empty());

    // Like a file system whose superblock is behind the first KiB.
    interrupt();
    let file = std::fs::OpenOptions::new().write(true).open(&tested.device.path).unwrap();
    file.write_all_at(&[1; 1_024], 1_024).unwrap();
    file.sync_all().unwrap();
    drop(file);
    let report = tested.bench.run(&format!("{line} --no-keep --json")).exits_with(0).report();
    assert_eq!((parts(&report), outcome(&report)), (20, ClaimOutcome::Kept), "{:?}", report.claims);

    // An interrupted checkup says that the next one resumes.
    let mut running = tested.bench.start(&format!("{line} --no-keep"));
    running.wait_until(
        || tested.journals().iter().any(|path| std::fs::metadata(path).is_ok_and(|data| data.len() > 4_130)),
        "two parts are whole",
    );
    running.signal("TERM");
    running.finish().says(&["@parts-stay-on-device"]);
    tested.bench.run(&tested.line("--set leftovers=remove")).exits_with(0).says(&["@leftovers-forgotten"]);
    assert!(tested.journals().is_empty());
    tested.bench.run(&tested.line("--set leftovers=remove")).exits_with(0).says(&["@leftovers-none"]);
}

#[test]
fn saved_originals_are_listed_and_those_of_other_devices_stay() {
    let Some(tested) = TestDevice::with_mib(192) else { return };
    let running = tested.stopped_sample();
    running.signal("KILL");
    running.finish();
    let [journal] = &tested.journals()[..] else { panic!("{:?}", tested.journals()) };
    let file = journal.display().to_string();
    let (drive, json) =
        (format!("drive {}", tested.device.path), format!("drive {} --json", tested.device.path));
    let said = [
        "@journal-originals",
        &file,
        "@journal-originals.command",
        "cardiograph check /dev/loop",
        &tested.id,
    ];
    tested.bench.run(&drive).exits_with(0).says(&said);
    tested.bench.run("drive").exits_with(0).says(&said);
    let text = tested.bench.run(&json).exits_with(0).stdout;
    let form: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(form["journals"][0]["file"], file.as_str());
    assert_eq!(form["journals"][0]["keeps"], "originals");

    // Another device of the same length, full or empty, is left alone, and the saved data stays.
    for fill in [0, 0x5a] {
        let other_bench = Bench::new();
        let other = LoopDevice::with_mib(&other_bench, 192).unwrap();
        let content = vec![fill; 192 << 20];
        std::fs::write(&other.backing, &content).unwrap();
        let id = other.id(&tested.bench);
        let line = format!("check {} --suite capacity --allow-erase {id}", other.path);
        tested.bench.run(&format!("{line} --set leftovers=remove")).exits_with(0);
        assert!(std::fs::read(&other.backing).unwrap() == content && tested.journals().len() == 1, "{fill}");
    }
    tested.bench.run(&tested.line("--set leftovers=remove")).exits_with(0);
    assert!(!tested.has_changed() && tested.journals().is_empty());
    assert!(!has_message(&tested.bench.run("drive").exits_with(0).stdout, "journal-originals"));
}

#[test]
fn no_signal_ends_it_before_everything_is_restored() {
    let Some(tested) = TestDevice::with_mib(192) else { return };
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        if signal_is_ignored(signal) {
            skip(&format!("restoring despite SIG{signal}"), "the tests run with that signal ignored");
            continue;
        }
        let is_cut_short = (0..TRIES).any(|_| {
            let mut running = tested.stopped_sample();
            running.signal(signal);
            running.signal("CONT");
            // Most likely while it restores: impatient users press Ctrl-C repeatedly.
            let mut sent = 1;
            while tested.has_changed() && !running.has_ended() {
                let mut again = std::process::Command::new("kill");
                again.args([&format!("-{signal}"), &running.id().to_string()]);
                sent += u32::from(again.output().unwrap().status.success());
            }
            let outcome = running.finish();
            assert!(!tested.has_changed(), "{signal}, sent {sent} times: {}", outcome.stderr);
            assert!(tested.journals().is_empty(), "{signal}, sent {sent} times: {}", outcome.stderr);
            // Where the proof was complete and only restoring was left, nothing is cut short.
            let is_cut_short = outcome.status.code() != Some(0);
            outcome.exits_with(if is_cut_short { code } else { 0 });
            is_cut_short
        });
        assert!(is_cut_short, "{signal} came too late each time");
    }
}
