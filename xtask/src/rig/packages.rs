//! The guest's kernel and programs, from Debian's packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::arch::Arch;
use crate::debian::Debian;
use crate::workspace::stdout_of;

/// The guest's shell; the tools for file systems, arrays and mappings; and their libraries.
const PACKAGES: &[&str] = &[
    "busybox-static",
    "mdadm",
    "dmsetup",
    "e2fsprogs",
    "xfsprogs",
    "btrfs-progs",
    "f2fs-tools",
    "dosfstools",
    "exfatprogs",
    "libc6",
    "libgcc-s1",
    "libblkid1",
    "libuuid1",
    "libudev1",
    "libdevmapper1.02.1",
    "libselinux1",
    "libpcre2-8-0",
    "libext2fs2",
    "libcom-err2",
    "libinih1",
    "liburcu8",
    "libedit2",
    "libzstd1",
    "liblzo2-2",
    "zlib1g",
];

/// The unpacked packages.
pub struct Packages {
    /// The kernel.
    pub kernel: PathBuf,
    /// Its release, such as `6.1.0-56-amd64`.
    pub release: String,
    /// Its modules.
    pub modules: PathBuf,
    /// The programs, as a root directory.
    pub programs: PathBuf,
}

/// Downloads and unpacks missing packages below `directory`. The kernel is that of another release of Debian, if one is
/// named.
///
/// # Errors
/// Why they are not available.
pub fn have(arch: &Arch, directory: &Path, release: Option<&str>) -> Result<Packages, String> {
    let programs = directory.join("programs");
    let kernels = directory.join(release.map_or("kernel".to_string(), |name| format!("kernel-{name}")));
    std::fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    // Existing files may be from an earlier list.
    let (list, listed) = (PACKAGES.join("\n"), directory.join("programs.txt"));
    if programs.is_dir() && std::fs::read_to_string(&listed).ok().as_ref() != Some(&list) {
        std::fs::remove_dir_all(&programs).map_err(|error| format!("{}: {error}", programs.display()))?;
    }
    if !programs.is_dir() || !kernels.is_dir() {
        let native = stdout_of(Command::new("dpkg").arg("--print-architecture"))?;
        if native.trim() != arch.name {
            enable_foreign(arch)?;
        }
    }
    if !programs.is_dir() {
        let names: Vec<String> = PACKAGES.iter().map(|name| arch.package(name)).collect();
        Debian::default().unpack(&names, directory, &programs)?;
        std::fs::write(&listed, &list).map_err(|error| format!("{}: {error}", listed.display()))?;
    }
    if !kernels.is_dir() {
        // This package depends on the newest kernel, whose name carries the version.
        let newest = arch.package(&format!("linux-image-{}", arch.name));
        let debian = match release {
            Some(name) => Debian::release(name, arch.name, &directory.join(name))?,
            None => Debian::default(),
        };
        let kernel = debian.dependency(&newest, "linux-image-")?;
        let kernel = kernel.split(':').next().unwrap_or_default();
        debian.unpack(&[arch.package(kernel)], directory, &kernels)?;
    }
    let release = only_entry(&kernels.join("lib/modules"))?;
    Ok(Packages {
        kernel: kernels.join(format!("boot/vmlinuz-{release}")),
        modules: kernels.join("lib/modules").join(&release),
        release,
        programs,
    })
}

/// Enables apt packages of another architecture, which changes the machine's configuration and needs root.
fn enable_foreign(arch: &Arch) -> Result<(), String> {
    let foreign = stdout_of(Command::new("dpkg").arg("--print-foreign-architectures"))?;
    if foreign.lines().any(|line| line.trim() == arch.name) {
        return Ok(());
    }
    let user = stdout_of(Command::new("id").arg("--user"))?;
    let commands = format!("dpkg --add-architecture {} && apt-get update", arch.name);
    if user.trim() != "0" {
        return Err(format!("apt does not know of {}'s packages (as root: {commands})", arch.name));
    }
    println!(
        "apt does not know of {0}'s packages: {commands} (undone by dpkg --remove-architecture {0})",
        arch.name
    );
    stdout_of(Command::new("dpkg").args(["--add-architecture", arch.name]))?;
    stdout_of(Command::new("apt-get").args(["--quiet", "update"])).map(drop)
}

fn only_entry(directory: &Path) -> Result<String, String> {
    let io = |error: std::io::Error| format!("{}: {error}", directory.display());
    let mut entries = std::fs::read_dir(directory).map_err(io)?;
    let entry = entries.next().ok_or_else(|| format!("{} is empty", directory.display()))?.map_err(io)?;
    Ok(entry.file_name().to_string_lossy().into_owned())
}
