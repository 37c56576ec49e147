//! Estimates the room of text without a font.
//!
//! A picture is drawn once and shown in the reader's font. So Latin letters are assumed to be as wide as the
//! average in the widest of the common sans-serif fonts (the digits of DejaVu Sans), and Japanese ones as
//! wide as high.

use unicode_width::UnicodeWidthChar;

use crate::text::broken;

/// Height of text, in the units of a picture.
pub(super) const SIZE: f64 = 12.0;
/// Distance of baselines.
pub(super) const LEADING: f64 = 16.0;
/// Width of a letter of one terminal column, as a share of its height.
const NARROW: f64 = 0.64;

/// Room of text of [`SIZE`], in the units of a picture.
pub(super) fn room(text: &str) -> f64 {
    text.chars().map(letter).sum::<f64>() * SIZE
}

fn letter(letter: char) -> f64 {
    match letter.width() {
        None | Some(0) => 0.0,
        Some(1) => NARROW,
        Some(_) => 1.0,
    }
}

/// The text in lines of at most `room_max`: broken at spaces, and inside words that are longer than a line.
pub(super) fn lines(text: &str, room_max: f64) -> Vec<String> {
    let mut lines = broken(text, room_max, true, room);
    lines.retain(|line| !line.is_empty());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_take_more_room() {
        assert_eq!(room("abc"), 3.0 * 0.64 * 12.0);
        assert_eq!(room("帯域"), 24.0);
        assert_eq!(room(""), 0.0);
    }

    #[test]
    fn no_line_takes_more_than_its_room() {
        for text in ["falls off after 12 GiB", "速度は12GiBの後で落ちる", "Donaudampfschifffahrt", ""]
        {
            for room_max in [20.0, 60.0, 200.0] {
                let lines = lines(text, room_max);
                assert!(lines.iter().all(|line| room(line) <= room_max), "{lines:?}");
                assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
            }
        }
        assert_eq!(lines("a bc d", 2.9 * 0.64 * 12.0), ["a", "bc", "d"]);
    }
}
