//! What stands above and below the tables of published test sets.
//!
//! Names of rows and columns are the original's own words, and stay as they are in every language: readers find them there.

use cardiograph_core::{Message, message};
use serde::de::{Deserialize, Deserializer, Error};

/// All of them. A file of data names one by its id.
const ALL: [Message; 17] = [
    message!("table-published.collection"),
    message!("table-published.comparison"),
    message!("table-published.comparison-bandwidth"),
    message!("table-published.comparison-iops"),
    message!("table-published.crystaldiskmark"),
    message!("table-published.iozone"),
    message!("table-published.kdiskmark"),
    message!("table-published.reviews"),
    message!("table-published.script"),
    message!("table-published.wiki"),
    message!("note-published.dramble-units"),
    message!("note-published.fio-kib"),
    message!("note-published.fio-mib"),
    message!("note-published.iozone-kib"),
    message!("note-published.reviews-passes"),
    message!("note-published.server-ssd-mkfs"),
    message!("note-published.yabs-units"),
];

/// One of them.
#[derive(Debug, Clone)]
pub(crate) struct Words(pub Message);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = <&str>::deserialize(deserializer)?;
        let known = ALL.into_iter().find(|message| message.id() == id);
        known.map(Self).ok_or_else(|| D::Error::custom(format_args!("there is no message {id}")))
    }
}
