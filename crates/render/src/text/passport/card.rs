//! What the registers of a card say.

use cardiograph_core::card::{
    ApplicationClass, Card, CardIdentity, Emmc, EmmcPackage, Mark, SdCard, SdData, SdKind, SdQueueUse,
    SdStatus, SpareBlocks,
};
use cardiograph_core::drive::Drive;
use cardiograph_core::units;

use super::Rows;
use crate::text::layout::{joined, listed, plain};

/// The registers of each card among the drives.
pub(super) fn rows(drive: &Drive, rows: &mut Rows) {
    for leaf in &drive.leaves {
        match &leaf.card {
            Some(Card::Sd(card)) => of_sd(card, rows),
            Some(Card::Emmc(chip)) => of_emmc(chip, rows),
            None => {}
        }
    }
}

fn of_sd(card: &SdCard, rows: &mut Rows) {
    rows.head("What the card's registers say");
    of_identity(&card.identity, rows);
    if let Some(data) = &card.data {
        of_data(data, rows);
    }
    let version = card.configuration.as_ref().and_then(|configuration| configuration.version.as_deref());
    rows.row_of("SD version", version.map(plain));
    match &card.status {
        Some(status) => of_status(status, card.queue_use, rows),
        None => rows.row("Marks", "not known: the kernel shows the SD status from version 4.17 on"),
    }
    if !card.hints.is_empty() {
        rows.head("Signs of a counterfeit");
        for hint in &card.hints {
            let weight = match hint.weight {
                1 => "light",
                2 => "medium",
                _ => "heavy",
            };
            rows.row(weight, &plain(&hint.text));
        }
        rows.remark(
            "Registers can be copied, and genuine cards have been seen with each of these: none of them proves \
             anything. Whether the capacity is real can be measured.",
        );
    }
}

fn of_identity(identity: &CardIdentity, rows: &mut Rows) {
    rows.row("Maker", &maker(identity));
    let product = format!("{}, revision {}", plain(&identity.product), plain(&identity.revision));
    rows.row("Product", &product);
    rows.row_of("Made", identity.made.map(|made| format!("{:02}/{}", made.month, made.year)));
    if identity.checksum_is_right == Some(false) {
        rows.row("Checksum", "wrong: the register was damaged on its way, or made up");
    }
}

/// Ids are assigned and not published; what is known of them was collected by users.
fn maker(identity: &CardIdentity) -> String {
    let id = format!("id 0x{:02x}, application id {}", identity.maker_id, plain(&identity.application_id));
    let seen: Vec<String> = identity.makers.iter().map(|maker| plain(maker)).collect();
    match seen.as_slice() {
        [] => format!("not known ({id})"),
        _ if identity.maker_is_disputed => format!("{id}: lists name {}, and do not agree", listed(&seen)),
        [one] => format!("probably {one} ({id}; the list of ids is not public)"),
        _ => format!("{id}: seen on cards of {}", listed(&seen)),
    }
}

fn of_data(data: &SdData, rows: &mut Rows) {
    let kind = match data.kind {
        SdKind::Sdsc => "SDSC",
        SdKind::Sdhc => "SDHC",
        SdKind::Sdxc => "SDXC",
        SdKind::Sduc => "SDUC",
    };
    rows.row("Kind", &format!("{kind}, claims {}", units::bytes_si(data.capacity_bytes)));
    if data.is_write_protected {
        rows.row("Writing", "refused for ever: the card is at its end, or was made so");
    } else if data.is_write_protected_for_now {
        rows.row("Writing", "refused until its register is changed");
    }
}

fn of_status(status: &SdStatus, queue_use: Option<SdQueueUse>, rows: &mut Rows) {
    let marks = status.marks();
    if marks.is_empty() {
        rows.row("Marks", "none");
    }
    for (index, mark) in marks.into_iter().enumerate() {
        let label = if index == 0 { "Marks" } else { "" };
        rows.explained(label, &mark.label(), &meaning(mark));
    }
    let units_of = [
        status.allocation_unit_bytes.map(units::bytes),
        status.uhs_allocation_unit_bytes.map(|bytes| format!("{} on a UHS bus", units::bytes(bytes))),
        status.video_allocation_unit_bytes.map(|bytes| format!("{} for video", units::bytes(bytes))),
    ];
    let told = |units: String| format!("{units} at a time: classes hold for writes of whole units");
    rows.row_of("Allocates", joined(units_of, ", ").map(told));
    rows.row("Queue", &queue(status, queue_use));
    let has_cache = status.has_cache;
    rows.row("Cache", if has_cache { "for writes, if the host switches it on" } else { "none for writes" });
    rows.row("Discards", discards(status));
}

fn queue(status: &SdStatus, queue_use: Option<SdQueueUse>) -> String {
    let used = match queue_use {
        _ if status.queue_depth == 0 => return "none: one command at a time".to_string(),
        None => "if the host has a command queue, too",
        Some(SdQueueUse::On { .. }) => "and the kernel uses it",
        Some(SdQueueUse::HostOnly | SdQueueUse::Off) => "of which the kernel makes no use",
    };
    format!("{} commands at a time, {used}", status.queue_depth)
}

const fn discards(status: &SdStatus) -> &'static str {
    match (status.can_discard, status.can_erase_all) {
        (true, true) => "can forget single blocks, and erase all at once",
        (true, false) => "can forget single blocks",
        (false, true) => "can only erase: single units slowly, or all at once",
        (false, false) => "can only erase",
    }
}

/// What a mark means for who uses the card.
fn meaning(mark: Mark) -> String {
    let mb_per_s = mark.sequential_write_bytes_per_s_min() / 1_000_000;
    match mark {
        Mark::Speed { .. } => format!("records one stream with at least {mb_per_s} MB/s on any host"),
        Mark::Uhs { .. } => {
            format!("records one stream with at least {mb_per_s} MB/s on a host with a UHS bus")
        }
        Mark::Video { .. } => format!(
            "records video with at least {mb_per_s} MB/s, several files at a time, on a host that writes as the class asks"
        ),
        Mark::Application { .. } => match mark.application_class() {
            Some(class) => application(class),
            None => "an application performance class that is not known here".to_string(),
        },
    }
}

fn application(class: ApplicationClass) -> String {
    let ApplicationClass { read_iops_min, write_iops_min, needs_queue_and_cache } = class;
    let host = if needs_queue_and_cache { ", on a host that uses its command queue and cache" } else { "" };
    let [reads, writes] = [read_iops_min, write_iops_min].map(units::count);
    format!(
        "runs programs and a system: at least {reads} random reads and {writes} random writes of 4 KiB a second{host}"
    )
}

fn of_emmc(chip: &Emmc, rows: &mut Rows) {
    rows.head("What the chip's registers say");
    of_identity(&chip.identity, rows);
    rows.row_of("eMMC version", chip.version.as_deref().map(plain));
    let package = chip.package.map(|package| match package {
        EmmcPackage::Removable => "a card that can be taken out",
        EmmcPackage::Soldered => "soldered",
        EmmcPackage::PackageOnPackage => "soldered below another chip",
    });
    rows.row_of("Package", package);
    rows.row("Wear", &wear(chip));
    let spare = chip.spare.map(|spare| match spare {
        SpareBlocks::Normal => "less than 80 % used",
        SpareBlocks::Warning => "80 % used: replace it soon",
        SpareBlocks::Urgent => "90 % used: replace it now",
    });
    rows.row_of("Spare blocks", spare);
    let queue = chip.command_queue_is_on.map(|is_on| match is_on {
        true => "the kernel uses its command queue",
        false => "the kernel does not use its command queue",
    });
    rows.row_of("Queue", queue);
}

fn wear(chip: &Emmc) -> String {
    if chip.is_worn_out {
        return "beyond its rated life: replace it".to_string();
    }
    let of_kind = |index: usize, kind: &str| {
        let (low, high) = chip.life_used_percent[index]?;
        Some(format!("{low} to {high} % of the rated life of its {kind} memory"))
    };
    let used: Vec<String> = [of_kind(0, "type A"), of_kind(1, "type B")].into_iter().flatten().collect();
    if used.is_empty() { "it does not tell".to_string() } else { format!("used {}", listed(&used)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_has_its_meaning() {
        for (mark, words) in [
            (Mark::Speed { class: 10 }, &["10 MB/s", "any host"][..]),
            (Mark::Uhs { grade: 1 }, &["10 MB/s", "UHS"]),
            (Mark::Uhs { grade: 3 }, &["30 MB/s", "UHS"]),
            (Mark::Video { class: 30 }, &["30 MB/s", "video"]),
            (Mark::Application { class: 1 }, &["1,500 random reads", "500 random writes"]),
            (Mark::Application { class: 2 }, &["4,000 random reads", "2,000", "command queue"]),
            (Mark::Application { class: 3 }, &["not known"]),
        ] {
            let meaning = meaning(mark);
            assert!(words.iter().all(|word| meaning.contains(word)), "{meaning}");
        }
    }

    #[test]
    fn a_maker_is_never_more_certain_than_the_lists() {
        let said = |makers: &[&str], maker_is_disputed| {
            let makers = makers.iter().map(|maker| maker.to_string()).collect();
            maker(&CardIdentity {
                maker_id: 3,
                application_id: "SD".into(),
                makers,
                maker_is_disputed,
                ..Default::default()
            })
        };
        assert_eq!(said(&[], false), "not known (id 0x03, application id SD)");
        assert_eq!(
            said(&["SanDisk"], false),
            "probably SanDisk (id 0x03, application id SD; the list of ids is not public)"
        );
        assert_eq!(
            said(&["Lexar", "PNY"], false),
            "id 0x03, application id SD: seen on cards of Lexar and PNY"
        );
        assert!(said(&["Team Group", "SanDisk"], true).ends_with("do not agree"));
    }
}
