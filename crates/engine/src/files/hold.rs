//! Devices to be written to: held exclusively, with the user's consent.

use std::fs::File;
use std::io;
use std::path::Path;

use cardiograph_core::{Message, Parameter, message};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::PrepareRequest;
use super::error::{PrepareError, call_failed};
use crate::device::facts::{DeviceFacts, Part};
use crate::device::{self, BlockDevice, DeviceNumber, Signature, users};
use crate::gate::NOT_OURS;
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
    (job, wants_mounted_write): (&str, bool),
) -> Result<BlockDevice, PrepareError> {
    let root = request.root;
    let unexamined = |call: Message| move |error| call_failed(call, path, error);
    let in_use = |uses: Vec<Message>| match (Parameter::all(uses), wants_mounted_write) {
        (uses, true) => message!("prepare-device-in-use.mounted-write", path, uses),
        (uses, false) => message!("prepare-device-in-use", path, uses),
    };
    let facts = DeviceFacts::look_up(root, number).map_err(unexamined(message!("call.look-at")))?;
    let flags = OFlags::RDONLY | OFlags::EXCL | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let descriptor = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(descriptor) => descriptor,
        // Report a refusal that neither consent nor privileges can lift before one that they can.
        Err(errno) => {
            let mut uses = users::find(root, &facts).unwrap_or_default();
            if errno == Errno::BUSY && uses.iter().all(|used| *used == users::READ_ONLY) {
                uses.insert(0, users::HELD_OPEN);
            }
            let unopened = || call_failed(message!("call.open"), path, errno);
            return Err(if uses.is_empty() { unopened() } else { in_use(uses) }.into());
        }
    };
    if device::number_of(&descriptor).map_err(unexamined(message!("call.look-at")))? != Some(number) {
        return Err(NOT_OURS.into());
    }
    let mut uses = users::find(root, &facts).map_err(unexamined(message!("call.find-users")))?;
    let descriptor = File::from(descriptor);
    let parts = parts(root, &facts, &descriptor).map_err(unexamined(message!("call.read")))?;
    for part in &parts {
        let members = part.signatures.iter().filter(|signature| signature.is_member);
        uses.extend(members.map(|of| message!("device-use-member", part = &part.name, of = of.name)));
    }
    if !uses.is_empty() {
        return Err(in_use(uses).into());
    }
    if !request.consent.covers(&facts.id) {
        let model = facts.model.iter().map(Parameter::from);
        let content = Parameter::all(model.chain(parts.iter().map(|part| part.message().into())));
        let (job, path) = (job.to_string(), path.to_path_buf());
        return Err(PrepareError::NeedsConsent { job, path, id: facts.id, content });
    }
    let device = BlockDevice::exclusive(path.to_path_buf(), number, descriptor.into());
    // Try to open for writing now rather than fail in the middle of a run.
    device
        .open(Access { writes: true, ..Access::default() })
        .map_err(unexamined(message!("call.open-for-writing")))?;
    Ok(device)
}

/// A device or partition, and what was found on it.
struct PartContent {
    /// The kernel's name.
    name: String,
    len_bytes: u64,
    signatures: Vec<Signature>,
}

impl PartContent {
    fn find(file: &File, part: &Part, start_bytes: u64) -> io::Result<Self> {
        let signatures = device::find_signatures(file, start_bytes, part.len_bytes)?;
        Ok(Self { name: part.name.clone(), len_bytes: part.len_bytes, signatures })
    }

    fn message(&self) -> Message {
        let (name, length) = (&self.name, Parameter::Bytes(self.len_bytes));
        if self.signatures.is_empty() {
            return message!("device-part", name, length);
        }
        let signatures = Parameter::all(self.signatures.iter().map(|signature| signature.name));
        message!("device-part.signed", name, length, signatures)
    }
}

/// Content of a device, its partitions, and the disk that it is part of.
fn parts(root: &Path, facts: &DeviceFacts, device: &File) -> io::Result<Vec<PartContent>> {
    let mut parts = vec![PartContent::find(device, &facts.device, 0)?];
    for partition in &facts.partitions {
        parts.push(PartContent::find(device, partition, partition.start_bytes)?);
    }
    if let Some(disk) = &facts.disk {
        match device::open_by_name(root, &disk.name, disk.number, OFlags::empty()) {
            Ok(whole) => {
                let mut disk = PartContent::find(&whole, disk, 0)?;
                // The disk's other partitions are not touched: only membership of the whole disk counts.
                disk.signatures.retain(|signature| signature.is_member);
                parts.push(disk);
            }
            // A container may have access only to the partition.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(parts)
}
