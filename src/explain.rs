//! `cardiograph explain`: what the words of reports mean.

use cardiograph_core::{Message, message};
use cardiograph_fio::nearest::nearest;
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
    let doc = explain::explain(&word).ok_or_else(|| Failure::usage(unknown(&word)))?;
    screen.say_doc(&doc);
    Ok(DONE)
}

fn unknown(word: &str) -> Message {
    match nearest(&word.to_lowercase(), explain::known_words().iter().map(String::as_str)) {
        Some(meant) => message!("explain-unknown.meant", word = word, meant = meant),
        None => message!("explain-unknown", word = word),
    }
}
