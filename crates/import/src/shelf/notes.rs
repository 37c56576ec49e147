//! Our notes on the sources. The sources' own titles and headings stay in their language.

use cardiograph_core::{Message, message};
use serde::de::{Deserialize, Deserializer, Error};

/// All notes. A file of the shelf refers to one by its id.
const ALL: [Message; 17] = [
    message!("shelf-app-class.pictures-only"),
    message!("shelf-app-class.same-jobs"),
    message!("shelf-dramble.hdparm"),
    message!("shelf-dramble.dd"),
    message!("shelf-dramble.iozone"),
    message!("shelf-dramble.slower-clock"),
    message!("shelf-iot.units"),
    message!("shelf-iot.reader"),
    message!("shelf-iot.files"),
    message!("shelf-microsd-ssd.adapter"),
    message!("shelf-microsd-ssd.truncated"),
    message!("shelf-pg-test-fsync"),
    message!("shelf-pi-claims"),
    message!("shelf-pi5"),
    message!("shelf-server.units"),
    message!("shelf-server.conditions"),
    message!("shelf-server.write-back"),
];

/// A note on a source.
#[derive(Debug, Clone)]
pub(super) struct Note(pub Message);

impl<'de> Deserialize<'de> for Note {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        let known = ALL.into_iter().find(|message| message.id() == id);
        known.map(Self).ok_or_else(|| D::Error::custom(format_args!("there is no message {id}")))
    }
}
