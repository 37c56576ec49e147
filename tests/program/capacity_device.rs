//! `check DEVICE --suite capacity`: what it overwrites is put back, whatever happens, and what is somebody's is left alone.

use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::Duration;

use cardiograph_core::claim::ClaimOutcome;
use cardiograph_core::report::ReportState;
use cardiograph_core::rng::Rng;
use cardiograph_core::{MIB, Report};
use cardiograph_testing::{of_proof, skip};

use crate::common::loop_device::LoopDevice;
use crate::common::{Bench, Running, entries, has_message, hears, step_ids};

const BLOCK: usize = 4_096;
/// A sample that is looked at so often is seen while it overwrites something.
const TRIES: u32 = 20;
/// When so much of 192 MiB is saved, the first write is near.
const SAVED_BYTES: u64 = 30 * MIB;

/// A device full of bytes that nobody else has.
struct Bed {
    bench: Bench,
    device: LoopDevice,
    id: String,
    content: Vec<u8>,
}

impl Bed {
    fn of_mib(mib: u64) -> Option<Self> {
        let bench = Bench::new();
        let Some(device) = LoopDevice::of_mib(&bench, mib) else {
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
        format!("check {} --suite capacity --allow-destroy {} {more}", self.device.path, self.id)
    }

    /// A sample that was stopped by SIGSTOP while something is overwritten, however fast the device is.
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
        panic!("nothing was overwritten when it was looked at");
    }

    fn now(&self) -> Vec<u8> {
        std::fs::read(&self.device.backing).unwrap()
    }

    /// Blocks of 4 KiB that are not as in `content`, in rising order and as they are looked for: all of a device is much to read.
    fn unlike<'a>(&self, content: &'a [u8]) -> impl Iterator<Item = usize> + use<'a> {
        const PART: usize = 256 * BLOCK;
        let file = std::fs::File::open(&self.device.backing).unwrap();
        assert_eq!(file.metadata().unwrap().len(), content.len() as u64);
        let mut now = vec![0; PART];
        content.chunks(PART).enumerate().flat_map(move |(part, before)| {
            let now = &mut now[..before.len()];
            file.read_exact_at(now, (part * PART) as u64).unwrap();
            let blocks = now.chunks(BLOCK).zip(before.chunks(BLOCK)).enumerate();
            let unlike = blocks.filter(|(_, (now, before))| now != before);
            unlike.map(|(block, _)| part * PART / BLOCK + block).collect::<Vec<_>>()
        })
    }

    /// Whether all of the device is `content`.
    fn is(&self, content: &[u8]) -> bool {
        self.unlike(content).next().is_none()
    }

    fn has_changed(&self) -> bool {
        !self.is(&self.content)
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
fn a_sample_puts_back_what_it_overwrote() {
    let Some(bed) = Bed::of_mib(64) else { return };
    let line = format!("check {} --suite capacity", bed.device.path);
    bed.bench.run(&line).exits_with(2).complains(&["@prepare-needs-consent.restored", "allow-destroy"]);
    let line = format!("{line} --set proof=full");
    bed.bench.run(&line).exits_with(2).complains(&["@prepare-needs-consent.lost", "allow-destroy"]);
    let run = bed.bench.run(&bed.line("--json -")).exits_with(0);
    let report = run.report();
    assert_eq!(outcome(&report), ClaimOutcome::Kept, "{:?}", report.claims);
    let written = report.steps[0].result.as_ref().unwrap().merged(|_| true).write.ios;
    assert!(written > 100, "{written}");
    assert!(report.notes.iter().any(|note| note.id() == "restored"), "{:?}", report.notes);
    assert!(!bed.has_changed() && bed.journals().is_empty());
    // Nor does one that is ended early, or has no time at all, leave anything.
    for limit in ["50ms", "1ms"] {
        bed.bench.run(&bed.line(&format!("--no-keep --max-time {limit}"))).exits_with(0);
        assert!(!bed.has_changed() && bed.journals().is_empty(), "{limit}");
    }
}

#[test]
fn a_killed_sample_is_undone_by_the_next() {
    let Some(bed) = Bed::of_mib(192) else { return };
    // Twice where it was stopped, and then some time later, be it while it puts back or at its end.
    let waits_ms = of_proof(&[0, 0, 20][..], &[0, 0, 3, 20, 60, 120]);
    for (number, &wait_ms) in waits_ms.iter().enumerate() {
        let running = bed.stopped_sample();
        if wait_ms > 0 {
            running.signal("CONT");
            std::thread::sleep(Duration::from_millis(wait_ms));
        }
        running.signal("KILL");
        running.finish();
        let mut expected = bed.content.clone();
        // What somebody writes meanwhile is theirs. When no other place is left to put back, the journal stays.
        let changed: Vec<usize> = bed.unlike(&bed.content).collect();
        let is_last = changed.last() < changed.first().map(|first| first + 256).as_ref();
        if let Some(&block) = changed.first().filter(|_| number > 0 && !is_last) {
            let file = std::fs::OpenOptions::new().write(true).open(&bed.device.path).unwrap();
            let mine = vec![number as u8 + 1; BLOCK];
            file.write_all_at(&mine, (block * BLOCK) as u64).unwrap();
            file.sync_all().unwrap();
            expected[block * BLOCK..][..BLOCK].copy_from_slice(&mine);
        }
        match number {
            // The next sample begins with it.
            0 => drop(bed.bench.run(&bed.line("--no-keep")).exits_with(0).says(&["@restored"])),
            _ => {
                let dry = bed.line("--set leftovers=remove --dry-run");
                let before = bed.now();
                let words =
                    if bed.journals().is_empty() { "@leftovers-none" } else { "@leftovers-would-restore" };
                bed.bench.run(&dry).exits_with(0).says(&[words]);
                assert!(bed.is(&before));
                bed.bench.run(&bed.line("--set leftovers=remove")).exits_with(0);
            }
        }
        assert!(bed.is(&expected), "after {wait_ms} ms");
        assert!(bed.journals().is_empty());
        std::fs::write(&bed.device.backing, &bed.content).unwrap();
    }
}

#[test]
fn a_full_proof_of_a_device_goes_on_unless_somebody_has_written_to_it() {
    let Some(bed) = Bed::of_mib(320) else { return };
    let line = bed.line("--set proof=full");
    let interrupt = || {
        let mut running = bed.bench.start(&line);
        // Two parts are written down: each has a record behind the head.
        running.wait_until(
            || bed.journals().iter().any(|path| std::fs::metadata(path).is_ok_and(|data| data.len() > 4_130)),
            "two parts are whole",
        );
        running.signal("KILL");
        running.finish();
        assert_eq!(bed.journals().len(), 1);
        bed.bench.forget_kept();
    };
    let parts = |report: &Report| step_ids(report).iter().filter(|id| id.starts_with("fill-")).count();

    interrupt();
    let report = bed.bench.run(&format!("{line} --no-keep --json -")).exits_with(0).report();
    assert!(parts(&report) <= 18, "{:?}", step_ids(&report));
    assert_eq!((outcome(&report), report.state), (ClaimOutcome::Kept, ReportState::Finished));
    assert!(report.notes.iter().any(|note| note.id() == "parts-resumed"), "{:?}", report.notes);
    assert!(bed.journals().is_empty());

    // As a file system has it that begins behind its first KiB.
    interrupt();
    let file = std::fs::OpenOptions::new().write(true).open(&bed.device.path).unwrap();
    file.write_all_at(&[1; 1_024], 1_024).unwrap();
    file.sync_all().unwrap();
    drop(file);
    let report = bed.bench.run(&format!("{line} --no-keep --json -")).exits_with(0).report();
    assert_eq!((parts(&report), outcome(&report)), (20, ClaimOutcome::Kept), "{:?}", report.claims);

    // An interrupted checkup says that the next one resumes.
    let mut running = bed.bench.start(&format!("{line} --no-keep"));
    running.wait_until(
        || bed.journals().iter().any(|path| std::fs::metadata(path).is_ok_and(|data| data.len() > 4_130)),
        "two parts are whole",
    );
    running.signal("TERM");
    running.finish().says(&["@parts-stay-on-device"]);
    bed.bench.run(&bed.line("--set leftovers=remove")).exits_with(0).says(&["@leftovers-forgotten"]);
    assert!(bed.journals().is_empty());
    bed.bench.run(&bed.line("--set leftovers=remove")).exits_with(0).says(&["@leftovers-none"]);
}

#[test]
fn saved_originals_are_listed_and_those_of_other_devices_stay() {
    let Some(bed) = Bed::of_mib(192) else { return };
    let running = bed.stopped_sample();
    running.signal("KILL");
    running.finish();
    let [journal] = &bed.journals()[..] else { panic!("{:?}", bed.journals()) };
    let file = journal.display().to_string();
    let (drive, json) = (format!("drive {}", bed.device.path), format!("drive {} --json -", bed.device.path));
    let said =
        ["@journal-originals", &file, "@journal-originals.command", "cardiograph check /dev/loop", &bed.id];
    bed.bench.run(&drive).exits_with(0).says(&said);
    bed.bench.run("drive").exits_with(0).says(&said);
    let text = bed.bench.run(&json).exits_with(0).stdout;
    let form: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(form["journals"][0]["file"], file.as_str());
    assert_eq!(form["journals"][0]["keeps"], "originals");

    // Another device of the same length, be it full or empty, is left as it is, and what was saved stays.
    for fill in [0, 0x5a] {
        let elsewhere = Bench::new();
        let other = LoopDevice::of_mib(&elsewhere, 192).unwrap();
        let content = vec![fill; 192 << 20];
        std::fs::write(&other.backing, &content).unwrap();
        let id = other.id(&bed.bench);
        let line = format!("check {} --suite capacity --allow-destroy {id}", other.path);
        bed.bench.run(&format!("{line} --set leftovers=remove")).exits_with(0);
        assert!(std::fs::read(&other.backing).unwrap() == content && bed.journals().len() == 1, "{fill}");
    }
    bed.bench.run(&bed.line("--set leftovers=remove")).exits_with(0);
    assert!(!bed.has_changed() && bed.journals().is_empty());
    assert!(!has_message(&bed.bench.run("drive").exits_with(0).stdout, "journal-originals"));
}

#[test]
fn no_signal_ends_it_before_all_is_put_back() {
    let Some(bed) = Bed::of_mib(192) else { return };
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        if !hears(signal) {
            skip(&format!("restoring beside SIG{signal}"), "the tests run with that signal ignored");
            continue;
        }
        let is_cut_short = (0..TRIES).any(|_| {
            let mut running = bed.stopped_sample();
            running.signal(signal);
            running.signal("CONT");
            // Most likely while it puts back: whoever is impatient presses Ctrl-C again and again.
            let mut sent = 1;
            while bed.has_changed() && !running.has_ended() {
                let mut again = std::process::Command::new("kill");
                again.args([&format!("-{signal}"), &running.id().to_string()]);
                sent += u32::from(again.output().unwrap().status.success());
            }
            let outcome = running.finish();
            assert!(!bed.has_changed(), "{signal}, sent {sent} times: {}", outcome.stderr);
            assert!(bed.journals().is_empty(), "{signal}, sent {sent} times: {}", outcome.stderr);
            // When all was proved and only the rest had to be put back, nothing is cut short.
            let is_cut_short = outcome.status.code() != Some(0);
            outcome.exits_with(if is_cut_short { code } else { 0 });
            is_cut_short
        });
        assert!(is_cut_short, "{signal} came too late each time");
    }
}
