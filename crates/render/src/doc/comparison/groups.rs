//! The groups, and other differences between them.

use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::compare::{ComparedGroup, FactDifference};

use crate::doc::Fact;
use crate::text::{cut, layout};

/// Maximum columns of a group's name, and of its end if the middle is left out.
const NAME_COLUMNS: usize = 24;
const NAME_END_COLUMNS: usize = 8;

/// The groups' names in tables and sentences: whole, or without what stands in parentheses, or cut.
pub(crate) fn names(groups: &[ComparedGroup]) -> Vec<String> {
    let whole: Vec<String> = groups.iter().map(|group| layout::plain(&group.name)).collect();
    let bare: Vec<String> = whole.iter().map(|name| without_parentheses(name)).collect();
    let is_bare = |at: usize| bare.iter().filter(|other| **other == bare[at]).count() == 1;
    let name = |at: usize| match layout::width(&whole[at]) <= NAME_COLUMNS {
        true => whole[at].clone(),
        false if is_bare(at) => cut_middle(&bare[at]),
        false => cut_middle(&whole[at]),
    };
    (0..groups.len()).map(name).collect()
}

/// `KIOXIA 960 GB, 50MHz` for `KIOXIA 960 GB (SATA via USB 3.2), 50MHz`.
fn without_parentheses(name: &str) -> String {
    let mut depth = 0_usize;
    let outside = name.chars().filter(|letter| {
        let was_inside = depth > 0;
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        !was_inside && depth == 0
    });
    let text: String = outside.collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").replace(" ,", ",");
    if text.is_empty() { name.to_string() } else { text }
}

fn cut_middle(name: &str) -> String {
    if layout::width(name) <= NAME_COLUMNS {
        return name.to_string();
    }
    // Similar names differ at their end: `a long label of card 1`.
    let fits = |at: &usize| layout::width(&name[*at..]) <= NAME_END_COLUMNS;
    let end = name.char_indices().map(|(at, _)| at).find(fits).unwrap_or(name.len());
    format!("{}{}", cut(name, NAME_COLUMNS - layout::width(&name[end..])), &name[end..])
}

/// A group's description: `2 runs, SD64G, 64 GB, 980 JPY, 15.3 JPY per GB`.
pub(super) fn group(name: &str, group: &ComparedGroup) -> Fact {
    let mut parts = vec![message!("comparison-group.runs", runs = group.runs.len())];
    let mut models: Vec<String> = group.runs.iter().flat_map(|run| &run.models).map(str::to_string).collect();
    let has_others = !models.is_empty() && group.runs.iter().any(|run| run.models.as_str().is_empty());
    if models.is_empty() {
        // Imports often know only the name of a drive.
        let paths = group.runs.iter().map(|run| run.path.to_string());
        models = paths.filter(|path| !path.is_empty()).collect();
    }
    models.sort();
    models.dedup();
    parts.extend(models.into_iter().map(Message::verbatim));
    parts.extend(has_others.then(|| message!("comparison-group.others")));
    parts.extend(group.capacity_bytes.map(|bytes| Message::quantity(Parameter::CapacityBytes(bytes))));
    if let Some(price) = &group.price {
        let currency = price.currency.as_str();
        let amount = |amount| Parameter::number(amount);
        parts.push(message!("comparison-price.whole", amount = amount(price.amount), currency));
        let per_gb = |price| message!("comparison-price.per-gb", amount = amount(price), currency);
        parts.extend(group.price_per_gb.map(per_gb));
    }
    Fact { value: parts, ..Fact::new(Message::verbatim(name), Message::default()) }
}

/// A fact that differs between groups, with each group's values.
pub(super) fn fact(names: &[String], fact: &FactDifference) -> Fact {
    let label = fact_label(&fact.name);
    let group_value = |(name, values): (&String, &Vec<String>)| {
        let values: Vec<Parameter> = values.iter().flat_map(|value| fact_values(&fact.name, value)).collect();
        match values.is_empty() {
            true => message!("comparison-group.unknown", group = name),
            false => message!("comparison-group.value", group = name, value = Parameter::All(values)),
        }
    };
    let value = names.iter().zip(&fact.values).map(group_value).collect();
    Fact { value, ..Fact::new(label, Message::default()) }
}

/// The values of a fact: those of several drives are one text.
pub(crate) fn fact_values(name: &str, value: &str) -> Vec<Parameter> {
    let worded: fn(u64) -> Parameter = match name {
        "capacity_bytes" => Parameter::CapacityBytes,
        "link_bytes_per_s" => |bytes| Parameter::bytes_per_s(bytes as f64),
        _ => Parameter::Bytes,
    };
    if !name.contains("_bytes") {
        return vec![Parameter::from(value)];
    }
    let one = |one: &str| one.parse().map_or_else(|_| Parameter::from(one), worded);
    value.split(", ").map(one).collect()
}

/// The label of a fact, by its name in the JSON. Names of the user's tags are arbitrary.
pub(crate) fn fact_label(name: &str) -> Message {
    match name {
        "capacity_bytes" => message!("comparison-fact.capacity"),
        "link_bytes_per_s" => message!("comparison-fact.link"),
        "memory_bytes" => message!("comparison-fact.memory"),
        "file_system_block_bytes" => message!("comparison-fact.file-system-block"),
        "host" => message!("comparison-fact.host"),
        "board" => message!("comparison-fact.board"),
        "cpu" => message!("comparison-fact.cpu"),
        "cpus" => message!("comparison-fact.cpus"),
        "kernel" => message!("comparison-fact.kernel"),
        "arch" => message!("comparison-fact.arch"),
        "os" => message!("comparison-fact.os"),
        "governor" => message!("comparison-fact.governor"),
        "program" => message!("comparison-fact.program"),
        "suite" => message!("comparison-fact.suite"),
        "model" => message!("comparison-fact.model"),
        "serial" => message!("comparison-fact.serial"),
        "firmware" => message!("comparison-fact.firmware"),
        "scheduler" => message!("comparison-fact.scheduler"),
        "write_cache" => message!("comparison-fact.write-cache"),
        "bus" => message!("comparison-fact.bus"),
        "raid_level" => message!("comparison-fact.raid-level"),
        "raid_write_policy" => message!("comparison-fact.raid-write-policy"),
        "raid_read_ahead" => message!("comparison-fact.raid-read-ahead"),
        "drives" => message!("comparison-fact.drives"),
        "layers" => message!("comparison-fact.layers"),
        "file_system" => message!("comparison-fact.file-system"),
        "mount_options" => message!("comparison-fact.mount-options"),
        "file_system_geometry" => message!("comparison-fact.file-system-geometry"),
        other => Message::verbatim(other.replace('_', " ")),
    }
}
