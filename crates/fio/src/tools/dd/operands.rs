//! The operands of dd.

use cardiograph_core::text::shown;

use super::number::{self, Number};
use super::{BLOCK_LEN_BYTES, Copy, EndSync, Status, Way, Write, WriteThrough};

/// No file is longer: offsets are signed numbers of 64 bits.
const FILE_LEN_BYTES_MAX: u64 = i64::MAX as u64;

/// What was written, by operand.
#[derive(Default)]
struct Operands<'a> {
    source: Option<&'a str>,
    sink: Option<&'a str>,
    bs: Option<u64>,
    ibs: Option<u64>,
    obs: Option<u64>,
    count: Option<Number>,
    skip: Option<Number>,
    seek: Option<Number>,
    conversions: Vec<&'a str>,
    input_flags: Vec<&'a str>,
    output_flags: Vec<&'a str>,
    status: Status,
    consents: Vec<String>,
}

/// Reads the words behind `dd`.
///
/// # Errors
/// A sentence: the operand that cannot be followed, why, and what to do.
pub fn parse(words: &[String]) -> Result<Copy, String> {
    let operands = read(words)?;
    operands.check_known()?;
    let block_len_bytes = operands.block_len_bytes()?;
    let has_input_flag = |flag| operands.input_flags.contains(&flag);
    let has_output_flag = |flag| operands.output_flags.contains(&flag);
    let in_bytes = |name: &str, number: Option<Number>, counts_bytes: bool| match number {
        None => Ok(None),
        Some(number) if number.is_bytes || counts_bytes => Ok(Some(number.value)),
        Some(number) => {
            let bytes = number.value.checked_mul(block_len_bytes);
            bytes.map(Some).ok_or_else(|| {
                format!("{name}={}: that many blocks are longer than a file can be", number.value)
            })
        }
    };
    let len_bytes = in_bytes("count", operands.count, has_input_flag("count_bytes"))?;
    if len_bytes == Some(0) {
        return Err("count=0 copies nothing: leave it out, or name a number of blocks".to_string());
    }
    let skip_bytes = in_bytes("skip", operands.skip, has_input_flag("skip_bytes"))?;
    let seek_bytes = in_bytes("seek", operands.seek, has_output_flag("seek_bytes"))?;
    let start_bytes = skip_bytes.max(seek_bytes).unwrap_or(0);
    if start_bytes.saturating_add(len_bytes.unwrap_or(0)) > FILE_LEN_BYTES_MAX {
        return Err("count=, skip= or seek= reach behind where a file can end: make them smaller".to_string());
    }
    let way = match operands.ends()? {
        Ends::Read { from } => {
            operands.refuse_idle(&["conv", "oflag", "seek"], "of=/dev/null takes everything as it comes")?;
            Way::Read { from: from.to_string(), skip_bytes: skip_bytes.unwrap_or(0) }
        }
        Ends::Write { to, random } => {
            // Blocks from memory are always full.
            operands.refuse_idle(&["iflag", "skip"], "what is written is made in memory")?;
            if len_bytes.is_none() {
                return Err(
                    "count= is missing: without it dd goes on until the drive is full; add it, as count=50k"
                        .to_string(),
                );
            }
            let has = |conversion| operands.conversions.contains(&conversion);
            Way::Write(Write {
                to: to.to_string(),
                random,
                seek_bytes: seek_bytes.unwrap_or(0),
                end_sync: match (has("fsync"), has("fdatasync")) {
                    (true, _) => Some(EndSync::Fsync),
                    (false, true) => Some(EndSync::Fdatasync),
                    (false, false) => None,
                },
                write_through: match (has_output_flag("sync"), has_output_flag("dsync")) {
                    (true, _) => Some(WriteThrough::All),
                    (false, true) => Some(WriteThrough::Data),
                    (false, false) => None,
                },
                keeps_rest: has("notrunc"),
            })
        }
    };
    let direct = match way {
        Way::Read { .. } => has_input_flag("direct"),
        Way::Write(_) => has_output_flag("direct"),
    };
    Ok(Copy { way, block_len_bytes, len_bytes, direct, status: operands.status, consents: operands.consents })
}

fn read(words: &[String]) -> Result<Operands<'_>, String> {
    let mut operands = Operands::default();
    for word in words {
        if let Some(id) = word.strip_prefix("--allow-destroy=") {
            operands.consents.push(id.to_string());
            continue;
        }
        let (name, value) = word.split_once('=').ok_or_else(|| unknown(word))?;
        let number = || number::parse(value).map_err(|error| format!("{name}={}: {error}", shown(value)));
        let len_bytes = || match number()? {
            Number { value: 0, .. } => Err(format!("{name}=0: a block has at least one byte")),
            Number { value, .. } => Ok(Some(value)),
        };
        let list = || value.split(',').collect::<Vec<&str>>();
        match name {
            "if" => operands.source = Some(value),
            "of" => operands.sink = Some(value),
            "bs" => operands.bs = len_bytes()?,
            "ibs" => operands.ibs = len_bytes()?,
            "obs" => operands.obs = len_bytes()?,
            "count" => operands.count = Some(number()?),
            "skip" | "iseek" => operands.skip = Some(number()?),
            "seek" | "oseek" => operands.seek = Some(number()?),
            "conv" => operands.conversions = list(),
            "iflag" => operands.input_flags = list(),
            "oflag" => operands.output_flags = list(),
            "status" => {
                operands.status = match value {
                    "none" => Status::None,
                    "noxfer" => Status::NoTransfer,
                    "progress" => Status::Progress,
                    _ => return Err(format!("status={}: there are none, noxfer and progress", shown(value))),
                }
            }
            _ => return Err(unknown(word)),
        }
    }
    Ok(operands)
}

fn unknown(word: &str) -> String {
    format!(
        "{}: not an operand that is here; there are if, of, bs, count, skip, seek, conv, iflag, oflag and status, as \
         `cardiograph dd if=/dev/zero of=FILE bs=8k count=50k conv=fsync`",
        shown(word)
    )
}

/// Where it is copied from and to.
enum Ends<'a> {
    Read { from: &'a str },
    Write { to: &'a str, random: bool },
}

impl<'a> Operands<'a> {
    fn check_known(&self) -> Result<(), String> {
        let lists: [(&str, &[&str], &[&str]); 3] = [
            ("conv", &self.conversions, &["fsync", "fdatasync", "notrunc"]),
            ("iflag", &self.input_flags, &["direct", "fullblock", "count_bytes", "skip_bytes"]),
            ("oflag", &self.output_flags, &["direct", "dsync", "sync", "seek_bytes"]),
        ];
        for (operand, given, known) in lists {
            if let Some(other) = given.iter().find(|word| !known.contains(word)) {
                return Err(format!(
                    "{operand}={}: not here, where copies are made to be measured; there are {}: leave it out, or use \
                     dd itself",
                    shown(other),
                    known.join(", ")
                ));
            }
        }
        Ok(())
    }

    fn block_len_bytes(&self) -> Result<u64, String> {
        match (self.bs, self.ibs, self.obs) {
            (Some(bs), ..) => Ok(bs),
            (None, None, None) => Ok(BLOCK_LEN_BYTES),
            (None, Some(ibs), Some(obs)) if ibs == obs => Ok(ibs),
            (None, ..) => Err(
                "ibs= and obs= that differ make dd copy each byte once more between reading and writing, which would \
                 be measured, too: use bs= for both"
                    .to_string(),
            ),
        }
    }

    fn ends(&self) -> Result<Ends<'a>, String> {
        let source = self.source.ok_or(
            "if= is missing: dd would copy its standard input; name if=/dev/zero or if=/dev/urandom to write, or \
             if=FILE to read",
        )?;
        let sink = self.sink.ok_or(
            "of= is missing: dd would write to its standard output; name of=FILE, or of=/dev/null to read",
        )?;
        if source.is_empty() || sink.is_empty() {
            return Err("if= and of= need a name behind them".to_string());
        }
        match (source, sink) {
            ("/dev/zero" | "/dev/urandom", "/dev/null") => {
                Err("neither if= nor of= is on a drive, so that there is nothing to measure: name a file for one of \
                     them".to_string())
            }
            ("/dev/zero", to) => Ok(Ends::Write { to, random: false }),
            ("/dev/urandom", to) => Ok(Ends::Write { to, random: true }),
            (from, "/dev/null") => Ok(Ends::Read { from }),
            (from, to) => Err(format!(
                "if={} and of={}: cardiograph writes content of its own and copies no file, dd itself does; to \
                 measure how fast one is read, add of=/dev/null instead, and how fast the other is written, \
                 if=/dev/urandom",
                shown(from),
                shown(to)
            )),
        }
    }

    /// Refuses operands that would do nothing.
    fn refuse_idle(&self, names: &[&str], why: &str) -> Result<(), String> {
        let is_given = |name: &&&str| match **name {
            "conv" => !self.conversions.is_empty(),
            "iflag" => self.input_flags.iter().any(|flag| !["fullblock", "count_bytes"].contains(flag)),
            "oflag" => !self.output_flags.is_empty(),
            "skip" => self.skip.is_some(),
            _ => self.seek.is_some(),
        };
        match names.iter().find(is_given) {
            None => Ok(()),
            Some(name) => Err(format!("{name}= does nothing here, as {why}: leave it out")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Copy, String> {
        parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn operands_of_all_kinds() {
        let copy = parsed(
            "if=/dev/zero of=x ibs=4k obs=4k count=3 seek=1MB conv=notrunc,fsync oflag=sync status=none",
        )
        .unwrap();
        let Way::Write(write) = &copy.way else { panic!("{copy:?}") };
        assert_eq!(
            (copy.block_len_bytes, copy.len_bytes, write.seek_bytes),
            (4_096, Some(12_288), 1_000_000)
        );
        assert_eq!((write.end_sync, write.write_through), (Some(EndSync::Fsync), Some(WriteThrough::All)));
        assert!(write.keeps_rest && !write.random && !copy.direct);
        assert_eq!(copy.status, Status::None);
        let read = parsed(
            "if=/dev/sda of=/dev/null bs=1M iflag=direct,fullblock,count_bytes count=5000 status=progress",
        )
        .unwrap();
        assert_eq!(read.way, Way::Read { from: "/dev/sda".to_string(), skip_bytes: 0 });
        assert_eq!((read.len_bytes, read.direct, read.status), (Some(5_000), true, Status::Progress));
        let consent = parsed("if=/dev/urandom of=/dev/sdx bs=1M count=1 --allow-destroy=sdx-1").unwrap();
        assert_eq!(consent.consents, ["sdx-1"]);
    }

    #[test]
    fn what_cannot_be_done_is_refused_by_name() {
        let cases = [
            ("if=a of=b", "copies no file"),
            ("if=a of=b --allow-destroy=b", "copies no file"),
            ("of=b", "if= is missing"),
            ("if=a", "of= is missing"),
            ("if=/dev/zero of= count=1", "need a name"),
            ("if=/dev/zero of=/dev/null count=1", "nothing to measure"),
            ("if=/dev/zero of=x", "count= is missing"),
            ("if=/dev/zero of=x count=0", "count=0 copies nothing"),
            ("if=/dev/zero of=x bs=0 count=1", "bs=0"),
            ("if=/dev/zero of=x bs=1m count=1", "bs=1m: '1m' is no number"),
            ("if=/dev/zero of=x bs=1P count=1P", "count=1125899906842624: that many"),
            ("if=/dev/zero of=x bs=1 seek=15E count=3E", "behind where a file can end"),
            ("if=x of=/dev/null bs=1 skip=9E", "behind where a file can end"),
            ("if=/dev/zero of=x obs=4k count=1", "use bs= for both"),
            ("if=/dev/zero of=x count=1 conv=sync", "conv=sync: not here"),
            ("if=/dev/zero of=x count=1 conv=fsync,excl", "conv=excl"),
            ("if=/dev/zero of=x count=1 oflag=append", "oflag=append"),
            ("if=/dev/zero of=x count=1 iflag=direct", "iflag= does nothing"),
            ("if=/dev/zero of=x count=1 skip=1", "skip= does nothing"),
            ("if=x of=/dev/null conv=fsync", "conv= does nothing"),
            ("if=x of=/dev/null oflag=direct", "oflag= does nothing"),
            ("if=x of=/dev/null seek=1", "seek= does nothing"),
            ("if=x of=/dev/null status=loud", "status=loud"),
            ("if=x of=/dev/null cbs=1", "cbs=1: not an operand"),
            ("-v", "-v: not an operand"),
        ];
        for (line, message) in cases {
            let error = parsed(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
