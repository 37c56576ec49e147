//! What changed in a drive since earlier checkups with the same suite.

use cardiograph_core::{Message, Report};
use cardiograph_render::doc;
use cardiograph_store::{Store, over_time};

use crate::screen::Screen;

/// The changes as sentences, largest first; if the store cannot be read, complains instead.
pub fn sentences(report: &Report, store: &dyn Store, screen: &Screen) -> Vec<Message> {
    match over_time::changes(report, store) {
        Ok(changes) => changes.iter().map(doc::change).collect(),
        Err(error) => {
            screen.complain_message(&error.message());
            Vec::new()
        }
    }
}
