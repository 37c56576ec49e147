//! `cardiograph explain`: what the words of reports mean.

use cardiograph_core::message;
use cardiograph_core::nearest::suggestion_or;
use cardiograph_render::doc::{Node, explain};

use crate::exit::{DONE, Failure};
use crate::screen::Screen;

/// Explains a word, or lists all.
pub fn run(words: &[String], screen: &Screen) -> Result<u8, Failure> {
    let word = words.join(" ");
    if words.is_empty() {
        let mut list = explain::words();
        list.nodes.push(Node::paragraph(message!("explain-next")));
        screen.say_doc(&list);
        return Ok(DONE);
    }
    let doc = explain::explain(&word).ok_or_else(|| {
        let hint = suggestion_or(&word, &explain::known_words(), message!("explain-all"));
        Failure::usage(message!("explain-unknown", word = &word, hint))
    })?;
    screen.say_doc(&doc);
    Ok(DONE)
}
