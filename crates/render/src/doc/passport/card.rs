//! The registers of a card.

use cardiograph_core::card::{
    ApplicationClass, Card, CardIdentity, CounterfeitHint, Emmc, EmmcPackage, Mark, Month, SdCard, SdData,
    SdKind, SdQueueUse, SdStatus, SpareBlocks,
};
use cardiograph_core::drive::Drive;
use cardiograph_core::{Message, Parameter, message};

use crate::doc::{Fact, Item, Node};

/// The registers of each card among the drives.
pub(super) fn sections(drive: &Drive) -> Vec<Node> {
    let cards = drive.leaves.iter().filter_map(|leaf| leaf.card.as_ref());
    cards
        .flat_map(|card| match card {
            Card::Sd(card) => [sd_section(card), signs(&card.hints)],
            Card::Emmc(chip) => [emmc_section(chip), None],
        })
        .flatten()
        .collect()
}

fn sd_section(card: &SdCard) -> Option<Node> {
    let version = card.configuration.as_ref().and_then(|configuration| configuration.version.as_ref());
    let version = Fact::from_phrases(message!("card-label.sd-version"), version.map(Message::verbatim));
    let status = match &card.status {
        Some(status) => status_facts(status, card.queue_use),
        None => vec![Fact::new(message!("card-label.marks"), message!("card-marks.unknown"))],
    };
    let data = card.data.iter().flat_map(data_facts);
    let facts = identity_facts(&card.identity).into_iter().chain(data).chain(version).chain(status);
    Node::facts("card", message!("card-heading.card"), facts.collect())
}

/// Signs of a counterfeit.
fn signs(hints: &[CounterfeitHint]) -> Option<Node> {
    let item = |hint: &CounterfeitHint| {
        let label = match hint.weight {
            1 => message!("counterfeit-weight.light"),
            2 => message!("counterfeit-weight.medium"),
            _ => message!("counterfeit-weight.heavy"),
        };
        Item::new(label, vec![hint.text.clone()])
    };
    let items: Vec<Item> = hints.iter().map(item).collect();
    let remark = [message!("counterfeit-remark.proof"), message!("counterfeit-remark.capacity")].to_vec();
    let nodes = if items.is_empty() { Vec::new() } else { vec![Node::Items(items), Node::paragraph(remark)] };
    Node::section("counterfeit", message!("counterfeit-heading"), nodes)
}

/// A simulated card has no identity.
fn identity_facts(identity: &CardIdentity) -> Vec<Fact> {
    if identity.maker_id == 0 && identity.product.is_empty() && identity.application_id.is_empty() {
        return Vec::new();
    }
    let CardIdentity { product, revision, .. } = identity;
    let product = [Message::verbatim(product), message!("card-revision", revision)];
    let made = identity.made.map(|Month { year, month }| Message::verbatim(format!("{year}-{month:02}")));
    let is_wrong = identity.checksum_is_right == Some(false);
    let facts = [
        Fact::from_phrases(message!("card-label.maker"), maker(identity)),
        Fact::from_phrases(message!("card-label.product"), product),
        Fact::from_phrases(message!("card-label.made"), made),
        Fact::from_phrases(message!("card-label.checksum"), is_wrong.then(|| message!("card-checksum"))),
    ];
    facts.into_iter().flatten().collect()
}

/// Ids are assigned and not published; the known ones were collected by users.
fn maker(identity: &CardIdentity) -> Vec<Message> {
    let names = || Parameter::all(&identity.makers);
    let (who, list) = match identity.makers.as_slice() {
        [] => (message!("card-maker.unknown"), None),
        _ if identity.maker_is_disputed => (message!("card-maker.disputed", makers = names()), None),
        [one] => (message!("card-maker.probable", maker = one), Some(message!("card-maker.list"))),
        _ => (message!("card-maker.several", makers = names()), None),
    };
    let id = message!("card-maker.id", id = format!("0x{:02x}", identity.maker_id));
    let application = message!("card-maker.application", id = &identity.application_id);
    [who, id, application].into_iter().chain(list).collect()
}

fn data_facts(data: &SdData) -> impl Iterator<Item = Fact> {
    let kind = match data.kind {
        SdKind::Sdsc => "SDSC",
        SdKind::Sdhc => "SDHC",
        SdKind::Sdxc => "SDXC",
        SdKind::Sduc => "SDUC",
    };
    let capacity = message!("card-capacity", capacity = Parameter::CapacityBytes(data.capacity_bytes));
    let protection = match (data.is_write_protected, data.is_write_protected_for_now) {
        (true, _) => Some(message!("card-protection.permanent")),
        (false, true) => Some(message!("card-protection.temporary")),
        (false, false) => None,
    };
    let facts = [
        Fact::from_phrases(message!("card-label.kind"), [Message::verbatim(kind), capacity]),
        Fact::from_phrases(message!("card-label.writes"), protection),
    ];
    facts.into_iter().flatten()
}

fn status_facts(status: &SdStatus, queue_use: Option<SdQueueUse>) -> Vec<Fact> {
    let marks = status.marks();
    let mut facts = Vec::new();
    if marks.is_empty() {
        facts.push(Fact::new(message!("card-label.marks"), message!("card-marks.none")));
    }
    facts.extend(marks.into_iter().enumerate().map(|(at, mark)| Fact {
        label: (at == 0).then(|| message!("card-label.marks")),
        term: Some(Message::verbatim(mark.label())),
        ..Fact::new(message!("card-label.marks"), meaning(mark))
    }));
    let size = Parameter::Bytes;
    let units = [
        status.allocation_unit_bytes.map(|bytes| message!("card-unit.plain", size = size(bytes))),
        status.uhs_allocation_unit_bytes.map(|bytes| message!("card-unit.uhs", size = size(bytes))),
        status.video_allocation_unit_bytes.map(|bytes| message!("card-unit.video", size = size(bytes))),
    ];
    let units: Vec<Message> = units.into_iter().flatten().collect();
    let meaning = (!units.is_empty()).then(|| message!("card-unit.meaning"));
    let cache = if status.has_cache { message!("card-cache.yes") } else { message!("card-cache.no") };
    facts.extend(Fact::from_phrases(message!("card-label.units"), units.into_iter().chain(meaning)));
    facts.extend(Fact::from_phrases(message!("card-label.queue"), queue(status, queue_use)));
    facts.push(Fact::new(message!("card-label.cache"), cache));
    facts.push(Fact::new(message!("card-label.trim"), discards(status)));
    facts
}

fn queue(status: &SdStatus, queue_use: Option<SdQueueUse>) -> Vec<Message> {
    let used = match queue_use {
        _ if status.queue_depth == 0 => return vec![message!("card-queue.none")],
        None => message!("card-queue.unknown"),
        Some(SdQueueUse::On { .. }) => message!("card-queue.used"),
        Some(SdQueueUse::HostOnly | SdQueueUse::Off) => message!("card-queue.unused"),
    };
    vec![message!("card-queue.depth", commands = u32::from(status.queue_depth)), used]
}

const fn discards(status: &SdStatus) -> Message {
    match (status.can_discard, status.can_erase_all) {
        (true, true) => message!("card-trim.blocks-and-all"),
        (true, false) => message!("card-trim.blocks"),
        (false, true) => message!("card-trim.units-or-all"),
        (false, false) => message!("card-trim.erase"),
    }
}

/// The meaning of a mark for the card's user.
fn meaning(mark: Mark) -> Message {
    let rate = Parameter::bytes_per_s(mark.sequential_write_bytes_per_s_min() as f64);
    match mark {
        Mark::Speed { .. } => message!("card-mark.speed", rate),
        Mark::Uhs { .. } => message!("card-mark.uhs", rate),
        Mark::Video { .. } => message!("card-mark.video", rate),
        Mark::Application { .. } => match mark.application_class() {
            Some(ApplicationClass { read_iops_min, write_iops_min, needs_queue_and_cache: false }) => {
                message!("card-mark.application", reads = read_iops_min, writes = write_iops_min)
            }
            Some(ApplicationClass { read_iops_min, write_iops_min, needs_queue_and_cache: true }) => {
                message!("card-mark.application-queue", reads = read_iops_min, writes = write_iops_min)
            }
            None => message!("card-mark.unknown"),
        },
    }
}

fn emmc_section(chip: &Emmc) -> Option<Node> {
    let package = chip.package.map(|package| match package {
        EmmcPackage::Removable => message!("card-package.removable"),
        EmmcPackage::Soldered => message!("card-package.soldered"),
        EmmcPackage::PackageOnPackage => message!("card-package.stacked"),
    });
    let spare = chip.spare.map(|spare| match spare {
        SpareBlocks::Normal => message!("card-spare.normal"),
        SpareBlocks::Warning => message!("card-spare.warning"),
        SpareBlocks::Urgent => message!("card-spare.urgent"),
    });
    let queue = chip.command_queue_is_on.map(|is_on| match is_on {
        true => message!("card-queue.used"),
        false => message!("card-queue.unused"),
    });
    let facts = [
        Fact::from_phrases(message!("card-label.emmc-version"), chip.version.as_ref().map(Message::verbatim)),
        Fact::from_phrases(message!("card-label.package"), package),
        Fact::from_phrases(message!("card-label.wear"), wear(chip)),
        Fact::from_phrases(message!("card-label.spare"), spare),
        Fact::from_phrases(message!("card-label.queue"), queue),
    ];
    let facts = identity_facts(&chip.identity).into_iter().chain(facts.into_iter().flatten());
    Node::facts("card", message!("card-heading.chip"), facts.collect())
}

fn wear(chip: &Emmc) -> Vec<Message> {
    if chip.is_worn_out {
        return vec![message!("card-wear.worn-out")];
    }
    let share = |percent: u8| Parameter::share(f64::from(percent) / 100.0);
    let [a, b] = chip.life_used_percent.map(|used| used.map(|(low, high)| (u32::from(low), share(high))));
    let used = [
        a.map(|(low, high)| message!("card-wear.type-a", low, high)),
        b.map(|(low, high)| message!("card-wear.type-b", low, high)),
    ];
    let used: Vec<Message> = used.into_iter().flatten().collect();
    if used.is_empty() { vec![message!("card-wear.unknown")] } else { used }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn each_mark_has_its_meaning() {
        for (mark, words) in [
            (Mark::Speed { class: 10 }, &["10 MB/s", "any host"][..]),
            (Mark::Uhs { grade: 1 }, &["10 MB/s", "UHS"]),
            (Mark::Uhs { grade: 3 }, &["30 MB/s", "UHS"]),
            (Mark::Video { class: 30 }, &["30 MB/s", "video"]),
            (Mark::Application { class: 1 }, &["1,500 random 4K reads", "500 random 4K writes"]),
            (Mark::Application { class: 2 }, &["4,000 random 4K reads", "2,000", "command queue"]),
            (Mark::Application { class: 3 }, &["unknown"]),
        ] {
            let meaning = Lang::EN.text(&meaning(mark));
            assert!(words.iter().all(|word| meaning.contains(word)), "{meaning}");
        }
    }

    #[test]
    fn a_manufacturer_is_as_certain_as_the_lists() {
        let said = |makers: &[&str], maker_is_disputed| {
            let makers = makers.iter().map(|maker| maker.to_string()).collect();
            let maker = maker(&CardIdentity {
                maker_id: 3,
                application_id: "SD".into(),
                makers,
                maker_is_disputed,
                ..Default::default()
            });
            Lang::EN.phrases(&maker)
        };
        assert_eq!(said(&[], false), "unknown, id 0x03, application id SD");
        assert_eq!(
            said(&["SanDisk"], false),
            "probably SanDisk, id 0x03, application id SD, the list of ids is not public"
        );
        assert_eq!(
            said(&["Lexar", "PNY"], false),
            "seen on cards of Lexar and PNY, id 0x03, application id SD"
        );
        assert!(said(&["Team Group", "SanDisk"], true).starts_with("lists disagree: Team Group and SanDisk"));
    }
}
