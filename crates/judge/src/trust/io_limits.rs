//! Control group limits, as in containers and on shared servers.

use cardiograph_core::drive::IoLimit;
use cardiograph_core::{Message, Parameter, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_host()?;
    let limits: Vec<Message> = evidence.environment.io_limits.iter().map(limit).collect();
    Ok((!limits.is_empty()).then(|| Warning::caution(limits, message!("trap-io-limits.meaning"))))
}

fn limit(IoLimit { device, what, per_second }: &IoLimit) -> Message {
    let bandwidth = Parameter::bytes_per_s(*per_second as f64);
    let iops = Parameter::iops(*per_second as f64);
    match what.as_str() {
        "rbps" => message!("trap-io-limits.read-bandwidth", device, limit = bandwidth),
        "wbps" => message!("trap-io-limits.write-bandwidth", device, limit = bandwidth),
        "riops" => message!("trap-io-limits.read-iops", device, limit = iops),
        "wiops" => message!("trap-io-limits.write-iops", device, limit = iops),
        _ => message!("trap-io-limits.other", what, device, limit = *per_second),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::IoLimit;

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn limits_are_named() {
        let mut scene = Scene::default();
        assert!(scene.is_not_seen(look));
        scene.host.kernel = Some("Linux 6.1".to_string());
        assert!(scene.is_absent(look));
        let limit =
            |what: &str| IoLimit { device: "8:0".to_string(), what: what.to_string(), per_second: 1_048_576 };
        scene.environment.io_limits = vec![limit("rbps"), limit("wiops")];
        let bandwidth = Parameter::bytes_per_s(1_048_576.0);
        let expected = [
            message!("trap-io-limits.read-bandwidth", device = "8:0", limit = bandwidth),
            message!("trap-io-limits.write-iops", device = "8:0", limit = Parameter::iops(1_048_576.0)),
        ];
        assert_eq!(scene.warning(look).seen, expected);
    }
}
