//! The archive that the kernel unpacks into its first file system: cpio in the `newc` format
//! (Documentation/driver-api/early-userspace/buffer-format.rst of the kernel).

use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const DIRECTORY: u32 = 0o040_755;
const LINK: u32 = 0o120_777;
const FILE: u32 = 0o100_000;

/// An unfinished archive.
pub struct Archive<W: Write> {
    out: W,
    entries: u32,
}

impl<W: Write> Archive<W> {
    /// An empty archive.
    pub fn new(out: W) -> Self {
        Self { out, entries: 0 }
    }

    /// Adds an empty directory; paths in the archive have no leading `/`.
    pub fn directory(&mut self, path: &str) -> io::Result<()> {
        self.entry(path.as_bytes(), DIRECTORY, &[])
    }

    /// Adds a file with the permissions `mode`.
    pub fn file(&mut self, path: &str, mode: u32, content: &[u8]) -> io::Result<()> {
        self.entry(path.as_bytes(), FILE | mode, content)
    }

    /// Adds the tree below `directory`, as far as `wanted` accepts the path in the archive.
    pub fn tree(&mut self, directory: &Path, wanted: &dyn Fn(&str) -> bool) -> io::Result<()> {
        self.below(directory, "", wanted)
    }

    fn below(&mut self, directory: &Path, prefix: &str, wanted: &dyn Fn(&str) -> bool) -> io::Result<()> {
        let mut entries = fs::read_dir(directory)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.directory(&path)?;
                self.below(&entry.path(), &format!("{path}/"), wanted)?;
            } else if !wanted(&path) {
                continue;
            } else if kind.is_symlink() {
                let target = fs::read_link(entry.path())?;
                self.entry(path.as_bytes(), LINK, target.as_os_str().as_bytes())?;
            } else {
                let mode = entry.metadata()?.permissions().mode() & 0o777;
                self.file(&path, mode, &fs::read(entry.path())?)?;
            }
        }
        Ok(())
    }

    /// Writes the end.
    pub fn finish(mut self) -> io::Result<()> {
        self.entry(b"TRAILER!!!", 0, &[])?;
        self.out.flush()
    }

    fn entry(&mut self, path: &[u8], mode: u32, content: &[u8]) -> io::Result<()> {
        self.entries += 1;
        let links = if mode & 0o170_000 == 0o040_000 { 2 } else { 1 };
        let too_long = || io::Error::new(io::ErrorKind::FileTooLarge, "a file of 4 GiB");
        let content_len = u32::try_from(content.len()).map_err(|_| too_long())?;
        let path_len = u32::try_from(path.len() + 1).map_err(|_| too_long())?;
        // inode, mode, owner, group, links, time, length, the file's and the node's device in two numbers
        // each, length of the path with its NUL, and an unused checksum.
        let fields = [self.entries, mode, 0, 0, links, 0, content_len, 0, 0, 0, 0, path_len, 0];
        let mut header = String::from("070701");
        for field in fields {
            header.push_str(&format!("{field:08X}"));
        }
        self.out.write_all(header.as_bytes())?;
        self.out.write_all(path)?;
        self.out.write_all(&[0])?;
        self.pad(header.len() + path.len() + 1)?;
        self.out.write_all(content)?;
        self.pad(content.len())
    }

    /// Zeros up to the next multiple of four.
    fn pad(&mut self, len_bytes: usize) -> io::Result<()> {
        self.out.write_all(&[0; 3][..len_bytes.next_multiple_of(4) - len_bytes])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_header_a_path_and_content_each_in_multiples_of_four() {
        let mut bytes = Vec::new();
        let mut archive = Archive::new(&mut bytes);
        archive.file("init", 0o755, b"12345").unwrap();
        archive.finish().unwrap();
        // 110 bytes of header, "init" and a NUL make 115; 5 bytes of content.
        assert_eq!(&bytes[..22], b"07070100000001000081ED");
        assert_eq!(&bytes[54..62], b"00000005");
        assert_eq!(&bytes[94..102], b"00000005");
        assert_eq!(&bytes[110..116], b"init\0\0");
        assert_eq!(&bytes[116..124], b"12345\0\0\0");
        assert_eq!(&bytes[124..130], b"070701");
        assert_eq!(bytes.len(), 124 + 124);
    }

    #[test]
    fn a_tree_keeps_links_and_modes_and_omits_unwanted_files() {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path();
        fs::create_dir(directory.join("bin")).unwrap();
        fs::write(directory.join("bin/tool"), "x").unwrap();
        fs::write(directory.join("bin/left"), "x").unwrap();
        std::os::unix::fs::symlink("tool", directory.join("bin/other")).unwrap();
        let mut bytes = Vec::new();
        let mut archive = Archive::new(&mut bytes);
        archive.tree(directory, &|path| path != "bin/left").unwrap();
        archive.finish().unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let order = ["000041ED", "bin\0", "0000A1FF", "bin/other\0", "tool", "bin/tool\0", "TRAILER!!!"];
        let mut from = 0;
        for piece in order {
            from += text[from..].find(piece).unwrap_or_else(|| panic!("no {piece:?} in {text:?}"));
        }
        assert!(!text.contains("left"));
    }
}
