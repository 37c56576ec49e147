//! hdparm's timings: `-t` reads a device from its start for three seconds, `-T` its first bytes from the page cache for
//! two.

use cardiograph_core::text::shown;
use cardiograph_core::{GIB, JobSpec, MIB, Message, NS_PER_S, Origin, message};

use super::as_filename;

/// Block length in bytes.
pub const BLOCK_LEN_BYTES: u64 = 2 * MIB;
/// hdparm's pause before each timing, after all writes have reached the drives.
const REST_S: u64 = 3;
/// The longest pause.
const REST_S_MAX: u64 = 3_600;

/// The requested timings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timings {
    /// `-T`.
    pub cached: bool,
    /// `-t`.
    pub disk: bool,
    /// `--direct`: bypass the page cache.
    pub direct: bool,
    /// `--offset`: start of `-t` in GiB.
    pub offset_gib: Option<u64>,
    /// `--rest`, an option of ours: seconds to pause before each timing.
    pub rest_s: u64,
    /// The devices in the given order.
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

/// A timing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// `-T`.
    Cached,
    /// `-t`.
    Disk,
}

fn unknown(word: &str) -> Message {
    message!("hdparm-option.unknown", word = shown(word))
}

/// Parses the arguments of `hdparm`.
///
/// # Errors
/// The unsupported argument, why, and what to do.
pub fn parse(words: &[String]) -> Result<Timings, Message> {
    let mut timings = Timings::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--direct" => timings.direct = true,
            "--offset" => {
                let value = words.next().ok_or(message!("hdparm-option.no-offset"))?;
                let gib = value.parse::<u64>().ok().filter(|gib| gib.checked_mul(GIB).is_some());
                let wrong = || message!("hdparm-option.offset", word = shown(value));
                timings.offset_gib = Some(gib.ok_or_else(wrong)?);
            }
            "--rest" => {
                let value = words.next().ok_or(message!("hdparm-option.no-rest"))?;
                let rest_s = value.parse::<u64>().ok().filter(|&rest_s| rest_s <= REST_S_MAX);
                let wrong = || message!("hdparm-option.rest", word = shown(value));
                timings.rest_s = rest_s.ok_or_else(wrong)?;
            }
            long if long.starts_with("--") => return Err(unknown(long)),
            short if short.starts_with('-') && short.len() > 1 => {
                for letter in short.chars().skip(1) {
                    match letter {
                        't' => timings.disk = true,
                        'T' => timings.cached = true,
                        other => return Err(unknown(&format!("-{other}"))),
                    }
                }
            }
            device => timings.devices.push(device.to_string()),
        }
    }
    if !timings.disk && !timings.cached {
        return Err(message!("hdparm-option.no-timing"));
    }
    if timings.devices.is_empty() {
        return Err(message!("hdparm-option.no-device"));
    }
    if timings.offset_gib.is_some() && !timings.disk {
        return Err(message!("hdparm-option.offset-alone"));
    }
    Ok(timings)
}

impl Timings {
    /// The requested timings in hdparm's order.
    pub fn each(&self) -> impl Iterator<Item = Timing> + use<> {
        let wanted = [(self.cached, Timing::Cached), (self.disk, Timing::Disk)];
        wanted.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, timing)| timing)
    }

    /// The start of a timing in bytes.
    pub fn offset_bytes(&self, timing: Timing) -> u64 {
        match timing {
            Timing::Cached => 0,
            Timing::Disk => self.offset_gib.unwrap_or(0) * GIB,
        }
    }

    /// The job of a timing on a device of `len_bytes`.
    ///
    /// # Errors
    /// If the device has no whole block there.
    pub fn job(&self, timing: Timing, device: &str, len_bytes: u64) -> Result<JobSpec, Message> {
        let offset_bytes = self.offset_bytes(timing);
        let left_bytes = len_bytes.saturating_sub(offset_bytes);
        if left_bytes < BLOCK_LEN_BYTES {
            let (length, offset) = (len_bytes.to_string(), offset_bytes.to_string());
            return Err(message!("hdparm-too-small", path = device, length, offset));
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
                // Without the page cache there is nothing to read ahead.
                .set("pre_read", u8::from(!self.direct))
                .set("invalidate", 0),
        })
    }

    /// The label of a timing's line.
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

/// The heading above a device's timings.
pub fn heading(device: &str) -> String {
    format!("\n{device}:\n")
}

/// The figures on a timing's line. hdparm's MB are 2^20 bytes.
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

    fn parsed(line: &str) -> Result<Timings, Message> {
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
            ("-t --rest", "no-rest"),
            ("-t --rest 3601 /dev/a", "rest(word=3601)"),
            ("-W /dev/a", "unknown(word=-W)"),
            ("-tW0 /dev/a", "unknown(word=-W)"),
            ("--security-erase NULL /dev/a", "unknown(word=--security-erase)"),
            ("/dev/a", "no-timing"),
            ("-t", "no-device"),
            ("-t --offset", "no-offset"),
            ("-t --offset x /dev/a", "offset(word=x)"),
            ("-t --offset 99999999999 /dev/a", "offset(word=99999999999)"),
            ("-T --offset 1 /dev/a", "offset-alone"),
        ];
        for (line, expected) in cases {
            assert_eq!(parsed(line).unwrap_err().to_string(), format!("hdparm-option.{expected}"), "{line}");
        }
    }

    #[test]
    fn lines_match_hdparm() {
        // As printed by hdparm 9.65, and by 9.4 for a drive that hardly read.
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
    fn whole_blocks_are_read_up_to_the_device_end() {
        let timings = parsed("-t /dev/a").unwrap();
        let job = timings.job(Timing::Disk, "/dev/a", 64 * MIB + 512).unwrap();
        assert_eq!(job.last("size"), Some("67108864"));
        assert!(timings.job(Timing::Disk, "/dev/a", MIB).unwrap_err().id() == "hdparm-too-small");
        let odd = timings.job(Timing::Disk, "/dev/disk/by-path/pci-0:1", GIB).unwrap();
        assert_eq!(odd.last("filename"), Some("/dev/disk/by-path/pci-0\\:1"));
    }
}
