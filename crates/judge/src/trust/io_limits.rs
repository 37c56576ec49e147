//! Limits that a control group sets, as in containers and on shared servers.

use cardiograph_core::drive::IoLimit;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_host()?;
    let limit = |IoLimit { device, what, per_second }: &IoLimit| match what.as_str() {
        "rbps" => format!("reads of device {device} to {per_second} bytes a second"),
        "wbps" => format!("writes to device {device} to {per_second} bytes a second"),
        "riops" => format!("reads of device {device} to {per_second} a second"),
        "wiops" => format!("writes to device {device} to {per_second} a second"),
        other => format!("{other} of device {device} to {per_second}"),
    };
    let limits: Vec<String> = evidence.environment.io_limits.iter().map(limit).collect();
    Ok((!limits.is_empty()).then(|| {
        Warning::caution(
            format!("a control group limits {}", limits.join(", ")),
            "figures near these limits are the limits; measure outside of the container or group to see the drive",
        )
    }))
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
        let warning = scene.warning(look);
        assert!(warning.seen.contains(
            "reads of device 8:0 to 1048576 bytes a second, writes to device 8:0 to 1048576 a second"
        ));
    }
}
