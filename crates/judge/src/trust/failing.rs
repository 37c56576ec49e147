//! A drive that says it is failing.

use cardiograph_core::drive::Health;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the drive does not tell how it is", |leaf| {
        let seen = complaints(leaf.health.as_ref()?)?;
        Some((!seen.is_empty()).then(|| {
            Warning::caution(
                format!("drive {}: {}", leaf.name, seen.join(", ")),
                "it repeats and remaps while it is measured; save what is on it, and replace it",
            )
        }))
    })
}

/// What a drive complains of; `None` when it tells nothing that could be a complaint.
fn complaints(health: &Health) -> Option<Vec<String>> {
    let counted =
        [(health.media_errors, "reads that failed"), (health.pending_sectors, "sectors that it cannot read")];
    if health.passed.is_none()
        && health.critical_warning.is_none()
        && counted.iter().all(|(count, _)| count.is_none())
    {
        return None;
    }
    let mut seen = Vec::new();
    if health.passed == Some(false) {
        seen.push("it judges itself unfit".to_string());
    }
    if let Some(warning) = health.critical_warning.filter(|&warning| warning != 0) {
        seen.push(format!("it warns (critical warning 0x{warning:02x})"));
    }
    seen.extend(
        counted.iter().filter_map(|(count, of)| Some(format!("{} {of}", count.filter(|&count| count > 0)?))),
    );
    Some(seen)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, LeafKind};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn complaints_are_told() {
        let scene = |health| Scene::of(Leaf { health: Some(health), ..Leaf::default() });
        let well = Health { passed: Some(true), media_errors: Some(0), ..Health::default() };
        for (health, word) in [
            (Health { passed: Some(false), ..well.clone() }, "unfit"),
            (Health { critical_warning: Some(4), ..well.clone() }, "0x04"),
            (Health { pending_sectors: Some(8), ..well.clone() }, "8 sectors"),
            (Health { media_errors: Some(3), ..well.clone() }, "3 reads"),
        ] {
            assert!(scene(health).warning(look).seen.contains(word), "{word}");
        }
        assert!(scene(well).is_absent(look));
        assert!(
            scene(Health::default()).is_not_seen(look) && Scene::of_kind(LeafKind::Sata).is_not_seen(look)
        );
    }
}
