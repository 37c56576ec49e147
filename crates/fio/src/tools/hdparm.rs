//! hdparm's timings: `-t` reads a device from its start for three seconds, `-T` its first bytes from memory for two.

use cardiograph_core::{GIB, JobSpec, MIB, NS_PER_S, Origin};

use super::{as_filename, refused};

/// What is read at a time, in bytes.
pub const BLOCK_LEN_BYTES: u64 = 2 * MIB;
/// How long hdparm leaves a device alone before each timing, once all that was written is on the drives.
const REST_S: u64 = 3;
/// The longest rest that is taken.
const REST_S_MAX: u64 = 3_600;

/// What hdparm is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timings {
    /// `-T`.
    pub cached: bool,
    /// `-t`.
    pub disk: bool,
    /// `--direct`: past the page cache.
    pub direct: bool,
    /// `--offset`: where `-t` begins, in GiB.
    pub offset_gib: Option<u64>,
    /// `--rest`, an option of our own: seconds that the device is left alone before each timing.
    pub rest_s: u64,
    /// The devices, in their order.
    pub devices: Vec<String>,
}

impl Default for Timings {
    fn default() -> Self {
        Self {
            cached: false,
            disk: false,
            direct: false,
            offset_gib: None,
            rest_s: REST_S,
            devices: Vec::new(),
        }
    }
}

/// One of the timings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// `-T`.
    Cached,
    /// `-t`.
    Disk,
}

const ONLY_TIMINGS: &str = "only hdparm's timings are here (-t, -T, --direct, --offset): cardiograph changes no \
                            drive's settings, and tells of a drive by `cardiograph drive`; leave it out";

/// Reads the words behind `hdparm`.
///
/// # Errors
/// A sentence: the word that cannot be followed, why, and what to do.
pub fn parse(words: &[String]) -> Result<Timings, String> {
    let mut timings = Timings::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--direct" => timings.direct = true,
            "--offset" => {
                let value = words.next().ok_or("--offset: the number of GiB is missing behind it")?;
                let gib = value.parse::<u64>().ok().filter(|gib| gib.checked_mul(GIB).is_some());
                timings.offset_gib =
                    Some(gib.ok_or_else(|| refused(value, "--offset takes a whole number of GiB"))?);
            }
            "--rest" => {
                let value = words.next().ok_or("--rest: the number of seconds is missing behind it")?;
                let rest_s = value.parse::<u64>().ok().filter(|&rest_s| rest_s <= REST_S_MAX);
                let why = "--rest takes whole seconds, up to 3600";
                timings.rest_s = rest_s.ok_or_else(|| refused(value, why))?;
            }
            long if long.starts_with("--") => return Err(refused(long, ONLY_TIMINGS)),
            short if short.starts_with('-') && short.len() > 1 => {
                for letter in short.chars().skip(1) {
                    match letter {
                        't' => timings.disk = true,
                        'T' => timings.cached = true,
                        other => return Err(refused(&format!("-{other}"), ONLY_TIMINGS)),
                    }
                }
            }
            device => timings.devices.push(device.to_string()),
        }
    }
    if !timings.disk && !timings.cached {
        return Err(
            "neither -t nor -T: say what to time, as `cardiograph hdparm -t /dev/mmcblk0`; what a drive tells of \
             itself is shown by `cardiograph drive`"
                .to_string(),
        );
    }
    if timings.devices.is_empty() {
        return Err("no device is named: add one, as /dev/mmcblk0 (cardiograph drive lists them)".to_string());
    }
    if timings.offset_gib.is_some() && !timings.disk {
        return Err(
            "--offset says where -t begins, and -t is not there: add it, or leave --offset out".to_string()
        );
    }
    Ok(timings)
}

impl Timings {
    /// The timings that are asked for, in hdparm's order.
    pub fn each(&self) -> impl Iterator<Item = Timing> + use<> {
        let wanted = [(self.cached, Timing::Cached), (self.disk, Timing::Disk)];
        wanted.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, timing)| timing)
    }

    /// Where a timing begins, in bytes.
    pub fn offset_bytes(&self, timing: Timing) -> u64 {
        match timing {
            Timing::Cached => 0,
            Timing::Disk => self.offset_gib.unwrap_or(0) * GIB,
        }
    }

    /// The job of a timing on a device of `len_bytes`.
    ///
    /// # Errors
    /// A sentence, where the device has not a single block there.
    pub fn job(&self, timing: Timing, device: &str, len_bytes: u64) -> Result<JobSpec, String> {
        let offset_bytes = self.offset_bytes(timing);
        let left_bytes = len_bytes.saturating_sub(offset_bytes);
        if left_bytes < BLOCK_LEN_BYTES {
            return Err(format!(
                "{device} ends at {len_bytes} bytes, and hdparm reads 2 MiB at a time from byte {offset_bytes} on: it \
                 is too small for that"
            ));
        }
        let job = JobSpec::new("hdparm", Origin::CommandLine { word: 1 })
            .set("filename", as_filename(device))
            .set("rw", "read")
            .set("bs", BLOCK_LEN_BYTES)
            .set("direct", u8::from(self.direct))
            .set("fadvise_hint", 0);
        Ok(match timing {
            Timing::Disk => job
                .set("offset", offset_bytes)
                .set("size", left_bytes - left_bytes % BLOCK_LEN_BYTES)
                .set("runtime", 3),
            Timing::Cached => job
                .set("size", BLOCK_LEN_BYTES)
                .set("time_based", 1)
                .set("runtime", 2)
                // Past the page cache there is nothing to be read into it.
                .set("pre_read", u8::from(!self.direct))
                .set("invalidate", 0),
        })
    }

    /// What stands on the line of a timing before its figures.
    pub fn label(&self, timing: Timing) -> String {
        match (timing, self.direct, self.offset_gib) {
            (Timing::Cached, false, _) => " Timing cached reads: ".to_string(),
            (Timing::Cached, true, _) => " Timing O_DIRECT cached reads: ".to_string(),
            (Timing::Disk, false, None) => " Timing buffered disk reads: ".to_string(),
            (Timing::Disk, true, None) => " Timing O_DIRECT disk reads: ".to_string(),
            (Timing::Disk, false, Some(gib)) => format!(" Timing buffered disk reads (offset {gib} GB): "),
            (Timing::Disk, true, Some(gib)) => format!(" Timing O_DIRECT disk reads (offset {gib} GB): "),
        }
    }
}

/// What stands above the timings of a device.
pub fn heading(device: &str) -> String {
    format!("\n{device}:\n")
}

/// The figures of a timing, to the end of its line. hdparm's MB are 2^20 bytes.
pub fn figures(timing: Timing, bytes: u64, ns: u64) -> String {
    let mb = bytes / MIB;
    let seconds = ns.max(1) as f64 / NS_PER_S as f64;
    let (rate, unit) = match mb as f64 > seconds {
        true => (mb as f64 / seconds, "MB"),
        false => (mb as f64 / seconds * 1_024.0, "kB"),
    };
    let columns = if timing == Timing::Cached { 6 } else { 3 };
    format!("{mb:columns$} MB in {seconds:5.2} seconds = {rate:6.2} {unit}/sec\n")
}

#[cfg(test)]
mod tests {
    use cardiograph_jobs::settings::Settings as _;

    use super::*;

    fn parsed(line: &str) -> Result<Timings, String> {
        parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn arguments() {
        let both = parsed("-tT --direct /dev/a /dev/b").unwrap();
        assert_eq!((both.cached, both.disk, both.direct), (true, true, true));
        assert_eq!(both.devices, ["/dev/a", "/dev/b"]);
        assert_eq!(both.each().collect::<Vec<_>>(), [Timing::Cached, Timing::Disk]);
        let behind = parsed("/dev/a -t --offset 3").unwrap();
        assert_eq!(behind.offset_bytes(Timing::Disk), 3 * GIB);
        assert_eq!(behind.label(Timing::Disk), " Timing buffered disk reads (offset 3 GB): ");
        assert_eq!((both.rest_s, parsed("-t --rest 0 /dev/a").unwrap().rest_s), (3, 0));
        let cases = [
            ("-t --rest", "seconds is missing"),
            ("-t --rest 3601 /dev/a", "3601: --rest takes"),
            ("-W /dev/a", "-W: only hdparm's timings"),
            ("-tW0 /dev/a", "-W: only"),
            ("--security-erase NULL /dev/a", "--security-erase: only"),
            ("/dev/a", "neither -t nor -T"),
            ("-t", "no device is named"),
            ("-t --offset", "GiB is missing"),
            ("-t --offset x /dev/a", "x: --offset takes"),
            ("-t --offset 99999999999 /dev/a", "whole number of GiB"),
            ("-T --offset 1 /dev/a", "-t is not there"),
        ];
        for (line, message) in cases {
            let error = parsed(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
    }

    #[test]
    fn lines_are_those_of_the_tool() {
        // As hdparm 9.65 printed them, and 9.4 of a drive that hardly read.
        let ms = 1_000_000;
        let cases = [
            (Timing::Disk, 64, 66 * ms, " 64 MB in  0.07 seconds = 969.70 MB/sec\n"),
            (Timing::Disk, 196, 3_030 * ms, "196 MB in  3.03 seconds =  64.69 MB/sec\n"),
            (Timing::Disk, 5_348, 3_000 * ms, "5348 MB in  3.00 seconds = 1782.67 MB/sec\n"),
            (Timing::Disk, 2, 19_210 * ms, "  2 MB in 19.21 seconds = 106.61 kB/sec\n"),
            (Timing::Cached, 9_964, 2_002 * ms, "  9964 MB in  2.00 seconds = 4977.02 MB/sec\n"),
        ];
        for (timing, mib, ns, line) in cases {
            assert_eq!(figures(timing, mib * MIB + 4_096, ns), line);
        }
    }

    #[test]
    fn whole_blocks_are_read_as_far_as_the_device_goes() {
        let timings = parsed("-t /dev/a").unwrap();
        let job = timings.job(Timing::Disk, "/dev/a", 64 * MIB + 512).unwrap();
        assert_eq!(job.last("size"), Some("67108864"));
        assert!(timings.job(Timing::Disk, "/dev/a", MIB).unwrap_err().contains("too small"));
        let odd = timings.job(Timing::Disk, "/dev/disk/by-path/pci-0:1", GIB).unwrap();
        assert_eq!(odd.last("filename"), Some("/dev/disk/by-path/pci-0\\:1"));
    }
}
