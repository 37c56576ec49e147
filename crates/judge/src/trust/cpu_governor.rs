//! A processor that slows down between I/Os.

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
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
        assert!(scene(Some("ondemand")).warning(look).seen.ends_with("ondemand"));
        assert!(scene(Some("performance")).is_absent(look));
        assert!(scene(None).is_not_seen(look));
    }
}
