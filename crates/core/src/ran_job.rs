//! A job as it ran: its resolved settings.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::JsonSchema;
use crate::display::JobDisplay;
use crate::plan::PlannedJob;
use crate::workload::Workload;

/// A job of a step, as resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RanJob {
    /// Specification of each clone, with long patterns truncated. Serialised without the defaults of
    /// [`Workload::default`].
    #[serde(serialize_with = "sparse", deserialize_with = "deserialize_value")]
    #[schemars(with = "Workload")]
    pub workload: Workload,
    /// How its results are shown. Serialised without the defaults of [`JobDisplay::default`].
    #[serde(default, serialize_with = "sparse", deserialize_with = "deserialize_value")]
    #[schemars(with = "JobDisplay")]
    pub display: JobDisplay,
    /// Number of clones.
    pub clones: u64,
    /// Size of the region that one clone used, in bytes; `None` if unknown.
    pub region_bytes: Option<u64>,
    /// Jobs of one group are judged together.
    pub group: u32,
}

/// A region of at least this many bytes belongs to a file of unknown size.
pub const UNKNOWN_REGION_BYTES: u64 = 1 << 62;

/// Maximum length of a stored pattern, in bytes.
const PATTERN_LEN_BYTES_MAX: usize = 512;

impl RanJob {
    /// From a job of a Plan.
    pub fn new(job: &PlannedJob, display: JobDisplay) -> Self {
        let mut workload = job.workload.clone();
        // This describes another run.
        workload.verify.iter_mut().for_each(|verify| verify.known = None);
        // It may be as long as a file.
        workload.content.pattern_mut().into_iter().for_each(|pattern| pattern.shorten(PATTERN_LEN_BYTES_MAX));
        let region = job
            .clones
            .first()
            .map(|files| files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.region_len_bytes)));
        Self {
            workload,
            display,
            clones: job.clones.len() as u64,
            region_bytes: region.filter(|&bytes| bytes > 0 && bytes < UNKNOWN_REGION_BYTES),
            group: job.group,
        }
    }
}

/// Serialises only those fields of a struct that differ from its default.
fn sparse<T: Serialize + Default, S: Serializer>(of: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let value = |of: &T| serde_json::to_value(of).map_err(serde::ser::Error::custom);
    let (usual, mut own) = (value(&T::default())?, value(of)?);
    if let Some(fields) = own.as_object_mut() {
        fields.retain(|name, value| usual.get(name) != Some(value));
    }
    own.serialize(serializer)
}

/// Deserialises a struct through a value, so that the code for its many fields exists once for all formats.
fn deserialize_value<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    serde_json::from_value(value).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::PatternBytes;
    use crate::workload::{Compression, Content};

    #[test]
    fn only_differences_from_the_default_are_written() {
        let workload = Workload { direct: true, depth: 8, ..Workload::default() };
        let job = PlannedJob { workload, ..PlannedJob::default() };
        let ran = RanJob::new(&job, JobDisplay::default());
        let text = serde_json::to_value(&ran).unwrap();
        assert_eq!(text["workload"], serde_json::json!({"direct": true, "depth": 8}));
        assert_eq!(text["display"], serde_json::json!({}));
        assert_eq!(serde_json::from_value::<RanJob>(text).unwrap(), ran);
    }

    #[test]
    fn a_long_pattern_is_truncated() {
        let long = PatternBytes::new(vec![7; 1 << 20], vec![8, 4_096]);
        for content in [
            Content::Pattern { pattern: long.clone() },
            Content::Compressible {
                compression: Compression { percent: 50, chunk_bytes: 512, filler: Some(long.clone()) },
            },
        ] {
            let workload = Workload { content, ..Workload::default() };
            let job = PlannedJob { workload, ..PlannedJob::default() };
            let ran = RanJob::new(&job, JobDisplay::default());
            assert!(serde_json::to_string(&ran).unwrap().len() < 4_000);
            assert_eq!(
                ran.workload.content.clone().pattern_mut().unwrap().len_bytes(),
                PATTERN_LEN_BYTES_MAX
            );
        }
    }
}
