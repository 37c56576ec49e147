//! A processor that slows down between I/Os.

use cardiograph_core::message;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let governor = evidence.environment.cpu_governor.as_deref();
    let governor = governor.ok_or_else(|| message!("trap-cpu-governor.unknown"))?;
    Ok((governor != "performance").then(|| {
        Warning::note(message!("trap-cpu-governor.seen", governor), message!("trap-cpu-governor.meaning"))
    }))
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn saving_governors_are_reported() {
        let scene = |governor: Option<&str>| {
            let mut scene = Scene::default();
            scene.environment.cpu_governor = governor.map(str::to_string);
            scene
        };
        let seen = message!("trap-cpu-governor.seen", governor = "ondemand");
        assert_eq!(scene(Some("ondemand")).warning(look).seen, [seen]);
        assert!(scene(Some("performance")).is_absent(look));
        assert!(scene(None).is_not_seen(look));
    }
}
