//! Kernel modules loaded by the guest, in order.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules with parameters: the buses and drives of the machine, the layers, the file systems. Dependencies
/// are found; modules that the kernel requests at run time (checksums, ciphers, code pages) are listed here,
/// because nothing in the guest loads them on demand.
const WANTED: &[(&str, &str)] = &[
    ("virtio_pci", ""),
    ("virtio_blk", ""),
    ("virtio_console", ""),
    ("sdhci_pci", ""),
    ("mmc_block", ""),
    ("nvme", ""),
    ("ahci", ""),
    ("xhci_pci", ""),
    ("sd_mod", ""),
    ("usb_storage", ""),
    ("uas", ""),
    ("null_blk", "nr_devices=1 gb=4 bs=4096"),
    ("loop", ""),
    ("raid0", ""),
    ("raid1", ""),
    ("dm_mod", ""),
    ("dm_crypt", ""),
    ("dm_delay", ""),
    ("dm_flakey", ""),
    ("xts", ""),
    ("ecb", ""),
    ("crc32c_generic", ""),
    ("crc32_generic", ""),
    ("xxhash_generic", ""),
    ("blake2b_generic", ""),
    ("nls_cp437", ""),
    ("nls_ascii", ""),
    ("nls_iso8859_1", ""),
    ("nls_utf8", ""),
    ("vfat", ""),
    ("exfat", ""),
    ("ext4", ""),
    ("xfs", ""),
    ("btrfs", ""),
    ("f2fs", ""),
];

/// A module to load.
#[derive(Debug, PartialEq, Eq)]
pub struct Module {
    /// Its file.
    pub path: PathBuf,
    /// Its parameters.
    pub parameters: &'static str,
}

/// The wanted modules and their dependencies, each after those it depends on. `directory` is the kernel's
/// `lib/modules/RELEASE`.
///
/// # Errors
/// When the kernel has a module neither as a file nor built in, or a file cannot be read.
pub fn in_order(directory: &Path) -> Result<Vec<Module>, String> {
    let mut files = BTreeMap::new();
    collect(directory, &mut files)?;
    let builtin = directory.join("modules.builtin");
    let text = fs::read_to_string(&builtin).map_err(|error| format!("{}: {error}", builtin.display()))?;
    let builtin: Vec<String> = text.lines().filter_map(|line| module_name(Path::new(line))).collect();
    let mut order = Order { files, builtin, modules: Vec::new() };
    for (name, parameters) in WANTED {
        order.add(name, parameters)?;
    }
    Ok(order.modules)
}

struct Order {
    files: BTreeMap<String, PathBuf>,
    builtin: Vec<String>,
    modules: Vec<Module>,
}

impl Order {
    fn add(&mut self, name: &str, parameters: &'static str) -> Result<(), String> {
        let Some(path) = self.files.get(name).cloned() else {
            let known = self.builtin.iter().any(|builtin| builtin == name);
            return known.then_some(()).ok_or_else(|| format!("the kernel has no module {name}"));
        };
        if self.modules.iter().any(|module| module.path == path) {
            return Ok(());
        }
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for needed in depends(&bytes) {
            self.add(&needed, "")?;
        }
        self.modules.push(Module { path, parameters });
        Ok(())
    }
}

fn collect(directory: &Path, files: &mut BTreeMap<String, PathBuf>) -> Result<(), String> {
    let io = |error: std::io::Error| format!("{}: {error}", directory.display());
    for entry in fs::read_dir(directory).map_err(io)? {
        let entry = entry.map_err(io)?;
        let path = entry.path();
        if entry.file_type().map_err(io)?.is_dir() {
            collect(&path, files)?;
        } else if let Some(name) = module_name(&path) {
            files.insert(name, path);
        }
    }
    Ok(())
}

/// The name of the module in a file `NAME.ko`. The kernel treats `-` and `_` as equal.
fn module_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.strip_suffix(".ko")?.replace('-', "_"))
}

/// The names after `depends=` in a module's section `.modinfo`, whose entries end with a NUL.
fn depends(module: &[u8]) -> Vec<String> {
    const KEY: &[u8] = b"\0depends=";
    let Some(start) = module.windows(KEY.len()).position(|window| window == KEY) else {
        return Vec::new();
    };
    let value = module[start + KEY.len()..].split(|byte| *byte == 0).next().unwrap_or_default();
    let names = String::from_utf8_lossy(value).replace('-', "_");
    names.split(',').filter(|name| !name.is_empty()).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_dependencies() {
        assert_eq!(module_name(Path::new("kernel/drivers/usb/host/xhci-pci.ko")), Some("xhci_pci".into()));
        assert_eq!(module_name(Path::new("modules.builtin")), None);
        assert_eq!(depends(b"x\0license=GPL\0depends=mmc_core,xhci-hcd\0name=a\0"), ["mmc_core", "xhci_hcd"]);
        assert_eq!(depends(b"\0depends=\0"), [""; 0]);
        assert_eq!(depends(b"no such entry"), [""; 0]);
    }

    #[test]
    fn each_module_follows_its_dependencies() {
        let file = |name: &str| (name.to_string(), PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name));
        let mut order = Order {
            files: BTreeMap::from([file("Cargo.toml")]),
            builtin: vec!["loop".into()],
            modules: Vec::new(),
        };
        order.add("Cargo.toml", "a=1").unwrap();
        order.add("Cargo.toml", "a=2").unwrap();
        order.add("loop", "").unwrap();
        assert_eq!(order.modules.len(), 1);
        assert_eq!(order.modules[0].parameters, "a=1");
        assert_eq!(order.add("no_such", "").unwrap_err(), "the kernel has no module no_such");
    }
}
