//! The groups, and other differences between them.

use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::compare::{ComparedGroup, FactDifference};

use crate::doc::Fact;
use crate::text::{cut, layout};

/// Maximum columns of a group's name, and of its end if the middle is left out.
const NAME_COLUMNS: usize = 20;
const NAME_END_COLUMNS: usize = 8;

/// A group's name in tables and sentences.
pub(crate) fn name(group: &ComparedGroup) -> String {
    let whole = layout::plain(&group.name);
    if layout::width(&whole) <= NAME_COLUMNS {
        return whole;
    }
    // Similar names differ at their end: `a long label of card 1`.
    let fits = |at: &usize| layout::width(&whole[*at..]) <= NAME_END_COLUMNS;
    let end = whole.char_indices().map(|(at, _)| at).find(fits).unwrap_or(whole.len());
    format!("{}{}", cut(&whole, NAME_COLUMNS - layout::width(&whole[end..])), &whole[end..])
}

/// A group's description: `2 runs, SD64G, 64 GB, 980 JPY, 15.3 JPY per GB`.
pub(super) fn group(group: &ComparedGroup) -> Fact {
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
        parts.push(message!("comparison-price.whole", amount = amount(price.amount), currency = currency));
        let per_gb = |price| message!("comparison-price.per-gb", amount = amount(price), currency = currency);
        parts.extend(group.price_per_gb.map(per_gb));
    }
    Fact { value: parts, ..Fact::new(Message::verbatim(name(group)), Message::default()) }
}

/// A fact that differs between groups, with each group's values.
pub(super) fn fact(names: &[String], fact: &FactDifference) -> Fact {
    let as_bytes = |bytes| Parameter::Bytes(bytes);
    let (label, worded): (_, fn(u64) -> Parameter) = match fact.name.as_str() {
        "capacity_bytes" => (message!("comparison-fact.capacity"), Parameter::CapacityBytes),
        "link_bytes_per_s" => {
            (message!("comparison-fact.link"), |bytes| Parameter::bytes_per_s(bytes as f64))
        }
        "memory_bytes" => (message!("comparison-fact.memory"), as_bytes),
        "file_system_block_bytes" => (message!("comparison-fact.file-system-block"), as_bytes),
        name => (label(name), as_bytes),
    };
    let is_quantity = fact.name.contains("_bytes");
    // The values of several drives are one text.
    let value = |value: &String| {
        let one = |one: &str| match one.parse().ok().filter(|_| is_quantity) {
            Some(number) => worded(number),
            None => Parameter::from(one),
        };
        match is_quantity {
            true => value.split(", ").map(one).collect::<Vec<_>>(),
            false => vec![one(value)],
        }
    };
    let group_value = |(name, values): (&String, &Vec<String>)| {
        let values: Vec<Parameter> = values.iter().flat_map(value).collect();
        match values.is_empty() {
            true => message!("comparison-group.unknown", group = name),
            false => message!("comparison-group.value", group = name, value = Parameter::All(values)),
        }
    };
    let value = names.iter().zip(&fact.values).map(group_value).collect();
    Fact { value, ..Fact::new(label, Message::default()) }
}

/// The label of a fact, by its name in the JSON. Names of the user's tags are arbitrary.
fn label(name: &str) -> Message {
    match name {
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
