//! The wiki names each card in its row.

use cardiograph_core::table::Table;

use crate::suite::Context;
use crate::text;

/// Names the row of the wiki's table, and says what is not as there on a simulated drive.
pub(crate) fn name_the_card(context: &Context<'_>, mut tables: Vec<Table>) -> Vec<Table> {
    let leaf = context.drive.leaves.first();
    let name =
        leaf.and_then(|leaf| leaf.model.as_deref().or(Some(&leaf.name)).filter(|name| !name.is_empty()));
    let size = context.drive.capacity_bytes.map(text::capacity);
    let words: Vec<String> = name.map(str::to_string).into_iter().chain(size).collect();
    tables[0].rows[0].name = words.join(" ");
    if context.drive.simulated {
        let note = "A simulated drive has no page cache: the blocks of dd come to it as they are, and none are put \
                    together.";
        tables[0].notes.push(note.to_string());
    }
    tables
}
