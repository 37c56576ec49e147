//! `cardiograph drive`: the passport.

use cardiograph_core::drive::{LayerKind, PASSPORT_VERSION, Passport};
use cardiograph_testing::{LoopMount, skip};

use crate::common::{Bench, Outcome};

fn passport(outcome: &Outcome) -> Passport {
    let passport: Passport = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(passport.passport_version, PASSPORT_VERSION);
    assert!(passport.program.starts_with("cardiograph "), "{}", passport.program);
    passport
}

#[test]
fn the_drive_under_a_path_is_shown() {
    let bench = Bench::new();
    let outcome = bench.run("drive .").exits_with(0);
    outcome.says(&["@fs-heading", "@drive-label.mounted-at", "@machine-heading", "@machine-label.kernel"]);
    assert!(outcome.stdout.lines().all(|line| line.chars().count() <= 80), "{}", outcome.stdout);
    let shown = passport(&bench.run("drive . --json").exits_with(0));
    let [drive] = shown.drives.as_slice() else { panic!("{shown:?}") };
    assert!(drive.mount.is_some());
    // A passport is not a checkup: nothing is saved or left behind.
    assert_eq!((bench.saved().len(), bench.entries().len()), (0, 0));
}

#[test]
fn a_loop_device_is_found_by_all_its_names() {
    let mounted = match LoopMount::new(&["mkfs.ext4", "-q"], 16 << 20, "") {
        Ok(mounted) => mounted,
        Err(reason) => return skip("the passport of a loop device", &reason),
    };
    let bench = Bench::new();
    let by_path = passport(&bench.run(&format!("drive {} --json", mounted.path().display())).exits_with(0));
    let source = by_path.drives[0].mount.as_ref().unwrap().source.clone();
    let name = source.strip_prefix("/dev/").unwrap();
    for asked in [source.as_str(), name] {
        let by_name = passport(&bench.run(&format!("drive {asked} --json")).exits_with(0));
        let drive = &by_name.drives[0];
        assert_eq!(drive.path, asked);
        assert_eq!((drive.layers[0].kind, drive.layers[0].name.as_str()), (LayerKind::Loop, name));
        assert_eq!(drive.leaves, by_path.drives[0].leaves);
    }
}

#[test]
fn all_drives_are_listed_with_their_ids() {
    let bench = Bench::new();
    let shown = passport(&bench.run("drive --json").exits_with(0));
    let listed = bench.run("drive").exits_with(0);
    assert!(shown.drives.iter().all(|drive| drive.path.starts_with("/dev/") && drive.leaves.len() == 1));
    for leaf in shown.drives.iter().flat_map(|drive| &drive.leaves) {
        listed.says(&[&format!("/dev/{}", leaf.name), &format!("id {}", leaf.id.as_ref().unwrap())]);
        // This id approves the drive for erasing.
        assert!(!leaf.id.as_ref().unwrap().contains(' '));
    }
}

#[test]
fn missing_drives_are_reported() {
    let bench = Bench::new();
    for asked in ["/no/such/place", "sdzzz", "/dev/sdzzz"] {
        let outcome = bench.run(&format!("drive {asked}")).exits_with(2);
        outcome.complains(&[asked, "@drive-path-missing", "@checkup-target-unidentified.list"]);
    }
    let outcome = bench.run("drive . --export-json no/such/directory.json").exits_with(2);
    outcome.complains(&["--export-json", "no/such/directory.json", "No such file or directory"]);
}

#[test]
fn json_goes_to_a_file_and_text_to_standard_output() {
    let bench = Bench::new();
    bench.run("drive . --export-json shown.json").exits_with(0).says(&["@machine-heading"]);
    let shown: Passport =
        serde_json::from_str(&std::fs::read_to_string(bench.work().join("shown.json")).unwrap()).unwrap();
    assert_eq!(shown.drives.len(), 1);
}
