//! Other activity on the drive or the machine.

use cardiograph_core::counters::CounterOutcome;
use cardiograph_core::drive::{Layer, LayerDetail};
use cardiograph_core::{Message, Parameter, message};

use super::{Evidence, Found, Warning};

/// Share of ten seconds with tasks waiting for I/O, from which the drive counts as busy before the checkup,
/// in percent.
const PRESSURE_PERCENT_MIN: f64 = 10.0;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let environment = evidence.environment;
    if environment.load_1m.is_none() && evidence.steps.is_empty() {
        return Err(message!("trap-background-load.unknown"));
    }
    let mut seen: Vec<Message> = evidence.drive.layers.iter().filter_map(syncing).collect();
    if environment.is_initialising_ext4 == Some(true) {
        seen.push(message!("trap-background-load.ext4"));
    }
    let pressure = environment.io_pressure_percent.filter(|&percent| percent >= PRESSURE_PERCENT_MIN);
    seen.extend(pressure.map(|percent| {
        message!("trap-background-load.pressure", waited = Parameter::share(percent / 100.0))
    }));
    let load = environment.load_1m.zip(evidence.host.cpus);
    let load = load.filter(|&(load, cpus)| load >= f64::from(cpus));
    seen.extend(load.map(|(load, cpus)| {
        message!("trap-background-load.load", load = Parameter::number(load), processors = cpus)
    }));
    let others = evidence
        .in_steps(|step| step.counter_checks.iter().any(|check| check.outcome == CounterOutcome::OtherLoad));
    seen.extend(others.map(|tests| message!("trap-background-load.readers", tests)));
    Ok((!seen.is_empty()).then(|| Warning::caution(seen, message!("trap-background-load.meaning"))))
}

/// A RAID set that is resyncing or checking.
fn syncing(layer: &Layer) -> Option<Message> {
    let Some(LayerDetail::Md(array)) = &layer.detail else { return None };
    let action = array.sync_action.as_deref().filter(|action| *action != "idle" && *action != "frozen")?;
    let progress = array.sync_progress.as_ref().filter(|progress| progress.total_bytes > 0);
    Some(match progress {
        None => message!("trap-background-load.sync", set = &layer.name, action),
        Some(progress) => {
            let done = Parameter::share(progress.done_bytes as f64 / progress.total_bytes as f64);
            message!("trap-background-load.sync-progress", set = &layer.name, action, done)
        }
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::counters::check;
    use cardiograph_core::drive::{DeviceCounters, LayerKind, LeafKind, MdArray};

    use super::super::bench::{Scene, step};
    use super::*;

    fn quiet() -> Scene {
        let mut scene = Scene::with_kind(LeafKind::Sata);
        scene.environment.load_1m = Some(0.2);
        scene.environment.io_pressure_percent = Some(1.0);
        scene.environment.is_initialising_ext4 = Some(false);
        scene.host.cpus = Some(4);
        scene
    }

    #[test]
    fn all_kinds_of_load_are_seen() {
        assert!(quiet().is_absent(look));
        let says = |change: &dyn Fn(&mut Scene), expected: Message| {
            let mut scene = quiet();
            change(&mut scene);
            assert_eq!(scene.warning(look).seen, [expected]);
        };
        says(
            &|scene| scene.environment.load_1m = Some(4.5),
            message!("trap-background-load.load", load = Parameter::number(4.5), processors = 4_u32),
        );
        says(
            &|scene| scene.environment.io_pressure_percent = Some(33.0),
            message!("trap-background-load.pressure", waited = Parameter::share(0.33)),
        );
        says(
            &|scene| scene.environment.is_initialising_ext4 = Some(true),
            message!("trap-background-load.ext4"),
        );
        says(
            &|scene| {
                let array = MdArray { sync_action: Some("resync".to_string()), ..MdArray::default() };
                let detail = Some(LayerDetail::Md(array));
                scene.drive.layers = vec![Layer { detail, ..Layer::new(LayerKind::Md, "md0", &[]) }];
            },
            message!("trap-background-load.sync", set = "md0", action = "resync"),
        );
        says(
            &|scene| {
                let mut step = step(&[], Direction::Read, 1e6);
                let counted = DeviceCounters { read_bytes: 3_000, ..DeviceCounters::default() };
                step.counter_checks = check(Direction::Read, 1_000, &counted).into_iter().collect();
                scene.steps = vec![step];
            },
            message!("trap-background-load.readers", tests = Parameter::all(["One step"])),
        );
    }
}
