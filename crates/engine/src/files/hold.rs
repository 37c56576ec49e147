//! Devices to be written to: held exclusively, with the user's consent.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::PrepareRequest;
use super::error::PrepareError;
use crate::device::facts::DeviceFacts;
use crate::device::{self, BlockDevice, DeviceNumber, DeviceUse, users};
use crate::gate::{DeviceContent, NOT_OURS, PartContent};
use crate::target::Access;

/// Takes a block device for writing: opens it exclusively, verifies that it is the named one, that nobody
/// uses or owns any part of it, and that the user approved erasing it. The returned device is held until it
/// is dropped.
///
/// The lists of mounts, swap and holders are read after the exclusive open, when nobody can start using it
/// any more. Nothing is opened for writing before there is consent.
///
/// # Errors
/// When it is in use or is a member of something, which consent does not change; when erasing it was not
/// approved, the name now refers to another device, or it cannot be examined.
pub(super) fn device(
    request: &PrepareRequest<'_>,
    path: &Path,
    number: DeviceNumber,
    (job, wants_mounted_write): (usize, bool),
) -> Result<BlockDevice, PrepareError> {
    let root = request.root;
    let unexamined = |call: &'static str| move |source| PrepareError::from_io(call, path, source);
    let in_use = |uses| PrepareError::DeviceInUse { path: path.to_path_buf(), uses, wants_mounted_write };
    let facts = DeviceFacts::look_up(root, number).map_err(unexamined("looking it up in sysfs"))?;
    let flags = OFlags::RDONLY | OFlags::EXCL | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let descriptor = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(descriptor) => descriptor,
        // Report a refusal that neither consent nor privileges can lift before one that they can.
        Err(errno) => {
            let mut uses = users::find(root, &facts).unwrap_or_default();
            if errno == Errno::BUSY && uses.iter().all(|used| *used == DeviceUse::ReadOnly) {
                uses.insert(0, DeviceUse::HeldOpen);
            }
            return Err(if uses.is_empty() { unexamined("open")(errno.into()) } else { in_use(uses) });
        }
    };
    if device::number_of(&descriptor).map_err(unexamined("fstat"))? != Some(number) {
        return Err(PrepareError::Refused(NOT_OURS));
    }
    let mut uses = users::find(root, &facts).map_err(unexamined("reading the list of mounts"))?;
    let descriptor = File::from(descriptor);
    let content = content(root, &facts, &descriptor).map_err(unexamined("reading it"))?;
    for part in &content.parts {
        let members = part.signatures.iter().filter(|signature| signature.is_member);
        uses.extend(members.map(|&of| DeviceUse::Member { part: part.name.clone(), of }));
    }
    if !uses.is_empty() {
        return Err(in_use(uses));
    }
    if !request.consent.covers(&facts.id) {
        let (path, content) = (path.to_path_buf(), Box::new(content));
        return Err(PrepareError::NeedsConsent { job, path, id: facts.id, content });
    }
    let device = BlockDevice::exclusive(path.to_path_buf(), number, descriptor.into());
    // Try to open for writing now rather than fail in the middle of a run.
    device.open(Access { writes: true, ..Access::default() }).map_err(unexamined("open for writing"))?;
    Ok(device)
}

/// Content of a device, its partitions, and the disk that it is part of.
fn content(root: &Path, facts: &DeviceFacts, device: &File) -> io::Result<DeviceContent> {
    let part_content = |file: &File, part: &device::facts::Part, start_bytes| {
        let signatures = device::find_signatures(file, start_bytes, part.len_bytes)?;
        io::Result::Ok(PartContent { name: part.name.clone(), len_bytes: part.len_bytes, signatures })
    };
    let mut parts = vec![part_content(device, &facts.device, 0)?];
    for partition in &facts.partitions {
        parts.push(part_content(device, partition, partition.start_bytes)?);
    }
    if let Some(disk) = &facts.disk {
        match device::open_by_name(root, &disk.name, disk.number, OFlags::empty()) {
            Ok(whole) => {
                let mut disk = part_content(&whole, disk, 0)?;
                // The disk's other partitions are not touched: only membership of the whole disk counts.
                disk.signatures.retain(|signature| signature.is_member);
                parts.push(disk);
            }
            // A container may have access only to the partition.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(DeviceContent { model: facts.model.clone(), parts })
}
