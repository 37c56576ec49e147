//! The machine: model, processors, memory, kernel.

use cardiograph_core::KIB;
use cardiograph_core::drive::Host;

use crate::cpuinfo::CpuInfo;
use crate::system::System;
use crate::{attribute, processors, raspberry_pi};

/// Placeholder names of boards.
const PLACEHOLDERS: [&str; 6] = [
    "To Be Filled By O.E.M.",
    "To be filled by O.E.M.",
    "System manufacturer",
    "System Product Name",
    "Default string",
    "Not Specified",
];

impl System {
    /// The machine's description.
    pub fn host(&self) -> Host {
        let cpuinfo =
            attribute::list_text(&self.under_root("proc/cpuinfo")).map(|text| CpuInfo::parse(&text));
        Host {
            name: attribute::text(&self.under_root("proc/sys/kernel/hostname")),
            model: self.machine_model(),
            cpus: self.usable_cpus(cpuinfo.as_ref()),
            cpu: cpuinfo.and_then(|info| info.model),
            processor_kinds: processors::kinds(self),
            memory_bytes: self.memory_bytes(),
            kernel: self.kernel(),
            arch: Some(std::env::consts::ARCH.to_string()),
            os: self.operating_system(),
            raspberry_pi: raspberry_pi::describe(self),
        }
    }

    /// The model, from the device tree or from a PC's firmware.
    fn machine_model(&self) -> Option<String> {
        if let Some(model) = attribute::text(&self.under_root("proc/device-tree/model")) {
            return Some(model);
        }
        let read = |name: &str| {
            let value = attribute::text(&self.under_root("sys/class/dmi/id").join(name));
            value.filter(|value| !PLACEHOLDERS.contains(&value.as_str()))
        };
        match (read("sys_vendor"), read("product_name")) {
            (Some(vendor), Some(product)) if product.starts_with(&vendor) => Some(product),
            (Some(vendor), Some(product)) => Some(format!("{vendor} {product}")),
            (vendor, product) => product.or(vendor),
        }
    }

    /// On the running machine, the processors that scheduler and control groups allow; otherwise all listed
    /// ones.
    fn usable_cpus(&self, cpuinfo: Option<&CpuInfo>) -> Option<u32> {
        if self.is_local() {
            return std::thread::available_parallelism()
                .ok()
                .and_then(|count| u32::try_from(count.get()).ok());
        }
        cpuinfo.map(|info| info.processors).filter(|&count| count > 0)
    }

    fn memory_bytes(&self) -> Option<u64> {
        let text = attribute::list_text(&self.under_root("proc/meminfo"))?;
        let value = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(KIB)
    }

    fn kernel(&self) -> Option<String> {
        let read = |name: &str| attribute::text(&self.under_root("proc/sys/kernel").join(name));
        match (read("ostype"), read("osrelease")) {
            (Some(name), Some(release)) => Some(format!("{name} {release}")),
            (name, release) => release.or(name),
        }
    }

    /// The distribution's display name from os-release(5).
    fn operating_system(&self) -> Option<String> {
        ["etc/os-release", "usr/lib/os-release"].iter().find_map(|path| {
            let text = attribute::list_text(&self.under_root(path))?;
            let value = text.lines().find_map(|line| line.trim_start().strip_prefix("PRETTY_NAME="))?;
            attribute::clean(unquote(value.trim()).as_bytes())
        })
    }
}

/// Removes shell quoting, as allowed by os-release(5).
fn unquote(value: &str) -> String {
    let quoted = |quote| value.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    if let Some(inner) = quoted('\'') {
        return inner.to_string();
    }
    let Some(inner) = quoted('"') else { return value.to_string() };
    let mut plain = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.extend(characters.next()),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    fn some(text: &str) -> Option<String> {
        Some(text.to_string())
    }

    #[test]
    fn a_raspberry_pi_is_described() {
        let host = fixture::raspberry_pi().system().host();
        let board = host.raspberry_pi.as_ref().and_then(|pi| pi.board.as_ref());
        assert_eq!(board.map(|board| board.model.as_str()), Some("5"));
        let expected = Host {
            name: None,
            model: some("Raspberry Pi 5 Model B Rev 1.0"),
            cpu: some("Cortex-A76"),
            cpus: Some(4),
            processor_kinds: Vec::new(),
            memory_bytes: Some(8_245_696 * 1_024),
            kernel: some("Linux 6.6.31+rpt-rpi-2712"),
            arch: some(std::env::consts::ARCH),
            os: some("Debian GNU/Linux 12 (bookworm)"),
            raspberry_pi: host.raspberry_pi.clone(),
        };
        assert_eq!(host, expected);
        let named = Fixture::new();
        named.file("proc/sys/kernel/hostname", "attic\n");
        assert_eq!(named.system().host().name, some("attic"));
    }

    #[test]
    fn a_machine_without_information_is_described_without_it() {
        let expected = Host { arch: some(std::env::consts::ARCH), ..Host::default() };
        assert_eq!(Fixture::new().system().host(), expected);
        let fixture = Fixture::new();
        let files = [
            "cpuinfo",
            "meminfo",
            "device-tree/model",
            "sys/kernel/ostype",
            "sys/kernel/osrelease",
            "loadavg",
        ];
        for file in files {
            fixture.file(&format!("proc/{file}"), b"\xff\0\xff");
        }
        fixture.file("etc/os-release", b"PRETTY_NAME=\"\xff\"\n");
        assert_eq!(fixture.system().host(), expected);
    }

    #[test]
    fn a_pc_is_named_after_its_firmware() {
        let cases = [
            ("LENOVO\n", "20XW004AGE\n", some("LENOVO 20XW004AGE")),
            ("HP\n", "HP ProDesk 400\n", some("HP ProDesk 400")),
            ("To Be Filled By O.E.M.\n", "B650M Pro\n", some("B650M Pro")),
            ("System manufacturer\n", "System Product Name\n", None),
            ("QEMU\n", "", some("QEMU")),
        ];
        for (vendor, product, model) in cases {
            let fixture = Fixture::new();
            fixture.file("sys/devices/virtual/dmi/id/sys_vendor", vendor);
            fixture.file("sys/devices/virtual/dmi/id/product_name", product);
            fixture.link("sys/class/dmi/id", "../../devices/virtual/dmi/id");
            assert_eq!(fixture.system().host().model, model, "{vendor} {product}");
        }
    }

    #[test]
    fn names_may_be_quoted() {
        let cases = [
            ("\"Debian 12\"", "Debian 12"),
            ("'Debian 12'", "Debian 12"),
            ("Debian", "Debian"),
            (r#""a \"b\" \$c""#, "a \"b\" $c"),
            ("\"", "\""),
            ("\"half", "\"half"),
        ];
        for (value, plain) in cases {
            assert_eq!(unquote(value), plain, "{value}");
        }
    }

    #[test]
    fn memory_without_a_unit_is_ignored() {
        for (text, bytes) in [
            ("MemFree: 1 kB\nMemTotal:       16384 kB\n", Some(16_384 * 1_024)),
            ("MemTotal: 16384\n", None),
            ("MemTotal: 18446744073709551615 kB\n", None),
            ("", None),
        ] {
            let fixture = Fixture::new();
            fixture.file("proc/meminfo", text);
            assert_eq!(fixture.system().host().memory_bytes, bytes, "{text}");
        }
    }
}
