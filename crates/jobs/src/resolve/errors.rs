//! Tolerated errors.

use cardiograph_core::errno::{EILSEQ, EIO};
use cardiograph_core::workload::Tolerance;

use super::reader::Reader;
use crate::value::parse_ignored_errors;

/// Errors tolerated by default, as in fio: a full drive is not among them.
const DEFAULT_ERRORS: [i32; 2] = [EIO, EILSEQ];

/// `ignore_error` adds the kinds that it has lists for; a later `continue_on_error` resets the kinds and keeps the
/// lists.
pub(super) fn tolerance(reader: &mut Reader<'_>) -> Tolerance {
    let word = reader.word("continue_on_error", &["none", "read", "write", "io", "verify", "all", "0", "1"]);
    let lists = reader.read("ignore_error", parse_ignored_errors).unwrap_or_default();
    let lists_decide = reader.later_of("continue_on_error", "ignore_error") == Some("ignore_error");
    let kind = |list: Option<Vec<i32>>, words: &[&str]| {
        let goes_on = words.contains(&word) || (lists_decide && list.is_some());
        goes_on.then(|| list.unwrap_or_else(|| DEFAULT_ERRORS.to_vec()))
    };
    let [read, write, check] = lists;
    Tolerance {
        read: kind(read, &["read", "io", "all", "1"]),
        write: kind(write, &["write", "io", "all", "1"]),
        check: kind(check, &["verify", "all", "1"]),
        is_told: reader.switch("error_dump"),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::spec::{JobSpec, Origin};
    use cardiograph_core::workload::ErrorKind::{Check, Read, Write};

    use super::*;
    use crate::resolve::{ResolveContext, resolve};

    fn tolerance(settings: &[(&str, &str)]) -> Tolerance {
        let spec = JobSpec::new("job", Origin::CommandLine { word: 1 }).set("size", "1M");
        let spec = settings.iter().fold(spec, |spec, (option, value)| spec.set(option, value));
        resolve(&[spec], &ResolveContext::new(0, 1)).unwrap().jobs.remove(0).workload.tolerance
    }

    /// Settings, and the resulting lists for reads, writes and checks.
    type Case<'c> = (&'c [(&'c str, &'c str)], [Option<&'c [i32]>; 3]);

    #[test]
    fn kinds_of_errors_have_their_lists() {
        let usual: Option<&[i32]> = Some(&DEFAULT_ERRORS);
        let cases: [Case<'_>; 13] = [
            (&[], [None, None, None]),
            (&[("continue_on_error", "none")], [None, None, None]),
            (&[("continue_on_error", "0")], [None, None, None]),
            (&[("continue_on_error", "read")], [usual, None, None]),
            (&[("continue_on_error", "write")], [None, usual, None]),
            (&[("continue_on_error", "io")], [usual, usual, None]),
            (&[("continue_on_error", "verify")], [None, None, usual]),
            (&[("continue_on_error", "all")], [usual, usual, usual]),
            (&[("continue_on_error", "1")], [usual, usual, usual]),
            (&[("ignore_error", ",ENOSPC")], [None, Some(&[28]), None]),
            (&[("continue_on_error", "all"), ("ignore_error", ",ENOSPC")], [usual, Some(&[28]), usual]),
            (&[("ignore_error", ",ENOSPC"), ("continue_on_error", "none")], [None, None, None]),
            (&[("ignore_error", "EIO,28"), ("continue_on_error", "write")], [None, Some(&[28]), None]),
        ];
        for (settings, expected) in cases {
            let tolerance = tolerance(settings);
            assert_eq!([Read, Write, Check].map(|kind| tolerance.tolerated(kind)), expected, "{settings:?}");
            assert_eq!(tolerance.is_any(), expected.iter().any(Option::is_some), "{settings:?}");
        }
    }
}
