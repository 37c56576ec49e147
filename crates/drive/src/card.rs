//! SD cards and eMMC: their registers, which any user may read in `sys/block/mmcblkN/device`.

use cardiograph_core::card::{Card, Emmc, SdCard, SpareBlocks};
use cardiograph_core::drive::LeafKind;

use crate::block::BlockDevice;
use crate::system::System;

mod cid;
mod csd;
mod hints;
mod maker;
mod queue;
mod register;
mod scr;
mod ssr;

/// An SD card from the text of its attributes by name (`cid`, `csd`, `scr`, `ssr`, `ext_perf`). `None`
/// without an identity. Accepts any text, omitting invalid values.
pub fn sd(text: impl Fn(&str) -> Option<String>) -> Option<SdCard> {
    let identity = cid::parse_sd(&text("cid")?)?;
    Some(SdCard {
        hints: hints::check_sd(&identity),
        identity,
        data: text("csd").and_then(|text| csd::parse_sd(&text)),
        configuration: text("scr").and_then(|text| scr::parse_sd(&text)),
        status: text("ssr").and_then(|text| ssr::parse_sd(&text)),
        features: text("ext_perf").and_then(|text| queue::features(&text)),
        queue_use: None,
    })
}

/// An eMMC from the text of its attributes by name (`cid`, `rev`, `life_time`, `pre_eol_info`, `cmdq_en`).
/// `None` without an identity. Accepts any text, omitting invalid values.
pub fn emmc(text: impl Fn(&str) -> Option<String>) -> Option<Emmc> {
    let revision = text("rev").and_then(|text| number(&text));
    let (identity, package) = cid::parse_emmc(&text("cid")?, revision)?;
    let life = text("life_time");
    let mut steps = life.iter().flat_map(|text| text.split_whitespace()).map(number);
    let steps = [steps.next().flatten(), steps.next().flatten()];
    Some(Emmc {
        identity,
        version: revision.and_then(version).map(str::to_string),
        package,
        life_used_percent: steps.map(|step| step.and_then(life_used_percent)),
        is_worn_out: steps.contains(&Some(0x0b)),
        spare: text("pre_eol_info").and_then(|text| match number(&text)? {
            1 => Some(SpareBlocks::Normal),
            2 => Some(SpareBlocks::Warning),
            3 => Some(SpareBlocks::Urgent),
            _ => None,
        }),
        command_queue_is_on: text("cmdq_en").and_then(|text| match number(&text)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }),
    })
}

/// The registers of the card behind `device`.
pub(crate) fn describe(system: &System, device: &BlockDevice, kind: LeafKind) -> Option<Card> {
    let text = |name: &str| device.text(&format!("device/{name}"));
    match kind {
        LeafKind::SdCard => {
            let card = sd(text)?;
            Some(Card::Sd(SdCard { queue_use: queue::read_log(system, device), ..card }))
        }
        LeafKind::Emmc => emmc(text).map(Card::Emmc),
        _ => None,
    }
}

/// A number, hexadecimal if prefixed.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The version of the standard for a revision of the extended CSD (JESD84-B51, EXT_CSD[192]).
fn version(revision: u64) -> Option<&'static str> {
    ["4.0", "4.1", "4.2", "4.3", "4.4", "4.41", "4.5", "5.0", "5.1"]
        .get(usize::try_from(revision).ok()?)
        .copied()
}

/// Minimum and maximum share of life used, for a step (JESD84-B51, EXT_CSD[268, 269]): tenths from 1 on.
fn life_used_percent(step: u64) -> Option<(u8, u8)> {
    match step {
        1..=10 => Some((10 * (step as u8 - 1), 10 * step as u8)),
        11 => Some((100, 100)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::card::CardIdentity;

    use super::*;
    use crate::fixture::{self, Fixture};

    /// The registers in a tree, and the kernel's value of an attribute in the same tree.
    fn card_in<'f>(
        fixture: &'f Fixture,
        name: &str,
        kind: LeafKind,
    ) -> (Card, impl Fn(&str) -> String + use<'f>) {
        let system = fixture.system();
        let device = system.block_by_name(name).unwrap();
        let card = describe(&system, &device, kind).unwrap();
        (card, move |attribute| device.text(&format!("device/{attribute}")).unwrap())
    }

    /// Name, vendor, serial number and date as the kernel writes them.
    fn as_the_kernel_writes(identity: &CardIdentity) -> [String; 4] {
        let date = identity.made.map(|made| format!("{:02}/{}", made.month, made.year)).unwrap_or_default();
        [
            identity.product.clone(),
            format!("0x{:06x}", identity.maker_id),
            format!("0x{:08x}", identity.serial),
            date,
        ]
    }

    #[test]
    fn registers_match_the_kernels_reading() {
        for (fixture, name, maker) in [
            (fixture::pi_card::machine(), "mmcblk0", "SanDisk"),
            (fixture::kingston_sd::machine(), "mmcblk1", "Kingston"),
        ] {
            let (card, kernel) = card_in(&fixture, name, LeafKind::SdCard);
            let Card::Sd(card) = card else { panic!("{card:?}") };
            let kernels = ["name", "manfid", "serial", "date"].map(&kernel);
            assert_eq!(as_the_kernel_writes(&card.identity), kernels);
            assert!(card.identity.makers.iter().any(|known| known == maker), "{:?}", card.identity.makers);
            let version = |name: &str| kernel(name).trim_start_matches("0x").to_string();
            assert_eq!(card.identity.revision, format!("{}.{}", version("hwrev"), version("fwrev")));
            let letters = card.identity.application_id.bytes().map(|byte| format!("{byte:02x}"));
            assert_eq!(format!("0x{}", letters.collect::<String>()), kernel("oemid"));
            // The kernel's disk size equals that of the CSD.
            let sectors = fixture.system().block_by_name(name).unwrap().number("size");
            assert_eq!(card.data.map(|data| data.capacity_bytes / 512), sectors);
        }
        let board = fixture::emmc();
        let (chip, kernel) = card_in(&board, "mmcblk1", LeafKind::Emmc);
        let Card::Emmc(chip) = chip else { panic!("{chip:?}") };
        let mut ours = as_the_kernel_writes(&chip.identity);
        // The old kernel decoded the year as for a chip before version 4.41; this one is 4.5.
        assert_eq!((ours[3].as_str(), kernel("date").as_str()), ("05/2013", "05/1997"));
        ours[3] = kernel("date");
        assert_eq!(ours, ["name", "manfid", "serial", "date"].map(kernel));
        assert_eq!(chip.identity.makers, ["Samsung"]);
    }

    /// Attributes by name.
    fn lookup<'a>(attributes: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |name| Some(attributes.iter().find(|(known, _)| *known == name)?.1.to_string())
    }

    #[test]
    fn a_card_is_read_as_far_as_possible() {
        // From a coreboot developer's notes on the BeagleBone.
        let status = format!("0000000004000000040090000f051a{:098}", 0);
        let all = [
            ("cid", "035344534331364780ecf4c851011b85"),
            ("csd", "400e00325b59000076b27f800a404013"),
            ("scr", "0235804300000000"),
            ("ssr", status.as_str()),
        ];
        let card = sd(lookup(&all)).unwrap();
        assert_eq!(card.identity.makers, ["SanDisk"]);
        assert_eq!(card.data.unwrap().capacity_bytes, 31_116_288 * 512);
        assert_eq!(card.configuration.unwrap().version.as_deref(), Some("5.xx"));
        assert_eq!(card.status.unwrap().marks().len(), 2);
        assert_eq!(card.hints, []);
        // An old kernel has no status.
        let some = [("cid", "035344534331364780ecf4c851011b85"), ("csd", "garbage")];
        let card = sd(lookup(&some)).unwrap();
        assert_eq!((card.data, card.configuration, card.status), (None, None, None));
        assert_eq!(sd(lookup(&[("cid", "")])), None);
    }

    #[test]
    fn the_wear_of_an_emmc_is_read() {
        let cid = ("cid", "1501004d384731474303dc0db061506f");
        for (life, spare, expected, is_worn_out, blocks) in [
            ("0x01 0x02", "0x01", [Some((0, 10)), Some((10, 20))], false, Some(SpareBlocks::Normal)),
            ("0x00 0x0a", "0x02", [None, Some((90, 100))], false, Some(SpareBlocks::Warning)),
            ("0x0b 0x01", "0x03", [Some((100, 100)), Some((0, 10))], true, Some(SpareBlocks::Urgent)),
            ("0x0c", "0x00", [None, None], false, None),
            ("", "garbage", [None, None], false, None),
        ] {
            let attributes =
                [cid, ("rev", "0x7"), ("life_time", life), ("pre_eol_info", spare), ("cmdq_en", "0")];
            let chip = emmc(lookup(&attributes)).unwrap();
            assert_eq!((chip.life_used_percent, chip.is_worn_out), (expected, is_worn_out), "{life}");
            assert_eq!((chip.spare, chip.command_queue_is_on), (blocks, Some(false)));
            assert_eq!(chip.version.as_deref(), Some("5.0"));
        }
        let bare = emmc(lookup(&[cid])).unwrap();
        assert_eq!(
            (bare.version, bare.life_used_percent, bare.command_queue_is_on),
            (None, [None, None], None)
        );
    }
}
