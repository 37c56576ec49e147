//! Phrases for applications.

use crate::{Message, message};

/// The name of a part of an application.
pub fn app_part(id: &str) -> Message {
    match id {
        "commits" => message!("app-part.commits"),
        "import" => message!("app-part.import"),
        "lines" => message!("app-part.lines"),
        "read" => message!("app-part.read"),
        "record" => message!("app-part.record"),
        "unpack" => message!("app-part.unpack"),
        "view" => message!("app-part.view"),
        other => Message::verbatim(other),
    }
}
