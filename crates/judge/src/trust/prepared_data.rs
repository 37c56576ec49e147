//! Content that a drive can compress.

use cardiograph_core::ran_job::RanJob;
use cardiograph_core::workload::Content;
use cardiograph_core::{Direction, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_measured()?;
    Ok(evidence.in_steps(|step| step.jobs.iter().any(is_easy)).map(|tests| {
        Warning::caution(message!("trap-prepared-data.seen", tests), message!("trap-prepared-data.meaning"))
    }))
}

/// Whether written content is not fresh random data.
fn is_easy(job: &RanJob) -> bool {
    job.workload.uses(Direction::Write)
        && !matches!(job.workload.content, Content::Stamped | Content::Refilled)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::{Direction, Parameter};

    use super::super::bench::{Scene, step};
    use super::*;

    #[test]
    fn compressible_content_is_reported() {
        let scene =
            |settings: &[(&str, &str)]| Scene::default().measured(step(settings, Direction::Write, 1e6));
        let seen = [message!("trap-prepared-data.seen", tests = Parameter::all(["One step"]))];
        assert_eq!(scene(&[("rw", "write"), ("zero_buffers", "1")]).warning(look).seen, seen);
        assert_eq!(scene(&[("rw", "randrw"), ("dedupe_percentage", "40")]).warning(look).seen, seen);
        assert!(scene(&[("rw", "write")]).is_absent(look));
        assert!(scene(&[("rw", "read"), ("zero_buffers", "1")]).is_absent(look));
        assert!(scene(&[("rw", "write"), ("buffer_compress_percentage", "0")]).is_absent(look));
    }
}
