//! Volumes as reported by the programs, each with its controller.

use cardiograph_core::drive::Controller;

use super::VolumeId;

/// A program's report about a volume.
#[derive(Debug)]
pub(crate) struct Volume {
    /// Its globally unique name, without the prefix `naa.`.
    pub id: Option<String>,
    /// Such as `/dev/sda`.
    pub device: Option<String>,
    /// Its controller, including the volume.
    pub controller: Controller,
}

/// Fills in the volume `id`. Returns whether it is among `volumes`.
pub(super) fn fill(volumes: &[Volume], controller: &mut Controller, id: &VolumeId) -> bool {
    let is_it = |volume: &&Volume| id.is_it(volume.id.as_deref(), volume.device.as_deref());
    let Some(volume) = volumes.iter().find(is_it) else { return false };
    *controller = Controller { driver: controller.driver.clone(), ..volume.controller.clone() };
    true
}
