//! Command queue of SD cards: the features in the card's extension registers, and whether the kernel uses the
//! queue.

use cardiograph_core::card::{SdFeatures, SdQueueUse};

use crate::block::BlockDevice;
use crate::kernel_log;
use crate::link::mmc;
use crate::system::System;

/// Reads `ext_perf`, in hex: the Performance Enhancement Function as shown by the Raspberry Pi kernel.
pub(super) fn features(text: &str) -> Option<SdFeatures> {
    let text = text.trim();
    let bits = u8::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).ok()?;
    let has = |bit: u8| bits & bit != 0;
    Some(SdFeatures {
        has_card_maintenance: has(0x02),
        has_host_maintenance: has(0x04),
        has_cache: has(0x08),
        has_queue: has(0x10),
    })
}

/// How the kernel issues commands to the card, which only its log shows. `None` if that cannot be read, or no
/// longer contains the detection of the card.
pub(super) fn read_log(system: &System, device: &BlockDevice) -> Option<SdQueueUse> {
    let (host, address) = mmc::host_and_address(device)?;
    queue_use(&kernel_log::read(system).ok()?, &host, &address)
}

/// Queue use in the log of the card `address` of `host`. The queue is logged just before the card.
fn queue_use(log: &str, host: &str, address: &str) -> Option<SdQueueUse> {
    let start = format!("{host}: ");
    let new = format!(" card at address {address}");
    let (mut now, mut of_card) = (None, None);
    for line in log.lines() {
        let message = line.split_once(';').map_or(line, |(_, message)| message).trim_end();
        let Some(message) = message.strip_prefix(&start) else { continue };
        if let Some(rest) = message.strip_prefix("Command Queue Engine enabled") {
            now = Some(SdQueueUse::On { depth: depth(rest), recoveries: 0 });
        } else if message == "Host Software Queue enabled" {
            now = Some(SdQueueUse::HostOnly);
        } else if message.starts_with("Command Queue Engine disabled") {
            now = Some(SdQueueUse::Off);
        } else if message == "running CQE recovery" {
            if let Some(SdQueueUse::On { recoveries, .. }) = of_card.as_mut() {
                *recoveries += 1;
            }
            continue;
        } else if message.starts_with("card ") && message.ends_with(" removed") {
            (now, of_card) = (None, None);
            continue;
        } else if message.starts_with("new ") && message.ends_with(&new) {
            of_card = Some(now.unwrap_or(SdQueueUse::Off));
            continue;
        } else {
            continue;
        }
        // Refers to an earlier card: this one was set up again, or the start of the log is lost.
        if of_card.is_some() {
            of_card = now;
        }
    }
    of_card.or(now)
}

/// Parses `, 31 tags`.
fn depth(rest: &str) -> Option<u8> {
    rest.strip_prefix(", ")?.strip_suffix(" tags")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    const NEW: &str = "mmc0: new ultra high speed SDR104 SDXC card at address aaaa";
    const ON: &str = "mmc0: Command Queue Engine enabled, 31 tags";
    const HOST: &str = "mmc0: Host Software Queue enabled";
    const RECOVERY: &str = "mmc0: running CQE recovery";

    #[test]
    fn the_log_shows_whether_the_queue_is_used() {
        let on = |recoveries| Some(SdQueueUse::On { depth: Some(31), recoveries });
        let cases: [(&[&str], Option<SdQueueUse>); 13] = [
            (&[NEW], Some(SdQueueUse::Off)),
            // A Raspberry Pi 5 with `sd_cqe` (sbc-reviews issue 21), and an older one.
            (&[ON, NEW], on(0)),
            (&[HOST, NEW], Some(SdQueueUse::HostOnly)),
            (
                &["mmc0: Command Queue Engine enabled", NEW],
                Some(SdQueueUse::On { depth: None, recoveries: 0 }),
            ),
            // raspberrypi/linux issue 6561.
            (&[ON, NEW, RECOVERY, RECOVERY], on(2)),
            // Resumed, and set up again.
            (&[HOST, NEW, ON], on(0)),
            (&[ON, NEW, "mmc0: Command Queue Engine disabled"], Some(SdQueueUse::Off)),
            // Another card in the same slot.
            (&[ON, NEW, "mmc0: card aaaa removed", NEW], Some(SdQueueUse::Off)),
            (&[ON, NEW, "mmc0: card aaaa removed"], None),
            // The log of the card's detection has been overwritten.
            (&[ON], on(0)),
            (&["mmc1: Command Queue Engine enabled, 31 tags", NEW], Some(SdQueueUse::Off)),
            (&["mmc0: new high speed SDHC card at address bbbb"], None),
            (&["a user writes mmc0: Command Queue Engine enabled, 31 tags"], None),
        ];
        for (messages, expected) in cases {
            let log: String = messages
                .iter()
                .enumerate()
                .map(|(index, message)| format!("6,{index},2054896,-;{message}\n SUBSYSTEM=mmc\n"))
                .collect();
            assert_eq!(queue_use(&log, "mmc0", "aaaa"), expected, "{messages:?}");
        }
    }

    #[test]
    fn features_are_decoded_from_bits() {
        let all = SdFeatures {
            has_queue: true,
            has_cache: true,
            has_host_maintenance: true,
            has_card_maintenance: true,
        };
        assert_eq!(features("1f\n"), Some(all));
        assert_eq!(
            features("0x18"),
            Some(SdFeatures { has_queue: true, has_cache: true, ..Default::default() })
        );
        assert_eq!(features("00"), Some(SdFeatures::default()));
        for garbage in ["", "x", "100", "-1", "\u{1b}[2J"] {
            assert_eq!(features(garbage), None, "{garbage}");
        }
    }

    #[test]
    fn a_missing_queue_is_known_only_from_the_log() {
        let board = fixture::kingston_sd::machine();
        let use_of = || read_log(&board.system(), &board.system().block_by_name("mmcblk1").unwrap());
        assert_eq!(use_of(), Some(SdQueueUse::Off));
        board.remove("dev/kmsg");
        assert_eq!(use_of(), None);
    }
}
