//! Shared code of the tests of preparation.

use std::cell::RefCell;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::Duration;

use cardiograph_core::{JobSpec, Message, NS_PER_S, Origin, Parameter, Plan, message};
use cardiograph_engine::files::{Layout, PrepareError, PrepareObserver, PrepareRequest, Prepared, prepare};
use cardiograph_engine::{Consent, Control};
use cardiograph_jobs::resolve::{ResolveContext, resolve};

pub const MIB: u64 = 1 << 20;

/// A job from its options, such as `rw=randread bs=4k`.
pub fn job(name: &str, options: &str) -> JobSpec {
    let spec = JobSpec::new(name, Origin::CommandLine { word: 1 });
    options.split_whitespace().fold(spec, |spec, option| {
        let (name, value) = option.split_once('=').unwrap_or((option, "1"));
        spec.set(name, value)
    })
}

/// The Plan of some jobs, on a machine where none of their files exists.
pub fn plan(jobs: &[JobSpec]) -> Plan {
    resolve(jobs, &ResolveContext::new(7, NS_PER_S)).unwrap()
}

/// One job on one path.
pub fn plan_on(path: &Path, options: &str) -> Plan {
    plan(&[job("job", &format!("filename={} {options}", path.display()))])
}

/// A reported layout: name, clone, files, length and bytes to write.
pub type ReportedLayout = (String, u32, u32, u64, u64);

/// Records reports.
#[derive(Debug, Default)]
pub struct Watch {
    pub layouts: RefCell<Vec<ReportedLayout>>,
    pub progress: RefCell<Vec<u64>>,
    /// Stops after this many bytes were written.
    pub stop_at_bytes: Option<u64>,
    pub control: Control,
}

impl PrepareObserver for Watch {
    fn laying_out(&self, layout: &Layout<'_>) {
        let noted =
            (layout.name.to_string(), layout.clone, layout.files, layout.len_bytes, layout.written_bytes);
        self.layouts.borrow_mut().push(noted);
    }

    fn progress(&self, done_bytes: u64) {
        self.progress.borrow_mut().push(done_bytes);
        if self.stop_at_bytes.is_some_and(|at| done_bytes >= at) {
            self.control.stop();
        }
    }
}

/// Prepares and reports to `watch`.
pub fn prepare_watched(plan: &Plan, ids: &[&str], watch: &Watch) -> Result<Prepared, PrepareError> {
    let consent = Consent::to(ids.iter().map(ToString::to_string));
    prepare_below(Path::new("/"), plan, &consent, watch)
}

/// Prepares on a machine whose `proc` and `sys` are below `root`.
pub fn prepare_below(
    root: &Path,
    plan: &Plan,
    consent: &Consent,
    watch: &Watch,
) -> Result<Prepared, PrepareError> {
    let (control, of_tool) = (&watch.control, false);
    let request = PrepareRequest { plan, consent, control, observer: watch, seed: 3, root, of_tool };
    let held_open = Parameter::all([HELD_OPEN]);
    let mut tries = 50;
    loop {
        let prepared = prepare(&request);
        // For a moment, a process started by another test has this program's descriptors, including exclusive
        // ones.
        match &prepared {
            Err(PrepareError::Refused(refused))
                if refused.parameter("uses") == Some(&held_open) && tries > 0 =>
            {
                tries -= 1;
                std::thread::sleep(Duration::from_millis(10));
            }
            _ => return prepared,
        }
    }
}

/// A device that another program has opened exclusively.
pub const HELD_OPEN: Message = message!("device-use-open");

/// Why a preparation was refused, if not for missing consent.
pub fn refusal(prepared: Result<Prepared, PrepareError>) -> Message {
    match prepared {
        Err(PrepareError::Refused(refused)) => refused,
        other => panic!("{other:?}"),
    }
}

/// Prepares for one job on one path.
pub fn prepare_one(path: &Path, options: &str) -> Result<Prepared, PrepareError> {
    prepare_watched(&plan_on(path, options), &[], &Watch::default())
}

pub const PAGE_LEN_BYTES: u64 = 4_096;

/// Which of a file's pages are in the cache, according to mincore(2). A non-blocking read would show it too,
/// but also reads ahead.
pub fn cached_pages(path: &Path) -> Vec<u64> {
    let file = File::open(path).unwrap();
    let len = file.metadata().unwrap().len() as usize;
    let mut pages = vec![0u8; len.div_ceil(PAGE_LEN_BYTES as usize)];
    // SAFETY: the mapping has the file's length, only mincore(2) accesses it, and `pages` has a byte for each
    // page.
    let result = unsafe {
        let base =
            libc::mmap(std::ptr::null_mut(), len, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
        assert_ne!(base, libc::MAP_FAILED);
        let result = libc::mincore(base, len, pages.as_mut_ptr());
        libc::munmap(base, len);
        result
    };
    assert_eq!(result, 0, "{}", std::io::Error::last_os_error());
    (0..).zip(pages).filter_map(|(page, state)| (state & 1 == 1).then_some(page)).collect()
}
