//! Names that users write: which known one is meant, and what to write instead of an unknown one.

use crate::{Message, Parameter, message};

/// Minimum length of a prefix that counts as the name.
const PREFIX_LEN_MIN: usize = 3;
/// Longer words are not compared with known ones.
const MISSPELT_LEN_BYTES_MAX: usize = 60;

/// Whether a name is written as a known one: case does not matter.
pub fn is_same(written: &str, known: &str) -> bool {
    written.eq_ignore_ascii_case(known)
}

/// What to write instead of an unknown name, as a phrase: the nearest of the known ones, else any of them.
pub fn suggestion<S: AsRef<str>>(written: &str, known: &[S]) -> Message {
    let all = message!("name-choose", known = Parameter::all(known.iter().map(AsRef::as_ref)));
    suggestion_or(written, known, all)
}

/// As [`suggestion`], but with another phrase if no known name is near.
pub fn suggestion_or<S: AsRef<str>>(written: &str, known: &[S], otherwise: Message) -> Message {
    match nearest(written, known.iter().map(AsRef::as_ref)) {
        Some(meant) => message!("name-meant", meant),
        None => otherwise,
    }
}

/// The candidate that `written` most likely means; `None` if more than a third of the letters would have to change. The
/// first of equally near candidates wins.
pub fn nearest<'a>(written: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = |candidate: &str| {
        if written.len() >= PREFIX_LEN_MIN && candidate.starts_with(written) {
            return Some(1);
        }
        let letters = (written.chars().count(), candidate.chars().count());
        let longer = letters.0.max(letters.1);
        let limit = (longer / 3).max(1);
        // A lower bound on the distance.
        if letters.0.abs_diff(letters.1) > limit {
            return None;
        }
        edit_distance(written, candidate, limit).filter(|&distance| distance < longer)
    };
    if written.len() > MISSPELT_LEN_BYTES_MAX {
        return None;
    }
    candidates
        .filter_map(|name| Some((near(name)?, name)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// The number of letters to insert, remove, replace or swap with their neighbour to get from `a` to `b`, ignoring case
/// and treating `-` as `_` (optimal string alignment, a restricted Damerau-Levenshtein distance). `None` if it exceeds
/// `limit`.
fn edit_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let [a, b] = [a, b].map(|text| text.to_ascii_lowercase().replace('-', "_"));
    Some(strsim::osa_distance(&a, &b)).filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let cases =
            [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("raed", "read", 1), ("a-B", "a_b", 0)];
        for (a, b, distance) in cases {
            for (a, b) in [(a, b), (b, a)] {
                let within = |limit: usize| edit_distance(a, b, limit);
                let expected = (0..9).map(|limit| Some(distance).filter(|&distance| distance <= limit));
                assert!((0..9).map(within).eq(expected), "{a} {b}");
            }
        }
    }

    #[test]
    fn suggestions_name_the_nearest_or_all() {
        let known = ["quick", "cliff"];
        assert_eq!(suggestion("Qick", &known), message!("name-meant", meant = "quick"));
        let all = message!("name-choose", known = Parameter::all(known));
        assert_eq!(suggestion("watermelon", &known), all);
    }

    #[test]
    fn only_similar_names_are_suggested() {
        let names =
            || ["filename", "bs", "blocksize", "iodepth", "numjobs", "ramp_time", "name", "size"].into_iter();
        let offers = [
            ("filenam", Some("filename")),
            ("blocksiz", Some("blocksize")),
            ("numbjobs", Some("numjobs")),
            ("rampime", Some("ramp_time")),
            ("iod", Some("iodepth")),
            ("x", None),
            ("watermelon", None),
            ("", None),
        ];
        for (written, offered) in offers {
            assert_eq!(nearest(written, names()), offered, "{written}");
        }
    }
}
