//! The bus of SD cards and eMMC, from its host's settings, which only root may read, or else the kernel's
//! log.

use std::io;

use cardiograph_core::drive::{Fact, MmcLink, MmcSource, MmcTiming, Unknown, Why};

use super::usb;
use crate::attribute;
use crate::block::BlockDevice;
use crate::kernel_log;
use crate::system::System;

/// The link of a card or an eMMC.
pub(super) fn read(system: &System, device: &BlockDevice) -> Result<MmcLink, Unknown> {
    let unknown = |why| Unknown { fact: Fact::BusMode, why };
    let (host, address) = host_and_address(device).ok_or_else(|| unknown(Why::NotReported))?;
    let reader = usb::read(system, device);
    let settings = attribute::list(&system.under_root(format!("sys/kernel/debug/{host}/ios")));
    let settings_error = match settings {
        Ok(bytes) => match parse_settings(&String::from_utf8_lossy(&bytes)) {
            Some(link) => return Ok(MmcLink { reader, ..link }),
            None => None,
        },
        Err(error) => Some(error),
    };
    let log_error = match kernel_log::read(system) {
        Ok(log) => match parse_log(&log, &host, &address) {
            Some(timing) => {
                let (timing, source) = (Some(timing), Some(MmcSource::KernelLog));
                return Ok(MmcLink { timing, source, reader, ..MmcLink::default() });
            }
            None => None,
        },
        Err(error) => Some(error),
    };
    Err(unknown(why([settings_error, log_error])))
}

/// Host and address of a card, from the name of its directory, such as `mmc0:aaaa`.
pub(crate) fn host_and_address(device: &BlockDevice) -> Option<(String, String)> {
    device.dir.components().find_map(|component| {
        let (host, address) = component.as_os_str().to_str()?.split_once(':')?;
        let number = host.strip_prefix("mmc")?;
        number.parse::<u32>().is_ok().then(|| (host.to_string(), address.to_string()))
    })
}

/// Why neither source helped: only root may read them, an error, or missing information.
fn why(errors: [Option<io::Error>; 2]) -> Why {
    let errors = || errors.iter().flatten();
    if errors().any(|error| error.kind() == io::ErrorKind::PermissionDenied) {
        return Why::NeedsRoot;
    }
    // Neither file has to exist: debugfs may not be mounted, and a container has no log.
    match errors().find(|error| error.kind() != io::ErrorKind::NotFound) {
        Some(error) => Why::Unreadable { message: error.to_string() },
        None => Why::NotReported,
    }
}

/// Parses a host's `ios`. `None` if it does not contain the mode, because the host of a sleeping card is off.
fn parse_settings(text: &str) -> Option<MmcLink> {
    let field = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        value.split_whitespace().next()?.parse::<u64>().ok()
    };
    let (clock_hz, power) = (field("clock")?, field("power mode")?);
    if clock_hz == 0 || power == 0 {
        return None;
    }
    // Enhanced strobe is not a separate timing.
    let is_strobed = text.lines().any(|line| line.starts_with("timing spec:") && line.contains("strobe"));
    let timing = match field("timing spec")? {
        0 => MmcTiming::Legacy,
        1 => MmcTiming::MmcHighSpeed,
        2 => MmcTiming::SdHighSpeed,
        3 => MmcTiming::Sdr12,
        4 => MmcTiming::Sdr25,
        5 => MmcTiming::Sdr50,
        6 => MmcTiming::Sdr104,
        7 => MmcTiming::Ddr50,
        8 => MmcTiming::Ddr52,
        9 => MmcTiming::Hs200,
        10 if is_strobed => MmcTiming::Hs400EnhancedStrobe,
        10 => MmcTiming::Hs400,
        11 | 12 => MmcTiming::SdExpress,
        13..=16 => MmcTiming::UhsII,
        _ => return None,
    };
    Some(MmcLink {
        timing: Some(timing),
        clock_hz: field("actual clock").filter(|&hz| hz > 0).or(Some(clock_hz)),
        // A power of two, at most 2^3.
        lines: field("bus width").filter(|&power| power <= 3).map(|power| 1 << power),
        source: Some(MmcSource::Settings),
        reader: None,
    })
}

/// The latest mode in the log for the card `address` of `host`.
fn parse_log(log: &str, host: &str, address: &str) -> Option<MmcTiming> {
    let (start, end) = (format!("{host}: new "), format!(" card at address {address}"));
    let mode = log.lines().rev().find_map(|line| {
        let message = line.split_once(';').map_or(line, |(_, message)| message);
        message.trim_end().strip_prefix(&start)?.strip_suffix(&end)
    })?;
    let has = |word: &str| mode.split_whitespace().any(|part| part == word);
    let uhs = [
        ("SDR12", MmcTiming::Sdr12),
        ("SDR25", MmcTiming::Sdr25),
        ("SDR50", MmcTiming::Sdr50),
        ("SDR104", MmcTiming::Sdr104),
        ("DDR50", MmcTiming::Ddr50),
        ("UHS-II", MmcTiming::UhsII),
    ];
    if let Some((_, timing)) = uhs.into_iter().find(|(word, _)| has(word)) {
        return Some(timing);
    }
    Some(match () {
        () if has("HS400") && has("strobe") => MmcTiming::Hs400EnhancedStrobe,
        () if has("HS400") => MmcTiming::Hs400,
        () if has("HS200") => MmcTiming::Hs200,
        () if has("DDR") => MmcTiming::Ddr52,
        () if mode.starts_with("high speed") && has("MMC") => MmcTiming::MmcHighSpeed,
        () if mode.starts_with("high speed") => MmcTiming::SdHighSpeed,
        () if ["SD", "SDHC", "SDXC", "SDUC", "MMC"].contains(&mode) => MmcTiming::Legacy,
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Bus, LeafKind, UsbLink};

    use super::*;
    use crate::fixture::{self, Fixture};

    /// From `raspberrypi/linux` issue 3273, of a slot at High Speed; other test cases change a line or two.
    const SETTINGS: &str = "clock:\t\t50000000 Hz\nactual clock:\t50000000 Hz\nvdd:\t\t21 (3.3 ~ 3.4 V)\n\
        bus mode:\t2 (push-pull)\nchip select:\t0 (don't care)\npower mode:\t2 (on)\nbus width:\t2 (4 bits)\n\
        timing spec:\t2 (sd high-speed)\nsignal voltage:\t0 (3.30 V)\ndriver type:\t0 (driver type B)\n";
    /// The same slot when empty, from the same issue.
    const OFF: &str = "clock:\t\t0 Hz\nvdd:\t\t0 (invalid)\nbus mode:\t2 (push-pull)\n\
        chip select:\t0 (don't care)\npower mode:\t0 (off)\nbus width:\t0 (1 bits)\ntiming spec:\t0 (legacy)\n\
        signal voltage:\t0 (3.30 V)\ndriver type:\t0 (driver type B)\n";

    #[test]
    fn settings_are_parsed() {
        let link = parse_settings(SETTINGS).unwrap();
        assert_eq!(
            (link.timing, link.clock_hz, link.lines),
            (Some(MmcTiming::SdHighSpeed), Some(50_000_000), Some(4))
        );
        let emmc = SETTINGS
            .replace("actual clock:\t50000000", "actual clock:\t187500000")
            .replace("2 (4 bits)", "3 (8 bits)")
            .replace("2 (sd high-speed)", "10 (mmc HS400 enhanced strobe)");
        let link = parse_settings(&emmc).unwrap();
        assert_eq!(
            (link.timing, link.clock_hz, link.lines),
            (Some(MmcTiming::Hs400EnhancedStrobe), Some(187_500_000), Some(8))
        );
        let without_actual = SETTINGS.replace("actual clock:\t50000000 Hz\n", "");
        assert_eq!(parse_settings(&without_actual).unwrap().clock_hz, Some(50_000_000));
        let unknown = SETTINGS.replace("2 (sd high-speed)", "99 (invalid)");
        for nothing in [OFF, "", "clock:\n", "clock: 50 Hz\npower mode: 2\n", &unknown] {
            assert_eq!(parse_settings(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn the_mode_is_found_in_the_log() {
        let cases = [
            ("mmc0: new ultra high speed SDR104 SDXC card at address aaaa", Some(MmcTiming::Sdr104)),
            ("mmc0: new ultra high speed DDR50 SDHC card at address aaaa", Some(MmcTiming::Ddr50)),
            ("mmc0: new UHS-I speed SDR50 SDXC card at address aaaa", Some(MmcTiming::Sdr50)),
            ("mmc0: new UHS-II speed SDXC card at address aaaa", Some(MmcTiming::UhsII)),
            ("mmc0: new high speed SDHC card at address aaaa", Some(MmcTiming::SdHighSpeed)),
            ("mmc0: new SD card at address aaaa", Some(MmcTiming::Legacy)),
            (
                "mmc0: new HS400 Enhanced strobe MMC card at address aaaa",
                Some(MmcTiming::Hs400EnhancedStrobe),
            ),
            ("mmc0: new HS400 MMC card at address aaaa", Some(MmcTiming::Hs400)),
            ("mmc0: new HS200 MMC card at address aaaa", Some(MmcTiming::Hs200)),
            ("mmc0: new high speed DDR MMC card at address aaaa", Some(MmcTiming::Ddr52)),
            ("mmc0: new DDR MMC card at address aaaa", Some(MmcTiming::Ddr52)),
            ("mmc0: new high speed MMC card at address aaaa", Some(MmcTiming::MmcHighSpeed)),
            ("mmc1: new high speed SDHC card at address aaaa", None),
            ("mmc0: new high speed SDHC card at address aaab", None),
            ("mmc0: new marvellous card at address aaaa", None),
            ("someone writes mmc0: new high speed SDHC card at address aaaa", None),
        ];
        for (message, timing) in cases {
            let log =
                format!("6,1,0,-;Booting Linux\n6,412,1391045,-;{message}\n SUBSYSTEM=mmc\n6,413,2,-;end\n");
            assert_eq!(parse_log(&log, "mmc0", "aaaa"), timing, "{message}");
        }
        let twice = "6,1,0,-;mmc0: new high speed SDHC card at address aaaa\n\
            6,2,9,-;mmc0: new ultra high speed SDR104 SDHC card at address aaaa\n";
        assert_eq!(parse_log(twice, "mmc0", "aaaa"), Some(MmcTiming::Sdr104));
    }

    #[test]
    fn settings_take_precedence_over_the_log_and_a_sleeping_host_has_no_mode() {
        let board = fixture::kingston_sd::machine();
        let read = || {
            let system = board.system();
            super::super::find(&system, &system.block_by_name("mmcblk1").unwrap(), LeafKind::SdCard)
        };
        let (link, unknown) = read();
        let link = link.unwrap();
        assert_eq!((link.ceiling_bytes_per_s, unknown), (Some(104_000_000), None));
        let Bus::Mmc(bus) = link.bus else { panic!("MMC") };
        assert_eq!((bus.source, bus.clock_hz), (Some(MmcSource::KernelLog), None));
        board.file("sys/kernel/debug/mmc1/ios", OFF);
        assert_eq!(read().0.unwrap().ceiling_bytes_per_s, Some(104_000_000));
        board.file("sys/kernel/debug/mmc1/ios", SETTINGS);
        let Bus::Mmc(bus) = read().0.unwrap().bus else { panic!("MMC") };
        assert_eq!((bus.source, bus.timing), (Some(MmcSource::Settings), Some(MmcTiming::SdHighSpeed)));
        board.remove("sys/kernel/debug/mmc1/ios");
        board.file("dev/kmsg", "6,1,0,-;something else\n");
        let unknown = |why| (None, Some(Unknown { fact: Fact::BusMode, why }));
        assert_eq!(read(), unknown(Why::NotReported));
        board.remove("dev/kmsg");
        assert_eq!(read(), unknown(Why::NotReported));
        board.file("dev/kmsg/file", "");
        assert!(matches!(read().1.unwrap().why, Why::Unreadable { .. }));
    }

    #[test]
    fn information_for_root_only_is_reported_as_such() {
        let error = |kind| Some(io::Error::from(kind));
        let (denied, missing) = (io::ErrorKind::PermissionDenied, io::ErrorKind::NotFound);
        assert_eq!(why([error(denied), None]), Why::NeedsRoot);
        assert_eq!(why([error(missing), error(denied)]), Why::NeedsRoot);
        assert_eq!(why([error(missing), error(missing)]), Why::NotReported);
        assert_eq!(why([None, None]), Why::NotReported);
        let broken = why([error(missing), error(io::ErrorKind::InvalidData)]);
        assert!(matches!(broken, Why::Unreadable { .. }), "{broken:?}");
    }

    #[test]
    fn a_usb_reader_is_named_and_limits_the_card() {
        let fixture = Fixture::new();
        let reader = "pci0000:00/usb1/1-3";
        fixture.disk(
            &format!("{reader}/1-3:1.0/rtsx_usb_sdmmc.0/mmc_host/mmc0/mmc0:aaaa/block"),
            "mmcblk0",
            "179:0",
            8,
        );
        for (file, value) in [("idVendor", "0bda"), ("idProduct", "0129"), ("speed", "480")] {
            fixture.file(&format!("sys/devices/{reader}/{file}"), format!("{value}\n"));
        }
        fixture.file("dev/kmsg", "6,1,0,-;mmc0: new ultra high speed SDR104 SDXC card at address aaaa\n");
        let system = fixture.system();
        let device = system.block_by_name("mmcblk0").unwrap();
        let link = super::super::find(&system, &device, LeafKind::SdCard).0.unwrap();
        assert_eq!(link.ceiling_bytes_per_s, Some(60_000_000));
        let Bus::Mmc(MmcLink { reader: Some(UsbLink { vendor_id: Some(id), .. }), .. }) = link.bus else {
            panic!("a reader")
        };
        assert_eq!(id, "0bda");
    }
}
