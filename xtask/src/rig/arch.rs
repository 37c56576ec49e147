//! The architectures that the rig can be, and what differs between them.

/// One architecture.
#[derive(Debug, Clone)]
pub struct Arch {
    /// As Debian names it.
    pub name: &'static str,
    /// As rustc names it, for a program that needs no library.
    pub target: &'static str,
    /// QEMU's program, and the package that has it.
    pub emulator: &'static str,
    /// The package that has it.
    pub emulator_package: &'static str,
    /// Which machine is emulated. Never by KVM: the rig shall behave the same where there is none.
    pub machine: &'static [&'static str],
    /// The kernel's name of the serial line.
    pub console: &'static str,
    /// The linker, where it is not the machine's own, and the package that has it.
    pub linker: Option<(&'static str, &'static [&'static str])>,
}

/// All of them; the first is the one if none is named.
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
    /// The one that Debian calls `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        ARCHES.iter().find(|arch| arch.name == name)
    }

    /// A package of this architecture, in apt's words.
    pub fn package(&self, name: &str) -> String {
        format!("{name}:{}", self.name)
    }
}
