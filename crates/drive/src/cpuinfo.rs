//! Processors in `/proc/cpuinfo`, whose format differs between architectures.

/// Arm's implementer id in the main identity register.
const IMPLEMENTER_ARM: u64 = 0x41;

/// Arm's cores by part number, from their technical reference manuals (MIDR).
const ARM_CORES: [(u64, &str); 22] = [
    (0xb76, "ARM1176"),
    (0xc05, "Cortex-A5"),
    (0xc07, "Cortex-A7"),
    (0xc08, "Cortex-A8"),
    (0xc09, "Cortex-A9"),
    (0xc0f, "Cortex-A15"),
    (0xd03, "Cortex-A53"),
    (0xd04, "Cortex-A35"),
    (0xd05, "Cortex-A55"),
    (0xd07, "Cortex-A57"),
    (0xd08, "Cortex-A72"),
    (0xd09, "Cortex-A73"),
    (0xd0a, "Cortex-A75"),
    (0xd0b, "Cortex-A76"),
    (0xd0c, "Neoverse N1"),
    (0xd0d, "Cortex-A77"),
    (0xd40, "Neoverse V1"),
    (0xd41, "Cortex-A78"),
    (0xd44, "Cortex-X1"),
    (0xd49, "Neoverse N2"),
    (0xd4a, "Neoverse E1"),
    (0xd4f, "Neoverse V2"),
];

/// The parsed information.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CpuInfo {
    /// Processor names; cores of different kinds are joined with `+`.
    pub model: Option<String>,
    /// Number of listed processors.
    pub processors: u32,
    /// Whether it runs under a hypervisor; `None` if the processor cannot report it.
    pub hypervisor: Option<bool>,
}

impl CpuInfo {
    /// Parses the list.
    pub fn parse(text: &str) -> Self {
        let mut info = Self::default();
        let mut model = None;
        let mut cores: Vec<&str> = Vec::new();
        let mut is_arm = false;
        for (key, value) in text.lines().filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            match key.trim() {
                "processor" => info.processors += 1,
                // x86 and 32-bit Arm; POWER; RISC-V.
                "model name" | "cpu" | "uarch" if model.is_none() && !value.is_empty() => model = Some(value),
                "flags" => info.hypervisor = Some(value.split_whitespace().any(|flag| flag == "hypervisor")),
                "CPU implementer" => is_arm = parse_number(value) == Some(IMPLEMENTER_ARM),
                "CPU part" if is_arm => {
                    let core = ARM_CORES.iter().find(|(part, _)| parse_number(value) == Some(*part));
                    if let Some((_, name)) = core
                        && !cores.contains(name)
                    {
                        cores.push(name);
                    }
                }
                _ => {}
            }
        }
        // A core's name is more specific than "ARMv7 Processor rev 4 (v7l)".
        let joined = (!cores.is_empty()).then(|| cores.join(" + "));
        info.model = joined.or_else(|| model.and_then(|model| crate::attribute::clean(model.as_bytes())));
        info
    }
}

/// A number in this file: hexadecimal after `0x`.
fn parse_number(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_of_several_architectures() {
        let x86 = "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu hypervisor lm\n\nprocessor\t: 1\nmodel name\t: AMD EPYC\nflags\t\t: fpu hypervisor lm\n";
        let bare = "processor\t: 0\nmodel name\t: Intel(R) N100\nflags\t\t: fpu nohypervisorx lm\n";
        let pi5 = "processor\t: 0\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\n\nModel\t\t: Raspberry Pi 5\n";
        let pi3 = "processor\t: 0\nmodel name\t: ARMv7 Processor rev 4 (v7l)\nCPU implementer\t: 0x41\nCPU part\t: 0xd03\n";
        let big_little = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd05\nprocessor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\nprocessor\t: 2\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\n";
        let unknown = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xfff\n";
        // Another vendor's part number means something else.
        let other_maker = "processor\t: 0\nCPU implementer\t: 0x48\nCPU part\t: 0xd03\n";
        let old_arm = "processor\t: 0\nmodel name\t: ARMv5TE\nCPU implementer\t: 0x56\nCPU part\t: 0x131\n";
        let cases = [
            (x86, Some("AMD EPYC"), 2, Some(true)),
            (bare, Some("Intel(R) N100"), 1, Some(false)),
            (pi5, Some("Cortex-A76"), 1, None),
            (pi3, Some("Cortex-A53"), 1, None),
            (big_little, Some("Cortex-A55 + Cortex-A76"), 3, None),
            (unknown, None, 1, None),
            (other_maker, None, 1, None),
            (old_arm, Some("ARMv5TE"), 1, None),
            ("", None, 0, None),
            ("garbage\n::\n", None, 0, None),
        ];
        for (text, model, processors, hypervisor) in cases {
            let expected = CpuInfo { model: model.map(str::to_string), processors, hypervisor };
            assert_eq!(CpuInfo::parse(text), expected, "{text}");
        }
    }
}
