//! Whether two figures were measured in the same way.

use serde::{Deserialize, Serialize};

use super::{AGAIN, Durability, Method, PLACE, Pattern};
use crate::JsonSchema;

/// Sizes and times that differ by up to this factor count as the same test.
const ABOUT_THE_SAME: f64 = 2.0;
/// Maximum number of differences between similar methods.
const DIFFERENCES_MAX: usize = 3;
/// Queue depths that differ by up to this factor are similar.
const ABOUT_AS_MANY: u64 = 2;
/// Names in [`Method::others`] for mixed lengths.
const MIXED_LENS: [&str; 3] = ["bs", "bsrange", "bssplit"];

/// An aspect in which methods can differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// The percentage of reads in a mix.
    ReadPercent,
    /// Length of an I/O.
    Block,
    /// Queue depth.
    Depth,
    /// Number of concurrent jobs.
    Jobs,
    /// Whether the page cache was bypassed.
    Direct,
    /// When writes were made durable.
    Durability,
    /// Size of the region used.
    Size,
    /// Duration.
    Time,
    /// Another setting, by name.
    Other(String),
}

/// A difference, or possible difference, between two methods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The aspect.
    pub aspect: Aspect,
    /// Value on one side; `None` if unknown. Numbers in base units.
    pub left: Option<String>,
    /// Value on the other side.
    pub right: Option<String>,
}

impl Difference {
    /// Whether all differences are only in amount or duration.
    pub fn are_of_scale(differences: &[Difference]) -> bool {
        differences.iter().all(|difference| matches!(difference.aspect, Aspect::Size | Aspect::Time))
    }
}

/// Whether figures of two methods are comparable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Likeness {
    /// Yes.
    Same,
    /// Only with these differences named: the same I/O length, similar queue depth, the same durability, and at most
    /// three differences.
    Near {
        /// Aspects that differ, or are unknown on one side.
        differences: Vec<Difference>,
    },
    /// No: they measure something else.
    Other,
}

impl Method {
    /// Whether figures of both are comparable. Program and engine may differ: they are shown separately, and do not
    /// change the requests to the drive.
    pub fn likeness(&self, other: &Method) -> Likeness {
        if self.pattern.is_none() || self.pattern != other.pattern {
            return Likeness::Other;
        }
        // Memory is not a drive.
        if self.others.contains_key(AGAIN) != other.others.contains_key(AGAIN) {
            return Likeness::Other;
        }
        let differences = self.differences(other);
        if differences.is_empty() {
            Likeness::Same
        } else if self.is_near(other, &differences) {
            Likeness::Near { differences }
        } else {
            Likeness::Other
        }
    }

    /// All differences, also of methods that are not comparable.
    pub fn differences(&self, other: &Method) -> Vec<Difference> {
        let mut differences = Vec::new();
        let mut look = |aspect, left: Option<String>, right: Option<String>| {
            // If both are unknown there is no difference to report, but they may still differ.
            if left != right {
                differences.push(Difference { aspect, left, right });
            }
        };
        fn text<T: ToString>(value: Option<T>) -> Option<String> {
            value.map(|value| value.to_string())
        }
        let word = |method: &Method| method.durability.map(|durability| durability.name());
        look(Aspect::ReadPercent, text(self.read_percent), text(other.read_percent));
        look(Aspect::Block, text(self.block_bytes), text(other.block_bytes));
        look(Aspect::Depth, text(self.depth), text(other.depth));
        look(Aspect::Jobs, text(self.jobs), text(other.jobs));
        look(Aspect::Direct, text(self.direct), text(other.direct));
        look(Aspect::Durability, word(self), word(other));
        let near = |left: Option<u64>, right: Option<u64>| match (left, right) {
            (Some(left), Some(right)) => {
                let (low, high) = (left.min(right) as f64, left.max(right) as f64);
                high <= low * ABOUT_THE_SAME
            }
            // Many sources do not report it; that alone does not make it a different test.
            _ => true,
        };
        if !near(self.size_bytes, other.size_bytes) {
            look(Aspect::Size, text(self.size_bytes), text(other.size_bytes));
        }
        if !near(self.time_ns, other.time_ns) {
            look(Aspect::Time, text(self.time_ns), text(other.time_ns));
        }
        let places = self.place().zip(other.place());
        if let Some((left, right)) = places {
            look(Aspect::Other(PLACE.to_string()), text(Some(left)), text(Some(right)));
        }
        let names: std::collections::BTreeSet<&String> =
            self.others.keys().chain(other.others.keys()).collect();
        for name in names.into_iter().filter(|name| *name != PLACE) {
            let aspect = Aspect::Other(name.clone());
            look(aspect, self.others.get(name).cloned(), other.others.get(name).cloned());
        }
        differences
    }

    /// Whether different methods are similar enough to compare their figures. Missing information is a reported
    /// difference, but does not make it a different test.
    fn is_near(&self, other: &Method, differences: &[Difference]) -> bool {
        fn may_be_the_same<T: PartialEq>(left: Option<T>, right: Option<T>) -> bool {
            left.zip(right).is_none_or(|(left, right)| left == right)
        }
        // An application has many settings, which are fitted to the drive.
        let is_application = self.pattern == Some(Pattern::Application);
        (is_application || differences.len() <= DIFFERENCES_MAX)
            && may_be_the_same(self.len(), other.len())
            && may_be_the_same(self.read_percent, other.read_percent)
            && may_be_the_same(self.is_each_durable(), other.is_each_durable())
            && self.may_be_about_as_many(other)
    }

    /// The single length of I/Os, or that there are several; `None` if unknown.
    fn len(&self) -> Option<Option<u64>> {
        let is_mixed = MIXED_LENS.iter().any(|name| self.others.contains_key(*name));
        if is_mixed { Some(None) } else { self.block_bytes.map(Some) }
    }

    /// Whether each write is made durable individually; `None` if unknown or nothing is written.
    fn is_each_durable(&self) -> Option<bool> {
        let each = [Durability::Fsync, Durability::Fdatasync, Durability::Dsync];
        self.durability.map(|durability| each.contains(&durability))
    }

    /// Whether the number of I/Os in flight may be similar. If jobs or depth are unknown, at least as many as on the
    /// other side.
    fn may_be_about_as_many(&self, other: &Method) -> bool {
        let least = |method: &Method| {
            method.depth.unwrap_or(1).max(1).saturating_mul(method.jobs.unwrap_or(1).max(1))
        };
        let is_known = |method: &Method| method.depth.is_some() && method.jobs.is_some();
        let is_more = |one: &Method, two: &Method| {
            is_known(two) && least(one) > least(two).saturating_mul(ABOUT_AS_MANY)
        };
        !is_more(self, other) && !is_more(other, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::{Durability, Pattern};

    fn method() -> Method {
        Method {
            tool: "fio".to_string(),
            pattern: Some(Pattern::RandomRead),
            block_bytes: Some(4_096),
            depth: Some(1),
            jobs: Some(1),
            direct: Some(true),
            size_bytes: Some(1 << 30),
            ..Method::default()
        }
    }

    fn aspects(left: &Method, right: &Method) -> Vec<Aspect> {
        match left.likeness(right) {
            Likeness::Near { differences } => differences.into_iter().map(|one| one.aspect).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn differences_that_make_another_test() {
        let base = method();
        let same = Method { tool: "cardiograph".into(), size_bytes: Some(3 << 29), ..method() };
        assert_eq!(base.likeness(&same), Likeness::Same);
        let writes = Method { pattern: Some(Pattern::RandomWrite), ..method() };
        assert_eq!(base.likeness(&writes), Likeness::Other);
        let unknown = Method { pattern: None, ..method() };
        assert_eq!(unknown.likeness(&unknown), Likeness::Other);
        let mut from_memory = method();
        from_memory.others.insert(AGAIN.into(), "the same 2 MiB, from memory".into());
        assert_eq!(base.likeness(&from_memory), Likeness::Other);
        assert_eq!(from_memory.likeness(&from_memory), Likeness::Same);
    }

    #[test]
    fn differences_of_similar_methods_are_named() {
        let base = method();
        let block = Method { block_bytes: Some(8_192), ..method() };
        assert_eq!(base.likeness(&block), Likeness::Other);
        let incomplete = Method { depth: None, durability: Some(Durability::Fsync), ..method() };
        assert_eq!(aspects(&base, &incomplete), [Aspect::Depth, Aspect::Durability]);
        let small = Method { size_bytes: Some(100 << 20), ..method() };
        assert_eq!(aspects(&base, &small), [Aspect::Size]);
        let mut loops = method();
        loops.others.insert("loops".into(), "5".into());
        assert_eq!(aspects(&base, &loops), [Aspect::Other("loops".into())]);
    }

    /// The comparison with the sample after a change.
    #[test]
    fn different_kinds_are_not_similar() {
        let writes = |durability| Method { pattern: Some(Pattern::RandomWrite), durability, ..method() };
        let mixed = |lens: &str| {
            let mut mixed = Method { block_bytes: None, ..method() };
            mixed.others.insert("bssplit".into(), lens.into());
            mixed
        };
        let (depth, jobs) = (|depth| Method { depth, ..method() }, |jobs| Method { jobs, ..method() });
        let of_several = |count: usize| {
            let mut of = method();
            of.others.extend((0..count).map(|at| (format!("setting {at}"), "1".to_string())));
            of
        };
        let (each, never) = (Some(Durability::Fsync), Some(Durability::Never));
        for (one, two, is_near) in [
            (method(), Method { block_bytes: Some(1 << 20), ..method() }, false),
            (method(), Method { block_bytes: None, ..method() }, true),
            (method(), mixed("4k/50:8k/50"), false),
            (mixed("4k/50:8k/50"), mixed("4k/20:8k/80"), true),
            (method(), depth(Some(2)), true),
            (method(), depth(Some(4)), false),
            (method(), depth(None), true),
            (method(), jobs(Some(32)), false),
            (method(), jobs(None), true),
            // However deep, others are deeper.
            (method(), Method { depth: None, jobs: Some(32), ..method() }, false),
            (depth(Some(32)), jobs(Some(32)), true),
            (depth(Some(u64::MAX)), Method { jobs: Some(u64::MAX), ..depth(Some(u64::MAX)) }, true),
            (writes(each), writes(never), false),
            (writes(each), writes(Some(Durability::Dsync)), true),
            (writes(each), writes(None), true),
            (writes(never), writes(Some(Durability::AtEnd)), true),
            (method(), Method { direct: Some(false), ..method() }, true),
            (method(), of_several(3), true),
            (method(), of_several(4), false),
        ] {
            for (one, two) in [(&one, &two), (&two, &one)] {
                let found = one.likeness(two);
                assert_eq!(matches!(found, Likeness::Near { .. }), is_near, "{one:?} {two:?}: {found:?}");
            }
        }
        let app = |count| Method { pattern: Some(Pattern::Application), ..of_several(count) };
        assert!(matches!(app(0).likeness(&app(9)), Likeness::Near { .. }));
    }

    #[test]
    fn a_file_is_not_the_device_that_hdparm_reads() {
        let hdparm = Method { tool: "hdparm".into(), ..method() };
        let mut of_file = method();
        of_file.others.insert(PLACE.into(), "a file".into());
        assert_eq!(aspects(&of_file, &hdparm), [Aspect::Other(PLACE.into())]);
        assert_eq!(aspects(&hdparm, &of_file), [Aspect::Other(PLACE.into())]);
        // Most do not report the location.
        assert_eq!(of_file.likeness(&method()), Likeness::Same);
        assert_eq!(of_file.likeness(&of_file), Likeness::Same);
        assert_eq!(hdparm.likeness(&method()), Likeness::Same);
    }
}
