//! The operands of dd.

use cardiograph_core::text::shown;
use cardiograph_core::{Message, Parameter, message};

use super::number::{self, Number};
use super::{BLOCK_LEN_BYTES, Copy, EndSync, Status, Way, Write, WriteThrough};

/// Maximum file length: offsets are signed 64-bit numbers.
const FILE_LEN_BYTES_MAX: u64 = i64::MAX as u64;

/// The values of the operands.
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

/// Parses the arguments of `dd`.
///
/// # Errors
/// The unsupported operand, why, and what to do.
pub fn parse(words: &[String]) -> Result<Copy, Message> {
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
                message!("dd-too-many-blocks", operand = name, value = number.value.to_string())
            })
        }
    };
    let len_bytes = in_bytes("count", operands.count, has_input_flag("count_bytes"))?;
    if len_bytes == Some(0) {
        return Err(message!("dd-operand.no-blocks"));
    }
    let skip_bytes = in_bytes("skip", operands.skip, has_input_flag("skip_bytes"))?;
    let seek_bytes = in_bytes("seek", operands.seek, has_output_flag("seek_bytes"))?;
    let start_bytes = skip_bytes.max(seek_bytes).unwrap_or(0);
    if start_bytes.saturating_add(len_bytes.unwrap_or(0)) > FILE_LEN_BYTES_MAX {
        return Err(message!("dd-operand.too-far"));
    }
    let way = match operands.ends()? {
        Ends::Read { from } => {
            operands.refuse_idle(&["conv", "oflag", "seek"], false)?;
            Way::Read { from: from.to_string(), skip_bytes: skip_bytes.unwrap_or(0) }
        }
        Ends::Write { to, random } => {
            // Blocks from memory are always full.
            operands.refuse_idle(&["iflag", "skip"], true)?;
            if len_bytes.is_none() {
                return Err(message!("dd-operand.no-count"));
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

fn read(words: &[String]) -> Result<Operands<'_>, Message> {
    let mut operands = Operands::default();
    for word in words {
        if let Some(id) = word.strip_prefix("--allow-erase=") {
            operands.consents.push(id.to_string());
            continue;
        }
        let (name, value) = word.split_once('=').ok_or_else(|| unknown(word))?;
        let wrong = |problem: Message| message!("dd-value", operand = name, value = shown(value), problem);
        let number = || number::parse(value).map_err(wrong);
        let len_bytes = || match number()? {
            Number { value: 0, .. } => Err(message!("dd-empty-block", operand = name)),
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
                    _ => return Err(message!("dd-status", value = shown(value))),
                }
            }
            _ => return Err(unknown(word)),
        }
    }
    Ok(operands)
}

fn unknown(word: &str) -> Message {
    message!("dd-unknown-operand", word = shown(word))
}

/// Source and destination of a copy.
enum Ends<'a> {
    Read { from: &'a str },
    Write { to: &'a str, random: bool },
}

impl<'a> Operands<'a> {
    fn check_known(&self) -> Result<(), Message> {
        let lists: [(&str, &[&str], &[&str]); 3] = [
            ("conv", &self.conversions, &["fsync", "fdatasync", "notrunc"]),
            ("iflag", &self.input_flags, &["direct", "fullblock", "count_bytes", "skip_bytes"]),
            ("oflag", &self.output_flags, &["direct", "dsync", "sync", "seek_bytes"]),
        ];
        for (operand, given, known) in lists {
            if let Some(other) = given.iter().find(|word| !known.contains(word)) {
                let known = Parameter::all(known.iter().copied());
                return Err(message!("dd-unknown-flag", operand, value = shown(other), known));
            }
        }
        Ok(())
    }

    fn block_len_bytes(&self) -> Result<u64, Message> {
        match (self.bs, self.ibs, self.obs) {
            (Some(bs), ..) => Ok(bs),
            (None, None, None) => Ok(BLOCK_LEN_BYTES),
            (None, Some(ibs), Some(obs)) if ibs == obs => Ok(ibs),
            (None, ..) => Err(message!("dd-operand.block-sizes")),
        }
    }

    fn ends(&self) -> Result<Ends<'a>, Message> {
        let source = self.source.ok_or(message!("dd-operand.no-source"))?;
        let sink = self.sink.ok_or(message!("dd-operand.no-sink"))?;
        if source.is_empty() || sink.is_empty() {
            return Err(message!("dd-operand.no-names"));
        }
        match (source, sink) {
            ("/dev/zero" | "/dev/urandom", "/dev/null") => Err(message!("dd-operand.no-drive")),
            ("/dev/zero", to) => Ok(Ends::Write { to, random: false }),
            ("/dev/urandom", to) => Ok(Ends::Write { to, random: true }),
            (from, "/dev/null") => Ok(Ends::Read { from }),
            (from, to) => Err(message!("dd-copies-no-file", from = shown(from), to = shown(to))),
        }
    }

    /// Refuses operands without effect.
    fn refuse_idle(&self, names: &[&str], writes: bool) -> Result<(), Message> {
        let is_given = |name: &&&str| match **name {
            "conv" => !self.conversions.is_empty(),
            "iflag" => self.input_flags.iter().any(|flag| !["fullblock", "count_bytes"].contains(flag)),
            "oflag" => !self.output_flags.is_empty(),
            "skip" => self.skip.is_some(),
            _ => self.seek.is_some(),
        };
        match names.iter().find(is_given) {
            None => Ok(()),
            Some(name) if writes => Err(message!("dd-idle.written", operand = *name)),
            Some(name) => Err(message!("dd-idle.read", operand = *name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Copy, Message> {
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
        let consent = parsed("if=/dev/urandom of=/dev/sdx bs=1M count=1 --allow-erase=sdx-1").unwrap();
        assert_eq!(consent.consents, ["sdx-1"]);
    }

    #[test]
    fn unsupported_operands_are_refused_by_name() {
        let cases = [
            ("if=a of=b", "dd-copies-no-file(from=a, to=b)"),
            ("if=a of=b --allow-erase=b", "dd-copies-no-file(from=a, to=b)"),
            ("of=b", "dd-operand.no-source"),
            ("if=a", "dd-operand.no-sink"),
            ("if=/dev/zero of= count=1", "dd-operand.no-names"),
            ("if=/dev/zero of=/dev/null count=1", "dd-operand.no-drive"),
            ("if=/dev/zero of=x", "dd-operand.no-count"),
            ("if=/dev/zero of=x count=0", "dd-operand.no-blocks"),
            ("if=/dev/zero of=x bs=0 count=1", "dd-empty-block(operand=bs)"),
            (
                "if=/dev/zero of=x bs=1m count=1",
                "dd-value(operand=bs, problem=dd-number(number=1m), value=1m)",
            ),
            ("if=/dev/zero of=x bs=1P count=1P", "dd-too-many-blocks(operand=count, value=1125899906842624)"),
            ("if=/dev/zero of=x bs=1 seek=15E count=3E", "dd-operand.too-far"),
            ("if=x of=/dev/null bs=1 skip=9E", "dd-operand.too-far"),
            ("if=/dev/zero of=x obs=4k count=1", "dd-operand.block-sizes"),
            (
                "if=/dev/zero of=x count=1 conv=sync",
                "dd-unknown-flag(known=fsync+fdatasync+notrunc, operand=conv, value=sync)",
            ),
            (
                "if=/dev/zero of=x count=1 conv=fsync,excl",
                "dd-unknown-flag(known=fsync+fdatasync+notrunc, operand=conv, value=excl)",
            ),
            (
                "if=/dev/zero of=x count=1 oflag=append",
                "dd-unknown-flag(known=direct+dsync+sync+seek_bytes, operand=oflag, value=append)",
            ),
            ("if=/dev/zero of=x count=1 iflag=direct", "dd-idle.written(operand=iflag)"),
            ("if=/dev/zero of=x count=1 skip=1", "dd-idle.written(operand=skip)"),
            ("if=x of=/dev/null conv=fsync", "dd-idle.read(operand=conv)"),
            ("if=x of=/dev/null oflag=direct", "dd-idle.read(operand=oflag)"),
            ("if=x of=/dev/null seek=1", "dd-idle.read(operand=seek)"),
            ("if=x of=/dev/null status=loud", "dd-status(value=loud)"),
            ("if=x of=/dev/null cbs=1", "dd-unknown-operand(word=cbs=1)"),
            ("-v", "dd-unknown-operand(word=-v)"),
        ];
        for (line, expected) in cases {
            assert_eq!(parsed(line).unwrap_err().to_string(), expected, "{line}");
        }
    }
}
