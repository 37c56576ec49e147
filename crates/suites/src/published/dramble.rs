//! The wiki's table has one row per card, named after it.

use cardiograph_core::message::Parameter;
use cardiograph_core::table::Table;
use cardiograph_core::{Message, message};

use crate::suite::Context;

/// Names the row after the card, and notes the difference on a simulated drive.
pub(crate) fn name_the_card(context: &Context<'_>, mut tables: Vec<Table>) -> Vec<Table> {
    let leaf = context.drive.leaves.first();
    let name =
        leaf.and_then(|leaf| leaf.model.as_deref().or(Some(&leaf.name)).filter(|name| !name.is_empty()));
    let size = context.drive.capacity_bytes.map(Parameter::CapacityBytes);
    tables[0].rows[0].name = match (name, size) {
        (Some(name), Some(size)) => message!("table-dramble.card", name, size),
        (Some(name), None) => Message::verbatim(name),
        (None, Some(size)) => message!("table-dramble.size", size),
        (None, None) => Message::default(),
    };
    if context.drive.simulated {
        tables[0].notes.push(message!("note-dramble.simulated"));
    }
    tables
}
