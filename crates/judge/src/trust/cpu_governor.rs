//! A processor that slows down between I/Os.

use super::{Evidence, Found, Trap, Warning};

pub(super) const TRAP: Trap = Trap::new("cpu_governor", "a processor that is allowed to slow down", look);

fn look(evidence: &Evidence<'_>) -> Found {
    let governor = evidence.environment.cpu_governor.as_deref();
    let governor = governor.ok_or("the kernel shows no frequency governor")?;
    Ok((governor != "performance").then(|| {
        Warning::note(
            format!("the frequency governor is {governor}"),
            "a processor that slows down between I/Os makes each of them later: compare with figures under the same governor only",
        )
    }))
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
