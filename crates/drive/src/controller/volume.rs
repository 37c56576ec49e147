//! Volumes as the programs tell of them, each with its controller.

use cardiograph_core::drive::Controller;

use super::Place;

/// What a program told of a volume.
#[derive(Debug)]
pub(crate) struct Volume {
    /// Its name in the world, without the `naa.` in front.
    pub id: Option<String>,
    /// As `/dev/sda`.
    pub device: Option<String>,
    /// Its controller, with the volume in it.
    pub controller: Controller,
}

/// Sets what is known of the volume at `place`. Returns whether it is among `volumes`.
pub(super) fn fill(volumes: &[Volume], controller: &mut Controller, place: &Place) -> bool {
    let is_it = |volume: &&Volume| place.is_it(volume.id.as_deref(), volume.device.as_deref());
    let Some(volume) = volumes.iter().find(is_it) else { return false };
    *controller = Controller { driver: controller.driver.clone(), ..volume.controller.clone() };
    true
}
