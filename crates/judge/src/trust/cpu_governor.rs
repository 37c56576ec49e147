//! A processor that slows down between I/Os.

use cardiograph_core::trust::{TrapOutcome, Weight};

use super::{Evidence, Trap};

pub(super) const TRAP: Trap =
    Trap { name: "cpu_governor", title: "a processor that is allowed to slow down", look };

fn look(evidence: &Evidence<'_>) -> TrapOutcome {
    match evidence.environment.cpu_governor.as_deref() {
        None => TrapOutcome::not_seen("the kernel shows no frequency governor"),
        Some("performance") => TrapOutcome::Absent,
        Some(governor) => TrapOutcome::present(
            Weight::Note,
            format!("the frequency governor is {governor}"),
            "a processor that slows down between I/Os makes each of them later: compare with figures under the same governor only",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn saving_governors_are_told() {
        let scene = |governor: Option<&str>| {
            let mut scene = Scene::default();
            scene.environment.cpu_governor = governor.map(str::to_string);
            scene
        };
        assert!(scene(Some("ondemand")).warning(&TRAP).seen.ends_with("ondemand"));
        assert!(scene(Some("performance")).is_absent(&TRAP));
        assert!(scene(None).is_not_seen(&TRAP));
    }
}
