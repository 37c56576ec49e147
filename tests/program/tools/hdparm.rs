use std::fs;
use std::time::{Duration, Instant};

use super::{is_installed, masked, real};
use crate::common::loop_device::LoopDevice;
use crate::common::{Bench, has_message};

#[test]
fn timings_are_those_of_hdparm() {
    let bench = Bench::new();
    let Some(device) = LoopDevice::new(&bench) else {
        return cardiograph_testing::skip("hdparm of a device", "no loop device");
    };
    let untouched = vec![9; 8 << 20];
    fs::write(&device.backing, &untouched).unwrap();
    let has_hdparm = is_installed("hdparm", "-V");
    for (options, rest, rests_s) in [("-t", "", 3), ("-Tt --direct", "--rest 0", 0)] {
        let line = format!("hdparm {options} {}", device.path);
        let began = Instant::now();
        let ours = bench.run(&format!("{line} {rest}")).exits_with(0);
        assert!(began.elapsed() >= Duration::from_secs(rests_s), "{:?}", began.elapsed());
        // The whole device: 8 MiB.
        assert!(ours.stdout.contains("disk reads:   8 MB in "), "{}", ours.stdout);
        if has_hdparm {
            assert_eq!(masked(&ours.stdout), masked(&real(&bench, &line).exits_with(0).stdout), "{options}");
        }
        assert_eq!(has_message(&ours.stderr, "hdparm-note-memory"), options.contains('T'));
    }
    assert!(fs::read(&device.backing).unwrap() == untouched);
    let behind = bench.run(&format!("hdparm -t --offset 1 {}", device.path)).exits_with(2);
    behind.complains(&["@hdparm-too-small", "8388608"]);
}

#[test]
fn only_block_devices_are_accepted() {
    let bench = Bench::new();
    bench.file("file", "text");
    let cases = [
        ("-t file", "@hdparm-not-a-device"),
        ("-t .", "@hdparm-not-a-device"),
        ("-t /dev/null", "@hdparm-not-a-device"),
        ("-t none", "@hdparm-no-device"),
        ("-W0 /dev/null", "@hdparm-option.unknown"),
    ];
    for (words, message) in cases {
        let outcome = bench.run(&format!("hdparm {words}")).exits_with(2);
        outcome.complains(&[message]);
        assert!(outcome.stdout.is_empty(), "{words}");
    }
}
