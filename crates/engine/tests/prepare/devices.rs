//! The safety gate for block devices, on loop devices.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use cardiograph_core::{Message, Parameter, message};
use cardiograph_engine::files::{PrepareError, before_io, facts};
use cardiograph_engine::{Access, Consent};
use cardiograph_jobs::resolve::FileFacts;
use cardiograph_testing::{disk_dir, run, skip, soon};

use super::bench::*;

/// Length of the devices in bytes: an odd number of sectors, so that ends are placed as on real drives.
const LEN_BYTES: u64 = 16 * MIB + 512 * 3;

/// A file as a block device.
pub struct LoopDevice {
    image: tempfile::TempDir,
    pub path: PathBuf,
}

impl LoopDevice {
    fn new(options: &[&str]) -> Result<Self, String> {
        let image = disk_dir();
        let file = image.path().join("image");
        File::create(&file).and_then(|file| file.set_len(LEN_BYTES)).map_err(|error| error.to_string())?;
        Self::on(&file, image, options)
    }

    /// Attaches a loop device to an existing file or device.
    fn on(backing: &Path, image: tempfile::TempDir, options: &[&str]) -> Result<Self, String> {
        let mut command = Command::new("losetup");
        let output = command.args(options).args(["--find", "--show"]).arg(backing).output();
        let output = output.map_err(|error| format!("losetup: {error}"))?;
        if !output.status.success() {
            return Err(format!("losetup: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
        let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        Ok(Self { image, path })
    }

    /// A loop device, or a note that the test was skipped.
    pub fn or_skip(what: &str) -> Option<Self> {
        Self::new(&[]).map_err(|reason| skip(what, &reason)).ok()
    }

    pub fn image(&self) -> File {
        OpenOptions::new().read(true).write(true).open(self.image.path().join("image")).unwrap()
    }

    fn number(&self) -> String {
        let stat = rustix::fs::stat(&self.path).unwrap();
        format!("{}:{}", rustix::fs::major(stat.st_rdev), rustix::fs::minor(stat.st_rdev))
    }

    pub fn id(&self) -> String {
        format!("{}-{LEN_BYTES}", self.number())
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap().to_string_lossy().into_owned()
    }

    /// Adds a partition of `mib`, one MiB after the start.
    fn add_partition(&self, mib: u64) -> Result<PathBuf, String> {
        let sectors = |mib: u64| (mib * 2_048).to_string();
        run(Command::new("addpart").arg(&self.path).args(["1", &sectors(1), &sectors(mib)]))?;
        Ok(PathBuf::from(format!("{}p1", self.path.display())))
    }

    /// The reported uses when a job writes to it with the user's approval.
    fn write_uses(&self) -> Parameter {
        let plan = plan_on(&self.path, "rw=randrw size=1M allow_mounted_write=1");
        let refused = refusal(prepare_watched(&plan, &[&self.id()], &Watch::default()));
        assert_eq!(refused.id(), "prepare-device-in-use.mounted-write", "{refused}");
        refused.parameter("uses").unwrap().clone()
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        // A manually added partition outlives the loop device.
        let _ = run(Command::new("delpart").arg(&self.path).arg("1"));
        let _ = run(Command::new("losetup").arg("--detach").arg(&self.path));
    }
}

/// The refusal to write to a file under a loop device.
fn under_loop(path: &Path) -> Message {
    message!("prepare-in-use.loop-device", path)
}

/// The only use of a device.
fn only(used: Message) -> Parameter {
    Parameter::all([used])
}

/// The only use of a device, which is mounted.
fn mounted_at(part: &str, path: &Path) -> Parameter {
    only(message!("device-use-mounted", part, path))
}

/// A device or partition in the question for consent.
fn part_of(name: &str, len_bytes: u64, signature: Option<&str>) -> Parameter {
    let length = Parameter::Bytes(len_bytes);
    Parameter::from(match signature {
        None => message!("device-part", name, length),
        Some(signature) => {
            message!("device-part.signed", name, length, signatures = Parameter::all([signature]))
        }
    })
}

/// A mount that is undone on drop.
struct Mounted(PathBuf);

impl Mounted {
    fn new(device: &Path, at: &Path) -> Result<Self, String> {
        run(Command::new("mkfs.ext4").args(["-q", "-F"]).arg(device))?;
        fs::create_dir(at).map_err(|error| error.to_string())?;
        run(Command::new("mount").arg(device).arg(at))?;
        Ok(Self(at.to_path_buf()))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // Lazily: a process started by another test may have a file there open for a moment.
        let _ = run(Command::new("umount").arg("--lazy").arg(&self.0));
    }
}

#[test]
fn reading_needs_no_consent() {
    let Some(device) = LoopDevice::or_skip("reading a block device") else { return };
    assert_eq!(facts(&device.path), FileFacts::Device { len_bytes: LEN_BYTES });
    let plan = plan_on(&device.path, "rw=randread size=1M");
    let prepared = prepare_watched(&plan, &[], &Watch::default()).unwrap();
    assert!(prepared.permit.is_none() && prepared.layouts.is_empty());
    let target = &prepared.targets[0];
    assert!(target.is_device() && !target.is_file());
    assert_eq!((target.len_bytes(), target.filled_bytes()), (LEN_BYTES, LEN_BYTES));
    before_io(target, &plan.jobs[0].workload, &plan.jobs[0].clones[0][0]).unwrap();
    target.open(Access::default()).unwrap();
    assert!(target.open(Access { writes: true, ..Access::default() }).is_err());
    // Other readers are allowed.
    assert!(OpenOptions::new().read(true).custom_flags(libc::O_EXCL).open(&device.path).is_ok());
}

#[test]
fn writing_needs_consent_to_erase_this_device() {
    let Some(device) = LoopDevice::or_skip("writing to a block device") else { return };
    device.image().write_all_at(&[0x53, 0xef], 1_080).unwrap();
    let before = fs::read(device.image.path().join("image")).unwrap();
    let link = device.image.path().join("by-another-name");
    std::os::unix::fs::symlink(&device.path, &link).unwrap();
    let wrong = [String::new(), "7".to_string(), device.number(), format!("{}0", device.id())];
    for path in [&device.path, &link] {
        for rw in ["write", "randwrite", "rw", "randrw"] {
            let plan = plan_on(path, &format!("rw={rw} size=1M"));
            let given: Vec<&str> = wrong.iter().map(String::as_str).collect();
            match prepare_watched(&plan, &given, &Watch::default()) {
                Err(PrepareError::NeedsConsent { job, id, content, .. }) => {
                    assert_eq!((job, id), ("job".to_string(), device.id()));
                    let part = part_of(&device.name(), LEN_BYTES, Some("ext2/3/4"));
                    assert_eq!(content, Parameter::All(vec![part]));
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(before, fs::read(device.image.path().join("image")).unwrap());

    let jobs = [
        job("a", &format!("filename={} rw=write size=1M", device.path.display())),
        job("b", &format!("filename={} rw=read size=1M", link.display())),
    ];
    let prepared = prepare_watched(&plan(&jobs), &[&device.id()], &Watch::default()).unwrap();
    let target = &prepared.targets[0];
    assert!(Arc::ptr_eq(target, &prepared.targets[1]));
    assert!(prepared.permit.as_ref().unwrap().covers(target));
    // Now held, so that nobody can mount it.
    let exclusive = || OpenOptions::new().read(true).custom_flags(libc::O_EXCL).open(&device.path);
    assert_eq!(exclusive().unwrap_err().raw_os_error(), Some(libc::EBUSY));
    for direct in [false, true] {
        let opened = target.open(Access { direct, writes: true, ..Access::default() }).unwrap();
        drop(opened);
    }
    let opened = File::from(target.open(Access { writes: true, ..Access::default() }).unwrap());
    opened.write_all_at(b"written", 4_096).unwrap();
    opened.sync_all().unwrap();
    let mut bytes = [0; 7];
    device.image().read_exact_at(&mut bytes, 4_096).unwrap();
    assert_eq!(&bytes, b"written");
    drop((opened, prepared));
    soon(|| exclusive().ok());
}

#[test]
fn regions_beyond_the_end_are_refused() {
    let Some(device) = LoopDevice::or_skip("regions behind a device's end") else { return };
    let [end, length] = [17 * MIB, LEN_BYTES].map(Parameter::Bytes);
    let expected = message!("prepare-outside", job = "job", path = &device.path, end, length);
    assert_eq!(refusal(prepare_one(&device.path, "rw=read size=17M")), expected);
}

#[test]
fn a_mounted_device_is_never_written_to() {
    let Some(device) = LoopDevice::or_skip("a mounted device as a target") else { return };
    let at = device.image.path().join("mount point");
    let mounted = match Mounted::new(&device.path, &at) {
        Ok(mounted) => mounted,
        Err(reason) => return skip("a mounted device as a target", &reason),
    };
    assert_eq!(device.write_uses(), mounted_at(&device.name(), &at));
    assert!(prepare_one(&device.path, "rw=read size=1M").is_ok());
    drop(mounted);
    let plan = plan_on(&device.path, "rw=write size=1M");
    soon(|| prepare_watched(&plan, &[&device.id()], &Watch::default()).ok());
}

#[test]
fn a_device_with_a_mounted_partition_is_never_written_to() {
    let what = "a device with a mounted partition as a target";
    let Some(device) = LoopDevice::or_skip(what) else { return };
    let at = device.image.path().join("mnt");
    let mounted = device
        .add_partition(12)
        .and_then(|partition| Mounted::new(&partition, &at).map(|mounted| (partition, mounted)));
    let (partition, mounted) = match mounted {
        Ok(both) => both,
        Err(reason) => return skip(what, &reason),
    };
    let part = partition.file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(device.write_uses(), mounted_at(&part, &at));
    drop(mounted);

    // Free again: erasing the device with all its content was approved; a partition needs its own id.
    let plan = plan_on(&device.path, "rw=write size=1M");
    match prepare_watched(&plan, &[], &Watch::default()) {
        Err(PrepareError::NeedsConsent { content, .. }) => {
            let whole = part_of(&device.name(), LEN_BYTES, None);
            let expected = [whole, part_of(&part, 12 * MIB, Some("ext2/3/4"))];
            assert_eq!(content, Parameter::All(expected.to_vec()));
        }
        other => panic!("{other:?}"),
    }
    let on_partition = plan_on(&partition, "rw=write size=1M");
    match prepare_watched(&on_partition, &[&device.id()], &Watch::default()) {
        Err(PrepareError::NeedsConsent { id, .. }) => {
            assert!(id.ends_with(&format!("-{}", 12 * MIB)) && id != device.id(), "{id}");
            soon(|| prepare_watched(&on_partition, &[&id], &Watch::default()).ok());
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn swap_is_never_written_to() {
    let Some(device) = LoopDevice::or_skip("a swap device as a target") else { return };
    let on = run(Command::new("mkswap").arg(&device.path))
        .and_then(|()| run(Command::new("swapon").arg(&device.path)));
    if let Err(reason) = on {
        return skip("a swap device as a target", &reason);
    }
    let uses = std::panic::catch_unwind(|| device.write_uses());
    run(Command::new("swapoff").arg(&device.path)).unwrap();
    assert_eq!(uses.unwrap(), only(message!("device-use-swap", part = device.name())));
}

#[test]
fn an_exclusively_held_device_is_never_written_to() {
    let Some(device) = LoopDevice::or_skip("a device held open as a target") else { return };
    let held = OpenOptions::new().read(true).custom_flags(libc::O_EXCL).open(&device.path).unwrap();
    assert_eq!(device.write_uses(), only(HELD_OPEN));
    assert!(prepare_one(&device.path, "rw=read size=1M").is_ok());
    drop(held);
}

#[test]
fn devices_under_a_used_loop_device_are_never_written_to() {
    let what = "loop devices on loop devices as targets";
    let Some(lower) = LoopDevice::or_skip(what) else { return };
    let image = lower.image.path().join("image");
    let on = |backing: &Path| LoopDevice::on(backing, disk_dir(), &[]);
    let (upper, beside) = match on(&lower.path).and_then(|upper| Ok((upper, on(&image)?))) {
        Ok(both) => both,
        Err(reason) => return skip(what, &reason),
    };
    let all = [&lower, &upper, &beside];
    let write_image = || prepare_one(&image, "rw=randrw size=1M");
    // Unused loop devices do not prevent it.
    let write_free = || {
        for device in all {
            let plan = plan_on(&device.path, "rw=write size=1M");
            soon(|| prepare_watched(&plan, &[&device.id()], &Watch::default()).ok());
        }
        soon(|| write_image().ok());
    };
    write_free();
    for used in all {
        let at = used.image.path().join("mnt");
        let mounted = match Mounted::new(&used.path, &at) {
            Ok(mounted) => mounted,
            Err(reason) => return skip(what, &reason),
        };
        for written in all {
            let is_settled = |uses: &Parameter| match uses {
                Parameter::All(uses) => !uses.contains(&HELD_OPEN.into()),
                other => panic!("{other}"),
            };
            let uses = soon(|| Some(written.write_uses()).filter(is_settled));
            assert_eq!(uses, mounted_at(&used.name(), &at), "{} of {}", written.name(), used.name());
        }
        assert_eq!(refusal(write_image()), under_loop(&image));
        assert!(prepare_one(&image, "rw=read size=1M").is_ok());
        drop(mounted);
        fs::remove_dir(&at).unwrap();
    }
    write_free();
    // Held without an entry in the lists, as by a mount in a container.
    let held = OpenOptions::new().read(true).custom_flags(libc::O_EXCL).open(&upper.path).unwrap();
    assert_eq!(lower.write_uses(), only(HELD_OPEN));
    assert_eq!(refusal(write_image()), under_loop(&image));
    drop(held);
}

#[test]
fn a_read_only_device_is_not_written_to() {
    let device = match LoopDevice::new(&["--read-only"]) {
        Ok(device) => device,
        Err(reason) => return skip("a read-only device as a target", &reason),
    };
    assert_eq!(device.write_uses(), only(message!("device-use-read-only")));
}

#[test]
fn members_of_arrays_and_volume_groups_are_never_written_to() {
    let Some(device) = LoopDevice::or_skip("signatures on a device") else { return };
    let md = [0xfc, 0x4e, 0x2b, 0xa9];
    let marks: [(u64, &[u8], &str); 6] = [
        (4_096, &md, "md"),
        (0, &md, "md"),
        // Format 1.0 is 8 KiB before the end on a grid of 4 KiB, format 0.90 64 KiB before it on a grid of 64
        // KiB.
        (16 * MIB - 8_192, &md, "md"),
        (16 * MIB - 65_536, &md, "md"),
        (512 + 24, b"LVM2 001", "LVM2"),
        (0, b"LUKS\xba\xbe", "LUKS"),
    ];
    let member = |part: &str, of: &str| only(message!("device-use-member", part, of));
    // As another program would: the device's cache may hold an older version of data written to the image.
    let write = |bytes: &[u8], offset_bytes| {
        let file = OpenOptions::new().write(true).open(&device.path).unwrap();
        file.write_all_at(bytes, offset_bytes).unwrap();
        file.sync_all().unwrap();
    };
    for (offset_bytes, mark, name) in marks {
        write(mark, offset_bytes);
        assert_eq!(device.write_uses(), member(&device.name(), name));
        write(&[0; 8], offset_bytes);
    }
    // On a partition, when the whole device is named.
    match device.add_partition(8) {
        Err(reason) => skip("signatures on a partition", &reason),
        Ok(_) => {
            write(&md, MIB + 4_096);
            assert_eq!(device.write_uses(), member(&format!("{}p1", device.name()), "md"));
            write(&[0; 4], MIB + 4_096);
        }
    }
    let plan = plan_on(&device.path, "rw=write size=1M");
    soon(|| prepare_watched(&plan, &[&device.id()], &Watch::default()).ok());
}

/// Arrays and mapped devices cannot be built everywhere, so their sysfs entries are created manually.
#[test]
fn devices_with_holders_are_never_written_to() {
    let Some(device) = LoopDevice::or_skip("holders of a device") else { return };
    let root = disk_dir();
    let dir = root.path().join("sys/devices/virtual/block").join(device.name());
    let part = dir.join(format!("{}p1", device.name()));
    let sectors = |len_bytes: u64| (len_bytes / 512).to_string();
    let attributes = |dir: &Path, pairs: &[(&str, &str)]| {
        for (name, value) in pairs {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{value}\n")).unwrap();
        }
    };
    attributes(
        &dir,
        &[("dev", &device.number()), ("size", &sectors(LEN_BYTES)), ("ro", "0"), ("serial", "A 1")],
    );
    let part_attributes = [("dev", "259:9"), ("size", "2048"), ("start", "2048"), ("partition", "1")];
    attributes(&part, &part_attributes);
    attributes(root.path(), &[("proc/self/mountinfo", "20 1 0:5 / /proc rw - proc proc rw")]);
    fs::create_dir_all(root.path().join("sys/dev/block")).unwrap();
    std::os::unix::fs::symlink(&dir, root.path().join("sys/dev/block").join(device.number())).unwrap();
    let plan = plan_on(&device.path, "rw=write size=1M");
    let prepare = |ids: &[&str]| {
        let consent = Consent::to(ids.iter().map(ToString::to_string));
        prepare_below(root.path(), &plan, &consent, &Watch::default())
    };
    // A serial number replaces number and length.
    match prepare(&[&device.id()]) {
        Err(PrepareError::NeedsConsent { id, .. }) => assert_eq!(id, "A_1"),
        other => panic!("{other:?}"),
    }
    soon(|| prepare(&["A_1"]).ok());

    let uses = || {
        let refused = refusal(prepare(&["A_1"]));
        assert_eq!(refused.id(), "prepare-device-in-use", "{refused}");
        refused.parameter("uses").unwrap().clone()
    };
    let holder = |part: &Path, holder: &str| {
        let part = part.file_name().unwrap().to_string_lossy().into_owned();
        message!("device-use-holder", part, holder)
    };
    attributes(&part, &[("holders/md127/size", "2048")]);
    assert_eq!(uses(), only(holder(&part, "md127")));
    fs::remove_dir_all(part.join("holders")).unwrap();
    attributes(&dir, &[("holders/dm-0/dm/name", "vg-data"), ("holders/dm-1/size", "8")]);
    assert_eq!(uses(), Parameter::all([holder(&dir, "dm-0 (vg-data)"), holder(&dir, "dm-1")]));
    fs::remove_dir_all(dir.join("holders")).unwrap();

    let mounts = "30 1 259:9 / /mnt/with\\040blank rw shared:1 - ext4 /dev/x rw\n";
    fs::write(root.path().join("proc/self/mountinfo"), mounts).unwrap();
    let name = part.file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(uses(), mounted_at(&name, Path::new("/mnt/with blank")));
    fs::write(root.path().join("proc/self/mountinfo"), "").unwrap();
    let swaps = format!("Filename Type Size Used Priority\n/dev/{name}  partition 1 0 -2\n");
    fs::write(root.path().join("proc/swaps"), swaps).unwrap();
    assert_eq!(uses(), only(message!("device-use-swap", part = name)));
    fs::remove_file(root.path().join("proc/swaps")).unwrap();
    soon(|| prepare(&["A_1"]).ok());

    // If nothing can be known, nothing is written.
    fs::remove_file(root.path().join("proc/self/mountinfo")).unwrap();
    let unknown = |call: Message| {
        let error = Parameter::OsError(libc::ENOENT);
        let failed = message!("prepare-failed", call, path = &device.path, error);
        message!("with-advice", error = failed, advice = message!("advice.other-place"))
    };
    assert_eq!(refusal(prepare(&["A_1"])), unknown(message!("call.find-users")));
    fs::remove_dir_all(root.path().join("sys")).unwrap();
    assert_eq!(refusal(prepare(&["A_1"])), unknown(message!("call.look-at")));
}

/// An overlay mount, with a lower, an upper and a merged directory.
struct OverlayMount(PathBuf);

impl OverlayMount {
    fn new(directory: &Path) -> Result<Self, String> {
        let path = |name: &str| directory.join(name);
        for name in ["lower", "upper", "work", "merged"] {
            fs::create_dir(path(name)).map_err(|error| error.to_string())?;
        }
        // No other test's file has this length: without the overlay, only the length identifies the file.
        fs::write(path("lower/image"), vec![0; LEN_BYTES as usize + 512])
            .map_err(|error| error.to_string())?;
        // Relative paths, so that the mount list does not show them.
        let mount = Command::new("mount")
            .args(["-t", "overlay", "overlay", "-o", "lowerdir=lower,upperdir=upper,workdir=work", "merged"])
            .current_dir(directory)
            .output();
        match mount {
            Ok(output) if output.status.success() => Ok(Self(path("merged"))),
            Ok(output) => Err(format!("mount: {}", String::from_utf8_lossy(&output.stderr).trim())),
            Err(error) => Err(format!("mount: {error}")),
        }
    }
}

impl Drop for OverlayMount {
    fn drop(&mut self) {
        // Lazily: a process started by another test may have a file there open for a moment.
        let _ = run(Command::new("umount").arg("--lazy").arg(&self.0));
    }
}

/// Path of the file for the loop device, path for the job, and an action in between.
#[test]
fn a_file_under_a_mounted_loop_device_is_recognised_under_any_name() {
    let what = "files under loop devices, behind overlays and under other names";
    type Case = (&'static str, &'static str, fn(&Path));
    let cases: [Case; 6] = [
        ("merged/image", "upper/image", |_| {}),
        ("upper/image", "merged/image", |_| {}),
        ("merged/image", "merged/image", |_| {}),
        ("merged/image", "upper/image", |directory| {
            run(Command::new("umount").arg("--lazy").arg(directory.join("merged"))).unwrap();
        }),
        ("upper/image", "upper/renamed", |directory| {
            fs::rename(directory.join("upper/image"), directory.join("upper/renamed")).unwrap();
        }),
        ("upper/image", "bound/image", |directory| {
            fs::create_dir(directory.join("bound")).unwrap();
            run(Command::new("mount")
                .arg("--bind")
                .arg(directory.join("upper"))
                .arg(directory.join("bound")))
            .unwrap();
        }),
    ];
    for (backing, named, prepare) in cases {
        let directory = disk_dir();
        let path = |name: &str| directory.path().join(name);
        let overlay = match OverlayMount::new(directory.path()) {
            Ok(overlay) => overlay,
            Err(reason) => return skip(what, &reason),
        };
        // Copies it to the upper directory.
        fs::OpenOptions::new().append(true).open(path("merged/image")).unwrap();
        let device = match LoopDevice::on(&path(backing), disk_dir(), &[]) {
            Ok(device) => device,
            Err(reason) => return skip(what, &reason),
        };
        let mounted = match Mounted::new(&device.path, &path("at")) {
            Ok(mounted) => mounted,
            Err(reason) => return skip(what, &reason),
        };
        prepare(directory.path());
        let prepared = prepare_one(&path(named), "rw=write size=64k");
        let other = prepare_one(&path("upper/other"), "rw=write size=64k");
        if path("bound").exists() {
            cardiograph_testing::run_when_free(Command::new("umount").arg(path("bound"))).unwrap();
        }
        drop((mounted, device, overlay));
        assert_eq!(refusal(prepared), under_loop(&path(named)), "{backing} {named}");
        assert!(other.is_ok(), "{backing} {named}");
    }
}
