//! A file mapped into memory: all of it, or a moving window.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::ptr;

use cardiograph_core::message;
use cardiograph_core::system_error::explained;
use rustix::mm::{Advice, MapFlags, MsyncFlags, ProtFlags};

use super::faults;

/// Options of a mapping.
#[derive(Debug, Clone, Copy)]
pub struct MapOptions {
    /// Whether it is written to.
    pub writes: bool,
    /// Advice to the kernel on the access pattern.
    pub advice: Option<Advice>,
    /// Whether to ask for huge pages.
    pub huge_pages: bool,
    /// Maximum number of bytes mapped at a time.
    pub window_len_bytes_max: u64,
}

impl MapOptions {
    /// Options for random reads.
    pub const RANDOM_READS: MapOptions = MapOptions {
        writes: false,
        advice: Some(Advice::Random),
        huge_pages: false,
        window_len_bytes_max: WINDOW_LEN_BYTES_MAX,
    };
}

/// With 64-bit addresses, any file is mapped as a whole.
pub const WINDOW_LEN_BYTES_MAX: u64 = if cfg!(target_pointer_width = "64") { u64::MAX } else { 128 << 20 };

/// Why bytes could not be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyError {
    /// Outside the file as it was when opened.
    Outside,
    /// The kernel could not provide a page: a bad sector, or the file was truncated.
    Fault,
    /// The kernel could not map them: an error number.
    Unmapped(i32),
}

/// A part of the file that is mapped.
#[derive(Debug, Clone, Copy)]
struct Window {
    base: *mut u8,
    start_bytes: u64,
    len_bytes: usize,
}

impl Window {
    /// An empty window.
    const NONE: Window = Window { base: ptr::null_mut(), start_bytes: 0, len_bytes: 0 };

    /// Address of bytes of the file; `None` unless all of them are in the window.
    #[inline]
    fn find(&self, offset_bytes: u64, len_bytes: usize) -> Option<*mut u8> {
        let inside = offset_bytes.wrapping_sub(self.start_bytes);
        let is_inside = inside <= self.len_bytes as u64 && len_bytes as u64 <= self.len_bytes as u64 - inside;
        // SAFETY: the address is inside the mapping.
        (is_inside && len_bytes > 0).then(|| unsafe { self.base.add(inside as usize) })
    }
}

/// An open file and the part of it that is mapped.
#[derive(Debug)]
pub struct Mapping<F: AsFd> {
    file: F,
    len_bytes: u64,
    way: MapOptions,
    window: Window,
}

// SAFETY: the window belongs to this mapping alone.
unsafe impl<F: AsFd + Send> Send for Mapping<F> {}

impl<F: AsFd> Mapping<F> {
    /// Maps the first `len_bytes` of a file, which must be that long.
    ///
    /// # Errors
    /// As mmap(2) and madvise(2).
    pub fn new(file: F, len_bytes: u64, way: MapOptions) -> io::Result<Self> {
        faults::survive()?;
        let mut mapping = Self { file, len_bytes, way, window: Window::NONE };
        if len_bytes > 0 {
            mapping.map(0, 1)?;
        }
        Ok(mapping)
    }

    /// The file.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Copies bytes from the file.
    ///
    /// # Errors
    /// See [`CopyError`]. It is then unknown which bytes were copied.
    #[inline]
    pub fn read(&mut self, offset_bytes: u64, to: &mut [u8]) -> Result<(), CopyError> {
        let from = self.locate(offset_bytes, to.len())?;
        // SAFETY: `to` is the caller's memory, and the mapping belongs to this value.
        let is_whole = unsafe { faults::copy(from, to.as_mut_ptr(), to.len(), self.bounds()) };
        if is_whole { Ok(()) } else { Err(self.faulted()) }
    }

    /// Copies bytes into the file, which must be mapped for writing.
    ///
    /// # Errors
    /// See [`CopyError`]. It is then unknown which bytes were copied.
    #[inline]
    pub fn write(&mut self, offset_bytes: u64, from: &[u8]) -> Result<(), CopyError> {
        assert!(self.way.writes, "a mapping for reading");
        let to = self.locate(offset_bytes, from.len())?;
        // SAFETY: as in `read`; the mapping is writable.
        let is_whole = unsafe { faults::copy(from.as_ptr(), to, from.len(), self.bounds()) };
        if is_whole { Ok(()) } else { Err(self.faulted()) }
    }

    /// Makes the mapped part of a range of the file durable.
    ///
    /// # Errors
    /// As msync(2).
    pub fn sync(&self, offset_bytes: u64, len_bytes: usize) -> rustix::io::Result<()> {
        let Some((base, len_bytes)) = self.pages(offset_bytes, len_bytes) else { return Ok(()) };
        // SAFETY: the pages are mapped.
        unsafe { rustix::mm::msync(base.cast(), len_bytes, MsyncFlags::SYNC) }
    }

    /// Drops the clean pages of a range, from this process and from the kernel's cache.
    pub fn forget(&self, offset_bytes: u64, len_bytes: usize) {
        let Some((base, pages_len_bytes)) = self.pages(offset_bytes, len_bytes) else { return };
        // SAFETY: the pages are mapped and shared, so the file keeps their content.
        let _ = unsafe { rustix::mm::madvise(base.cast(), pages_len_bytes, Advice::LinuxDontNeed) };
        let start_bytes = self.window.start_bytes + (base as usize - self.window.base as usize) as u64;
        let len = std::num::NonZeroU64::new(pages_len_bytes as u64);
        let _ = rustix::fs::fadvise(&self.file, start_bytes, len, rustix::fs::Advice::DontNeed);
    }

    /// The mapped pages that hold a range of the file; `None` if there are none.
    fn pages(&self, offset_bytes: u64, len_bytes: usize) -> Option<(*mut u8, usize)> {
        let start = self.window.find(offset_bytes, len_bytes)?;
        let into_page = start as usize % rustix::param::page_size();
        // SAFETY: the window starts at a page boundary, so the page lies in it.
        Some((unsafe { start.sub(into_page) }, len_bytes + into_page))
    }

    fn bounds(&self) -> (usize, usize) {
        (self.window.base as usize, self.window.len_bytes)
    }

    /// Address of bytes of the file.
    #[inline]
    fn locate(&mut self, offset_bytes: u64, len_bytes: usize) -> Result<*mut u8, CopyError> {
        match self.window.find(offset_bytes, len_bytes) {
            Some(found) => Ok(found),
            None => self.move_to(offset_bytes, len_bytes),
        }
    }

    #[cold]
    #[inline(never)]
    fn move_to(&mut self, offset_bytes: u64, len_bytes: usize) -> Result<*mut u8, CopyError> {
        let is_inside = offset_bytes.checked_add(len_bytes as u64).is_some_and(|end| end <= self.len_bytes);
        if !is_inside || len_bytes == 0 {
            return Err(CopyError::Outside);
        }
        self.map(offset_bytes, len_bytes)
            .map_err(|error| CopyError::Unmapped(error.raw_os_error().unwrap_or(libc::ENOMEM)))?;
        self.window.find(offset_bytes, len_bytes).ok_or(CopyError::Outside)
    }

    /// Maps a window that holds the given bytes, replacing the current one.
    fn map(&mut self, offset_bytes: u64, len_bytes: usize) -> io::Result<()> {
        self.unmap();
        let is_whole = self.len_bytes <= self.way.window_len_bytes_max;
        let page_len_bytes = rustix::param::page_size() as u64;
        let start_bytes = if is_whole { 0 } else { offset_bytes - offset_bytes % page_len_bytes };
        let needed_bytes = offset_bytes - start_bytes + len_bytes as u64;
        let window_bytes = self.way.window_len_bytes_max.max(needed_bytes).min(self.len_bytes - start_bytes);
        let window_bytes = usize::try_from(window_bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let access = if self.way.writes { ProtFlags::READ | ProtFlags::WRITE } else { ProtFlags::READ };
        // SAFETY: a mapping at an address chosen by the kernel overlaps no existing memory.
        let base = unsafe {
            rustix::mm::mmap(ptr::null_mut(), window_bytes, access, MapFlags::SHARED, &self.file, start_bytes)
        }?;
        self.window = Window { base: base.cast(), start_bytes, len_bytes: window_bytes };
        if self.way.huge_pages {
            // SAFETY: the mapping was just created.
            unsafe { rustix::mm::madvise(base, window_bytes, Advice::LinuxHugepage) }
                .map_err(|errno| explained(io::Error::from(errno).kind(), message!("engine-no-thp")))?;
        }
        if let Some(advice) = self.way.advice {
            // SAFETY: as above. The kernel may ignore the advice.
            let _ = unsafe { rustix::mm::madvise(base, window_bytes, advice) };
        }
        Ok(())
    }

    /// Recreates the window, because it contains foreign pages.
    #[cold]
    fn faulted(&mut self) -> CopyError {
        self.unmap();
        CopyError::Fault
    }

    fn unmap(&mut self) {
        let Window { base, len_bytes, .. } = std::mem::replace(&mut self.window, Window::NONE);
        if len_bytes > 0 {
            // SAFETY: it was mapped with this length, and nothing refers to it any more.
            let _ = unsafe { rustix::mm::munmap(base.cast(), len_bytes) };
        }
    }
}

impl<F: AsFd> Drop for Mapping<F> {
    fn drop(&mut self) {
        self.unmap();
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::FileExt;

    use super::*;

    const PAGE: usize = 4_096;
    const PAGES: usize = 16;

    /// A file whose pages are each filled with their number.
    fn file() -> File {
        let file = tempfile::tempfile_in(cardiograph_testing::disk_dir().path()).unwrap();
        for page in 0..PAGES {
            file.write_all_at(&[page as u8; PAGE], (page * PAGE) as u64).unwrap();
        }
        file
    }

    #[test]
    fn bytes_are_found_in_any_window() {
        for window_len_bytes_max in [u64::MAX, 3 * PAGE as u64, PAGE as u64, 1] {
            let way = MapOptions { writes: true, advice: None, huge_pages: false, window_len_bytes_max };
            let mut mapping = Mapping::new(file(), (PAGES * PAGE) as u64, way).unwrap();
            let mut bytes = vec![0; 2 * PAGE];
            for page in [0, 1, 2, 1, 13, 7, 0] {
                mapping.read((page * PAGE + 100) as u64, &mut bytes).unwrap();
                let kept = PAGE - 100;
                assert!(
                    bytes[..kept].iter().all(|&byte| byte == page as u8),
                    "{window_len_bytes_max} {page}"
                );
                assert!(bytes[kept..kept + PAGE].iter().all(|&byte| byte == page as u8 + 1), "{page}");
            }
            mapping.write((5 * PAGE - 1) as u64, &[77, 78]).unwrap();
            mapping.sync((5 * PAGE - 1) as u64, 2).unwrap();
            let mut found = [0; 2];
            mapping.file.read_exact_at(&mut found, (5 * PAGE - 1) as u64).unwrap();
            assert_eq!(found, [77, 78]);
            for (offset_bytes, len) in [(PAGES * PAGE, 1), (PAGES * PAGE - 1, 2), (usize::MAX, 2), (0, 0)] {
                let error = mapping.read(offset_bytes as u64, &mut bytes[..len]);
                assert_eq!(error, Err(CopyError::Outside), "{offset_bytes} {len}");
            }
        }
    }

    #[test]
    fn a_truncated_file_fails_past_its_end() {
        let way =
            MapOptions { writes: true, advice: None, huge_pages: false, window_len_bytes_max: u64::MAX };
        let mut mapping = Mapping::new(file(), (PAGES * PAGE) as u64, way).unwrap();
        let mut bytes = vec![0; 4 * PAGE];
        mapping.read(0, &mut bytes).unwrap();
        mapping.file.set_len(8 * PAGE as u64).unwrap();
        for _ in 0..3 {
            // Several missing pages, then one missing page of several.
            assert_eq!(mapping.read((9 * PAGE) as u64, &mut bytes), Err(CopyError::Fault));
            assert_eq!(mapping.write((6 * PAGE) as u64, &bytes), Err(CopyError::Fault));
            mapping.read((3 * PAGE) as u64, &mut bytes[..PAGE]).unwrap();
            assert!(bytes[..PAGE].iter().all(|&byte| byte == 3), "what is there is read");
        }
        assert_eq!(mapping.file.metadata().unwrap().len(), 8 * PAGE as u64);
        // Threads do not affect each other.
        mapping.file.set_len((PAGES * PAGE) as u64).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| mapping.read((9 * PAGE) as u64, &mut bytes).unwrap());
        });
    }
}
