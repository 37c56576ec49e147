//! A RAID controller whose cache answers instead of the drives.

use cardiograph_core::drive::WritePolicy;
use cardiograph_core::message;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-controller-cache.unknown"), |leaf| {
        let Some(controller) = &leaf.controller else { return Some(None) };
        let volume = controller.volume.as_ref()?;
        let name = controller.model.as_deref().unwrap_or(&controller.driver);
        Some(match volume.write_policy? {
            WritePolicy::Through if volume.write_policy_asked == Some(WritePolicy::Back) => {
                Some(Warning::caution(
                    message!("trap-controller-cache.through", controller = name),
                    message!("trap-controller-cache.through-meaning"),
                ))
            }
            WritePolicy::Through => None,
            WritePolicy::Back => Some(Warning::caution(
                message!("trap-controller-cache.back", controller = name),
                message!("trap-controller-cache.back-meaning"),
            )),
            WritePolicy::AlwaysBack => Some(Warning::caution(
                message!("trap-controller-cache.always-back", controller = name),
                message!("trap-controller-cache.always-back-meaning"),
            )),
        })
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Controller, Leaf, LeafKind, RaidVolume};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn caches_of_controllers_are_reported() {
        let scene = |write_policy, write_policy_asked| {
            let volume = Some(RaidVolume { write_policy, write_policy_asked, ..RaidVolume::default() });
            let model = Some("PERC H730 Mini".to_string());
            let controller = Some(Controller { volume, model, ..Controller::default() });
            Scene::from_leaf(Leaf { controller, ..Leaf::default() })
        };
        let name = "PERC H730 Mini";
        let cases = [
            (WritePolicy::Back, None, message!("trap-controller-cache.back", controller = name)),
            (WritePolicy::AlwaysBack, None, message!("trap-controller-cache.always-back", controller = name)),
            (
                WritePolicy::Through,
                Some(WritePolicy::Back),
                message!("trap-controller-cache.through", controller = name),
            ),
        ];
        for (policy, asked, seen) in cases {
            let meaning = format!("{}-meaning", seen.id());
            let warning = scene(Some(policy), asked).warning(look);
            assert_eq!(warning.seen, [seen]);
            assert_eq!(warning.meaning[0].id(), meaning);
        }
        assert!(scene(Some(WritePolicy::Through), Some(WritePolicy::Through)).is_absent(look));
        assert!(scene(None, None).is_not_seen(look));
        assert!(Scene::with_kind(LeafKind::Sata).is_absent(look));
    }
}
