//! Arithmetic in values: `size=(1g/4)`, `iodepth=$ncpus*2`.
//!
//! The operators are fio's, from weak to strong: `+ -`, `* /`, `^`, `%`, the sign, a unit. Whole numbers divide to a
//! whole number; a fraction (`1.5*1k`) is kept exactly until the end, where the result is cut to a whole number.

use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};
use cardiograph_jobs::value::{parse_bytes, parse_duration_ns};

/// Limit on nested parentheses, signs and powers.
const DEPTH_MAX: u32 = 64;
/// Limit on the digits of a fraction.
const FRACTION_DIGITS_MAX: usize = 18;

/// How to interpret the unit after a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Units {
    /// Powers of 1024 (`4k`) or 1000 (`4kib`).
    Size,
    /// Times such as `500ms`. The result has a unit if its numbers have one.
    Time,
}

const TOO_LARGE: Message = message!("fio-arithmetic.too-large");

fn unexpected(found: char) -> Message {
    message!("fio-arithmetic.unexpected", found = found.escape_debug().to_string())
}

fn needs_whole(operator: char) -> Message {
    message!("fio-arithmetic.needs-whole", operator = operator.to_string())
}

fn mixed_units(operator: char) -> Message {
    message!("fio-arithmetic.mixed-units", operator = operator.to_string())
}

/// The value of an expression as text: an integer, followed by `ns` if it is a time with a unit.
///
/// # Errors
/// If it has no value.
pub(crate) fn evaluate(text: &str, units: Units) -> Result<String, Message> {
    let mut reader = Reader { rest: text, units, depth: 0 };
    let number = reader.sum()?;
    match reader.peek() {
        None => Ok(format!("{}{}", number.top / number.bottom, if number.is_time { "ns" } else { "" })),
        Some(found) => Err(unexpected(found)),
    }
}

/// A fraction with a positive denominator (`bottom`).
#[derive(Debug, Clone, Copy)]
struct Number {
    top: i128,
    bottom: i128,
    is_time: bool,
}

impl Number {
    fn new(top: i128, bottom: i128, is_time: bool) -> Result<Self, Message> {
        let divisor = greatest_common_divisor(top.unsigned_abs(), bottom.unsigned_abs());
        let divisor = i128::try_from(divisor.max(1)).map_err(|_| TOO_LARGE)?;
        let sign = bottom.signum();
        match top.checked_mul(sign).zip(bottom.checked_mul(sign)) {
            Some((top, bottom)) => Ok(Self { top: top / divisor, bottom: bottom / divisor, is_time }),
            None => Err(TOO_LARGE),
        }
    }

    fn is_whole(self) -> bool {
        self.bottom == 1
    }

    fn negative(self) -> Result<Self, Message> {
        let top = self.top.checked_neg().ok_or(TOO_LARGE)?;
        Ok(Self { top, ..self })
    }

    fn plus(self, other: Self, operator: char) -> Result<Self, Message> {
        if self.is_time != other.is_time {
            return Err(mixed_units(operator));
        }
        let left = self.top.checked_mul(other.bottom);
        let sum = left.zip(other.top.checked_mul(self.bottom)).and_then(|(a, b)| a.checked_add(b));
        let (top, bottom) = sum.zip(self.bottom.checked_mul(other.bottom)).ok_or(TOO_LARGE)?;
        Self::new(top, bottom, self.is_time)
    }

    fn times(self, other: Self) -> Result<Self, Message> {
        if self.is_time && other.is_time {
            return Err(mixed_units('*'));
        }
        let product = self.top.checked_mul(other.top).zip(self.bottom.checked_mul(other.bottom));
        let (top, bottom) = product.ok_or(TOO_LARGE)?;
        Self::new(top, bottom, self.is_time || other.is_time)
    }

    fn divided_by(self, other: Self) -> Result<Self, Message> {
        if other.is_time && !self.is_time {
            return Err(mixed_units('/'));
        }
        if other.top == 0 {
            return Err(message!("fio-arithmetic.division-by-zero"));
        }
        let is_time = self.is_time && !other.is_time;
        if self.is_whole() && other.is_whole() {
            let top = self.top.checked_div(other.top).ok_or(TOO_LARGE)?;
            return Ok(Self { top, bottom: 1, is_time });
        }
        let quotient = self.top.checked_mul(other.bottom).zip(self.bottom.checked_mul(other.top));
        let (top, bottom) = quotient.ok_or(TOO_LARGE)?;
        Self::new(top, bottom, is_time)
    }

    fn modulo(self, other: Self) -> Result<Self, Message> {
        if self.is_time != other.is_time {
            return Err(mixed_units('%'));
        }
        if !self.is_whole() || !other.is_whole() {
            return Err(needs_whole('%'));
        }
        if other.top == 0 {
            return Err(message!("fio-arithmetic.division-by-zero"));
        }
        let top = self.top.checked_rem(other.top).ok_or(TOO_LARGE)?;
        Ok(Self { top, ..self })
    }

    fn power(self, exponent: Self) -> Result<Self, Message> {
        if self.is_time || exponent.is_time {
            return Err(mixed_units('^'));
        }
        if !exponent.is_whole() {
            return Err(needs_whole('^'));
        }
        let times = u32::try_from(exponent.top.unsigned_abs()).map_err(|_| TOO_LARGE)?;
        let power = self.top.checked_pow(times).zip(self.bottom.checked_pow(times));
        let (top, bottom) = power.ok_or(TOO_LARGE)?;
        match (exponent.top < 0, top) {
            (false, _) => Self::new(top, bottom, false),
            (true, 0) => Err(message!("fio-arithmetic.division-by-zero")),
            (true, _) => Self::new(bottom, top, false),
        }
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

struct Reader<'a> {
    rest: &'a str,
    units: Units,
    depth: u32,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        self.rest.chars().next()
    }

    /// Takes the next character if it is one of `wanted`.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let found = self.peek().filter(|found| wanted.contains(found))?;
        self.rest = &self.rest[found.len_utf8()..];
        Some(found)
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Message>) -> Result<T, Message> {
        if self.depth == DEPTH_MAX {
            return Err(message!("fio-arithmetic.too-deep", max = DEPTH_MAX));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn sum(&mut self) -> Result<Number, Message> {
        let mut left = self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            let right = self.product()?;
            left = left.plus(if operator == '-' { right.negative()? } else { right }, operator)?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Number, Message> {
        let mut left = self.power()?;
        while let Some(operator) = self.take(&['*', '/']) {
            let right = self.power()?;
            left = if operator == '*' { left.times(right)? } else { left.divided_by(right)? };
        }
        Ok(left)
    }

    fn power(&mut self) -> Result<Number, Message> {
        let base = self.modulo()?;
        match self.take(&['^']) {
            Some(_) => base.power(self.deeper(Self::power)?),
            None => Ok(base),
        }
    }

    fn modulo(&mut self) -> Result<Number, Message> {
        let mut left = self.signed()?;
        while self.take(&['%']).is_some() {
            left = left.modulo(self.signed()?)?;
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Number, Message> {
        match self.take(&['-']) {
            Some(_) => self.deeper(Self::signed)?.negative(),
            None => self.with_units(),
        }
    }

    fn with_units(&mut self) -> Result<Number, Message> {
        let mut number = match self.take(&['(']) {
            Some(_) => {
                let inner = self.deeper(Self::sum)?;
                match self.take(&[')']) {
                    Some(_) => inner,
                    None => {
                        return Err(self
                            .peek()
                            .map_or_else(|| message!("fio-arithmetic.unclosed"), unexpected));
                    }
                }
            }
            None => self.number()?,
        };
        while self.peek().is_some_and(char::is_alphabetic) {
            let end = self.rest.find(|c: char| !c.is_alphabetic()).unwrap_or(self.rest.len());
            let (unit, rest) = self.rest.split_at(end);
            number = number.times(factor(unit, self.units)?)?;
            self.rest = rest;
        }
        Ok(number)
    }

    fn number(&mut self) -> Result<Number, Message> {
        let first = self.peek().ok_or(message!("fio-arithmetic.unfinished"))?;
        let (digits, radix) = match self.rest.strip_prefix("0x").or_else(|| self.rest.strip_prefix("0X")) {
            Some(digits) => (digits, 16),
            None => (self.rest, 10),
        };
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let (whole, rest) = digits.split_at(end);
        let behind_point = rest.strip_prefix('.').filter(|_| radix == 10).unwrap_or_default();
        let end = behind_point.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind_point.len());
        let fraction = &behind_point[..end];
        if whole.is_empty() && fraction.is_empty() {
            return Err(unexpected(first));
        }
        self.rest = if fraction.is_empty() { rest } else { &behind_point[end..] };
        if fraction.len() > FRACTION_DIGITS_MAX {
            return Err(TOO_LARGE);
        }
        let digits = format!("{whole}{fraction}");
        let top = i128::from_str_radix(&digits, radix).map_err(|_| TOO_LARGE)?;
        Number::new(top, 10i128.pow(fraction.len() as u32), false)
    }
}

/// The factor of a unit, in bytes or nanoseconds.
fn factor(unit: &str, units: Units) -> Result<Number, Message> {
    let one = format!("1{unit}");
    let factor = match units {
        Units::Size => parse_bytes(&one),
        Units::Time => parse_duration_ns(&one, 1),
    };
    let top = factor.map_err(|_| message!("jobs-value.unknown-unit", unit = shown(unit)))?;
    Ok(Number { top: top.into(), bottom: 1, is_time: units == Units::Time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::brief;

    #[test]
    fn sizes_and_counts() {
        let cases = [
            ("(2*3)", "6"),
            ("(2+3)*4", "20"),
            ("((2+3)*4)", "20"),
            ("2+3*4", "14"),
            ("10-2-3", "5"),
            ("16/4/2", "2"),
            ("7/2", "3"),
            ("(7/2)*2", "6"),
            ("7.0/2*2", "6"),
            ("7.5/2*2", "7"),
            ("7%4", "3"),
            ("2*5%3", "4"),
            ("2^3^2", "512"),
            ("-2^2+10", "14"),
            ("2*-3+10", "4"),
            ("--3", "3"),
            ("2^-1*4", "2"),
            ("5-7", "-2"),
            ("(1g/4)", "268435456"),
            ("(4k + 4K)", "8192"),
            ("(1+1)k", "2048"),
            ("(2k)k", "2097152"),
            ("1.5k", "1536"),
            (".5m", "524288"),
            ("1kib+1ki", "2024"),
            ("0x10*2", "32"),
            ("(0x10)kb", "16384"),
            ("2^40", "1099511627776"),
            ("1T/1024", "1073741824"),
            ("0^0", "1"),
            ("-7/2", "-3"),
        ];
        for (text, value) in cases {
            assert_eq!(evaluate(text, Units::Size).as_deref(), Ok(value), "{text}");
        }
    }

    #[test]
    fn times() {
        let cases = [
            ("5+5", "10"),
            ("(5)", "5"),
            ("1s+500ms", "1500000000ns"),
            ("2*1m", "120000000000ns"),
            ("1h/2", "1800000000000ns"),
            ("1m/1s", "60"),
            ("90s%1m", "30000000000ns"),
            ("1.5s", "1500000000ns"),
            ("-(1s)", "-1000000000ns"),
        ];
        for (text, value) in cases {
            assert_eq!(evaluate(text, Units::Time).as_deref(), Ok(value), "{text}");
        }
    }

    #[test]
    fn expressions_without_a_value_report_why() {
        let size = [
            ("", "fio-arithmetic.unfinished"),
            ("(", "fio-arithmetic.unfinished"),
            ("()", "fio-arithmetic.unexpected(found=))"),
            ("(2", "fio-arithmetic.unclosed"),
            ("(2))", "fio-arithmetic.unexpected(found=))"),
            ("(2 3)", "fio-arithmetic.unexpected(found=3)"),
            ("2+", "fio-arithmetic.unfinished"),
            ("+2", "fio-arithmetic.unexpected(found=+)"),
            ("2**3", "fio-arithmetic.unexpected(found=*)"),
            ("(1)(2)", "fio-arithmetic.unexpected(found=()"),
            ("a", "fio-arithmetic.unexpected(found=a)"),
            ("1e1", "fio-arithmetic.unexpected(found=1)"),
            ("1.", "fio-arithmetic.unexpected(found=.)"),
            ("1q", "jobs-value.unknown-unit(unit=q)"),
            ("1kk", "jobs-value.unknown-unit(unit=kk)"),
            ("1é", "jobs-value.unknown-unit(unit=é)"),
            ("1s", "jobs-value.unknown-unit(unit=s)"),
            ("7/0", "fio-arithmetic.division-by-zero"),
            ("7%0", "fio-arithmetic.division-by-zero"),
            ("0^-1", "fio-arithmetic.division-by-zero"),
            ("1/(1-1)", "fio-arithmetic.division-by-zero"),
            ("2^127", "fio-arithmetic.too-large"),
            ("1^99999999999", "fio-arithmetic.too-large"),
            ("99999999999999999999999999999999999999999", "fio-arithmetic.too-large"),
            ("0.1234567890123456789", "fio-arithmetic.too-large"),
            ("1.5%2", "fio-arithmetic.needs-whole(operator=%)"),
            ("4^0.5", "fio-arithmetic.needs-whole(operator=^)"),
        ];
        for (text, why) in size {
            let error = evaluate(text, Units::Size).unwrap_err();
            // `1e1` is read as 1 with the unit `e`, which only an operator may follow.
            assert_eq!(brief(&error), why, "{text}");
        }
        for (text, operator) in [("1s+5", '+'), ("5-1s", '-'), ("1s*1s", '*'), ("5/1s", '/'), ("1s^2", '^')] {
            let error = evaluate(text, Units::Time).unwrap_err();
            assert_eq!(error, mixed_units(operator), "{text}");
        }
        for nested in ["(".repeat(100_000), "-".repeat(100_000), "2^".repeat(100_000)] {
            assert_eq!(
                evaluate(&nested, Units::Size).unwrap_err(),
                message!("fio-arithmetic.too-deep", max = 64_u32)
            );
        }
    }
}
