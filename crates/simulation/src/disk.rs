//! State of a drive and its file system, and the effect of a power cut.
//!
//! A write stays in the page cache until its file is synced: a power cut keeps any of its sectors, tears one,
//! or loses them. Names in a directory change in order, as in journalling file systems: a power cut keeps a
//! prefix of the unsynced changes. Syncing a file does not sync its name.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path};

use cardiograph_core::rng::Rng;
use rustix::io::Errno;

/// Smallest unit of a drive.
const SECTOR_BYTES: usize = 512;

/// Inode number of a file or directory; never reused.
pub type Number = usize;
/// Result of a call.
pub type Answer<T> = Result<T, Errno>;

/// The root directory.
pub const ROOT: Number = 0;

/// A file or directory.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its content.
    pub content: Content,
    /// Permissions.
    pub mode: u32,
    /// Number of links.
    pub links: u64,
    /// Modification time, in nanoseconds of simulated time.
    pub modified_ns: i128,
}

/// Content of a file or directory: as processes see it, and as a power cut would leave it.
#[derive(Debug, Clone)]
pub enum Content {
    /// Bytes.
    File {
        /// As processes see them.
        seen: Vec<u8>,
        /// As they were synced.
        synced: Vec<u8>,
        /// Changes since, in order.
        since: Vec<Change>,
    },
    /// Names.
    Directory {
        /// As processes see them.
        seen: BTreeMap<OsString, Number>,
        /// As they were synced.
        synced: BTreeMap<OsString, Number>,
        /// All of them after each change since.
        since: Vec<BTreeMap<OsString, Number>>,
    },
}

/// A change to a file.
#[derive(Debug, Clone)]
pub enum Change {
    /// Bytes written at an offset.
    Write(usize, Vec<u8>),
    /// Truncated or extended.
    SetLen(usize),
}

/// A disk with its file system.
#[derive(Debug, Clone)]
pub struct Disk {
    nodes: Vec<Node>,
    /// Capacity for files, in bytes.
    pub room_bytes: usize,
    /// Whether it reports syncs as done without doing them.
    pub ignores_syncs: bool,
    /// Simulated time, advanced by each call.
    pub now_ns: i128,
}

impl Disk {
    /// An empty one.
    pub fn new() -> Self {
        Self { nodes: vec![Node::directory(0o755)], room_bytes: usize::MAX, ignores_syncs: false, now_ns: 0 }
    }

    /// The node with a number.
    pub fn node(&self, number: Number) -> &Node {
        &self.nodes[number]
    }

    /// Sets the permissions of a file or directory.
    pub fn set_mode(&mut self, number: Number, mode: u32) {
        self.nodes[number].mode = mode;
    }

    fn entries(&self, number: Number) -> Answer<&BTreeMap<OsString, Number>> {
        match &self.nodes[number].content {
            Content::Directory { seen, .. } => Ok(seen),
            Content::File { .. } => Err(Errno::NOTDIR),
        }
    }

    /// The names in a directory.
    pub fn names(&self, directory: Number) -> Answer<Vec<OsString>> {
        Ok(self.entries(directory)?.keys().cloned().collect())
    }

    /// The number of a name in a directory.
    pub fn look_up(&self, directory: Number, name: &OsStr) -> Answer<Number> {
        self.entries(directory)?.get(name).copied().ok_or(Errno::NOENT)
    }

    /// The parent directory of an absolute path, and its last name.
    pub fn find_parent<'p>(&self, path: &'p Path) -> Answer<(Number, &'p OsStr)> {
        let name = path.file_name().ok_or(Errno::INVAL)?;
        Ok((self.walk(path.parent().unwrap_or(Path::new("/")))?, name))
    }

    /// The number of an absolute path.
    pub fn walk(&self, path: &Path) -> Answer<Number> {
        path.components().try_fold(ROOT, |at, component| match component {
            Component::Normal(name) => self.look_up(at, name),
            Component::RootDir | Component::CurDir => Ok(at),
            _ => Err(Errno::INVAL),
        })
    }

    fn change_names<T>(
        &mut self,
        directory: Number,
        change: impl FnOnce(&mut BTreeMap<OsString, Number>) -> T,
    ) -> Answer<T> {
        match &mut self.nodes[directory].content {
            Content::Directory { seen, since, .. } => {
                let changed = change(seen);
                since.push(seen.clone());
                Ok(changed)
            }
            Content::File { .. } => Err(Errno::NOTDIR),
        }
    }

    fn make(&mut self, directory: Number, name: &OsStr, node: Node) -> Answer<Number> {
        if self.entries(directory)?.contains_key(name) {
            return Err(Errno::EXIST);
        }
        let number = self.nodes.len();
        self.nodes.push(node);
        self.change_names(directory, |names| names.insert(name.to_os_string(), number))?;
        Ok(number)
    }

    /// Creates an empty file.
    pub fn create(&mut self, directory: Number, name: &OsStr, mode: u32) -> Answer<Number> {
        self.make(directory, name, Node::file(mode, self.now_ns))
    }

    /// Creates a file without a name.
    pub fn create_nameless(&mut self) -> Number {
        self.nodes.push(Node { links: 0, ..Node::file(0o600, self.now_ns) });
        self.nodes.len() - 1
    }

    /// Creates a directory.
    pub fn create_directory(&mut self, directory: Number, name: &OsStr, mode: u32) -> Answer<Number> {
        self.make(directory, name, Node::directory(mode))
    }

    /// Renames a file within its directory.
    pub fn rename(&mut self, directory: Number, from: &OsStr, to: &OsStr) -> Answer<()> {
        let number = self.look_up(directory, from)?;
        let replaced = self.look_up(directory, to).ok().filter(|&replaced| replaced != number);
        self.change_names(directory, |names| {
            names.remove(from);
            names.insert(to.to_os_string(), number);
        })?;
        if let Some(replaced) = replaced {
            self.nodes[replaced].links -= 1;
        }
        Ok(())
    }

    /// Removes a file's name, or an empty directory.
    pub fn remove(&mut self, directory: Number, name: &OsStr, is_directory: bool) -> Answer<()> {
        let number = self.look_up(directory, name)?;
        match &self.nodes[number].content {
            Content::Directory { .. } if !is_directory => return Err(Errno::ISDIR),
            Content::Directory { seen, .. } if !seen.is_empty() => return Err(Errno::NOTEMPTY),
            Content::File { .. } if is_directory => return Err(Errno::NOTDIR),
            _ => {}
        }
        self.nodes[number].links -= 1;
        self.change_names(directory, |names| names.remove(name)).map(drop)
    }

    /// A file's bytes.
    pub fn bytes(&self, file: Number) -> Answer<&[u8]> {
        match &self.nodes[file].content {
            Content::File { seen, .. } => Ok(seen),
            Content::Directory { .. } => Err(Errno::ISDIR),
        }
    }

    /// Total length of all files.
    pub fn used_bytes(&self) -> usize {
        let lengths = self.nodes.iter().filter(|node| node.links > 0).map(|node| match &node.content {
            Content::File { seen, .. } => seen.len(),
            Content::Directory { .. } => 0,
        });
        lengths.sum()
    }

    /// Writes to a file, extending it if necessary.
    pub fn write(&mut self, file: Number, at: usize, bytes: &[u8]) -> Answer<()> {
        let grows = (at + bytes.len()).saturating_sub(self.bytes(file)?.len());
        if grows > 0 && self.room_bytes != usize::MAX && self.used_bytes() + grows > self.room_bytes {
            return Err(Errno::NOSPC);
        }
        self.change(file, Change::Write(at, bytes.to_vec()))
    }

    /// Truncates or extends a file.
    pub fn set_len(&mut self, file: Number, len_bytes: usize) -> Answer<()> {
        self.change(file, Change::SetLen(len_bytes))
    }

    fn change(&mut self, file: Number, change: Change) -> Answer<()> {
        self.nodes[file].modified_ns = self.now_ns;
        match &mut self.nodes[file].content {
            Content::File { seen, since, .. } => {
                change.apply(seen);
                since.push(change);
                Ok(())
            }
            Content::Directory { .. } => Err(Errno::ISDIR),
        }
    }

    /// Makes the content of a file, or the names in a directory, durable.
    pub fn sync(&mut self, number: Number) {
        if self.ignores_syncs {
            return;
        }
        match &mut self.nodes[number].content {
            Content::File { seen, synced, since } => {
                if !since.is_empty() {
                    synced.clone_from(seen);
                    since.clear();
                }
            }
            Content::Directory { seen, synced, since } => {
                if !since.is_empty() {
                    synced.clone_from(seen);
                    since.clear();
                }
            }
        }
    }

    /// Applies a power cut to everything not synced.
    pub fn cut_power(&mut self, rng: &mut Rng) {
        // Share of the uncertain sectors that survive: none, most, all, or anything.
        let share = [0, 10, 50, 90, 100][rng.below(5) as usize];
        for node in &mut self.nodes {
            match &mut node.content {
                Content::File { seen, synced, since } => {
                    std::mem::take(since).iter().for_each(|change| change.survive(synced, share, rng));
                    seen.clone_from(synced);
                }
                Content::Directory { seen, synced, since } => {
                    let kept = rng.below(since.len() as u64 + 1) as usize;
                    if let Some(names) = kept.checked_sub(1).and_then(|last| since.get(last)) {
                        synced.clone_from(names);
                    }
                    since.clear();
                    seen.clone_from(synced);
                }
            }
        }
        // If a removal was lost, the name leads to its file again.
        let mut links = vec![0; self.nodes.len()];
        for node in &self.nodes {
            if let Content::Directory { seen, .. } = &node.content {
                seen.values().for_each(|&number| links[number] += 1);
            }
        }
        self.nodes.iter_mut().zip(links).for_each(|(node, links)| node.links = links);
    }

    /// Flips a bit of a file on the disk itself, as a failing drive does.
    pub fn flip_bit(&mut self, file: Number, at_bit: usize) {
        if let Content::File { seen, synced, .. } = &mut self.nodes[file].content {
            for bytes in [seen, synced] {
                if let Some(byte) = bytes.get_mut(at_bit / 8) {
                    *byte ^= 1 << (at_bit % 8);
                }
            }
        }
    }
}

impl Default for Disk {
    fn default() -> Self {
        Self::new()
    }
}

impl Node {
    fn file(mode: u32, now_ns: i128) -> Self {
        let content = Content::File { seen: Vec::new(), synced: Vec::new(), since: Vec::new() };
        Self { content, mode, links: 1, modified_ns: now_ns }
    }

    fn directory(mode: u32) -> Self {
        let content =
            Content::Directory { seen: BTreeMap::new(), synced: BTreeMap::new(), since: Vec::new() };
        Self { content, mode, links: 1, modified_ns: 0 }
    }
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Change::Write(at, written) => {
                let end = at + written.len();
                bytes.resize(bytes.len().max(end), 0);
                bytes[*at..end].copy_from_slice(written);
            }
            Change::SetLen(len_bytes) => bytes.resize(*len_bytes, 0),
        }
    }

    /// Applies what survives a power cut: `share` of a hundred sectors.
    fn survive(&self, bytes: &mut Vec<u8>, share: u64, rng: &mut Rng) {
        let Change::Write(at, written) = self else {
            if rng.below(100) < share {
                self.apply(bytes);
            }
            return;
        };
        let mut from = 0;
        while from < written.len() {
            // Up to the next sector's begin.
            let len = (SECTOR_BYTES - (at + from) % SECTOR_BYTES).min(written.len() - from);
            let mut sector = written[from..from + len].to_vec();
            if rng.below(100) < share {
                if rng.below(64) == 0 {
                    // Torn: its end is what the drive was writing.
                    let torn = rng.below(len as u64) as usize;
                    rng.fill(&mut sector[torn..]);
                }
                Change::Write(at + from, sector).apply(bytes);
            }
            from += len;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> &OsStr {
        OsStr::new(text)
    }

    #[test]
    fn only_synced_content_is_guaranteed_to_survive() {
        let mut was_kept = [false; 2];
        let mut had_name = [false; 2];
        for seed in 0..200 {
            let mut disk = Disk::new();
            let file = disk.create(ROOT, name("a"), 0o600).unwrap();
            disk.write(file, 0, &[1; 2_000]).unwrap();
            disk.sync(file);
            disk.sync(ROOT);
            disk.write(file, 512, &[2; 512]).unwrap();
            disk.rename(ROOT, name("a"), name("b")).unwrap();
            disk.create(ROOT, name("c"), 0o600).unwrap();
            disk.cut_power(&mut Rng::new(seed));
            let names = disk.names(ROOT).unwrap();
            let file = disk.look_up(ROOT, &names[0]).unwrap();
            let bytes = disk.bytes(file).unwrap();
            assert_eq!((bytes.len(), &bytes[..512], &bytes[1_024..]), (2_000, &[1; 512][..], &[1; 976][..]));
            was_kept[usize::from(bytes[512] == 2)] = true;
            // In their order: never the second without the first.
            let expected: [&[&str]; 3] = [&["a"], &["b"], &["b", "c"]];
            assert!(expected.iter().any(|expected| names == *expected), "{names:?}");
            had_name[usize::from(names.len() == 2)] = true;
        }
        assert_eq!((was_kept, had_name), ([true; 2], [true; 2]));
    }

    #[test]
    fn a_full_disk_refuses_growth() {
        let mut disk = Disk::new();
        disk.room_bytes = 1_000;
        let file = disk.create(ROOT, name("a"), 0o600).unwrap();
        disk.write(file, 0, &[1; 900]).unwrap();
        assert_eq!(disk.write(file, 900, &[1; 200]), Err(Errno::NOSPC));
        disk.write(file, 100, &[2; 800]).unwrap();
        disk.remove(ROOT, name("a"), false).unwrap();
        let file = disk.create(ROOT, name("b"), 0o600).unwrap();
        disk.write(file, 0, &[1; 1_000]).unwrap();
    }
}
