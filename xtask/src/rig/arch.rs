//! The rig's architectures, and their differences.

/// One architecture.
#[derive(Debug, Clone)]
pub struct Arch {
    /// Debian's name.
    pub name: &'static str,
    /// rustc's target for a static program.
    pub target: &'static str,
    /// QEMU's program.
    pub emulator: &'static str,
    /// Its package.
    pub emulator_package: &'static str,
    /// The emulated machine. Never with KVM: the rig must behave the same without it.
    pub machine: &'static [&'static str],
    /// The kernel's name of the serial line.
    pub console: &'static str,
    /// The cross linker and its packages, if it is not the machine's own.
    pub linker: Option<(&'static str, &'static [&'static str])>,
}

/// All architectures; the first is the default.
pub const ARCHES: [Arch; 2] = [
    Arch {
        name: "amd64",
        target: "x86_64-unknown-linux-gnu",
        emulator: "qemu-system-x86_64",
        emulator_package: "qemu-system-x86",
        machine: &["-machine", "q35", "-accel", "tcg", "-cpu", "max"],
        console: "ttyS0",
        linker: None,
    },
    Arch {
        name: "arm64",
        target: "aarch64-unknown-linux-gnu",
        emulator: "qemu-system-aarch64",
        emulator_package: "qemu-system-arm",
        machine: &["-machine", "virt", "-accel", "tcg", "-cpu", "cortex-a72"],
        console: "ttyAMA0",
        linker: Some(("aarch64-linux-gnu-gcc", &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"])),
    },
];

impl Arch {
    /// The one with Debian's name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ARCHES.iter().find(|arch| arch.name == name)
    }

    /// apt's name for a package of this architecture.
    pub fn package(&self, name: &str) -> String {
        format!("{name}:{}", self.name)
    }
}
