//! The name that was meant by one that nothing has.

/// The beginning of a name counts as the name from so many letters on.
const PREFIX_LEN_MIN: usize = 3;
/// A misspelt word that is longer is not compared with the real ones.
const MISSPELT_LEN_BYTES_MAX: usize = 60;

/// The candidate that `written` was most likely meant to be; `None` when none is near: more than a third of the
/// letters would have to change. Among equally near ones the first counts.
pub fn nearest<'a>(written: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = |candidate: &str| {
        if written.len() >= PREFIX_LEN_MIN && candidate.starts_with(written) {
            return Some(1);
        }
        let letters = (written.chars().count(), candidate.chars().count());
        let longer = letters.0.max(letters.1);
        let limit = (longer / 3).max(1);
        // So many letters are missing at least.
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

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to get from `a` to `b`,
/// ignoring case and taking `-` for `_` (optimal string alignment, a restricted Damerau-Levenshtein distance). `None` where it
/// is more than `limit`.
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
    fn only_near_names_are_offered() {
        let names = || cardiograph_jobs::options::OPTIONS.iter().flat_map(|def| def.names());
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
