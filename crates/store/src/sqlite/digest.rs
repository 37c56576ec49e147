//! Digests of rows, by which a bit that tipped on the drive is noticed: what is told is what was kept.
//!
//! They are taken of what a row says, not of how a database writes it: CRC32C of its values one after the other, with an
//! end to each text that no text contains. They find what a drive does to a file, and defend against nobody.

use cardiograph_core::imported::Figure;
use cardiograph_core::summary::RunSummary;

/// UTF-8 has neither byte.
const END_OF_TEXT: u8 = 0xff;
const NOTHING: u8 = 0xfe;

/// The values of one row after the other; its memory is used again.
#[derive(Debug, Default)]
pub struct Values(Vec<u8>);

impl Values {
    /// What a list tells of a run, and by what it is sorted there.
    pub fn digest_of_run(&mut self, run: &RunSummary, state: &str, sorted_ms: i64) -> u32 {
        self.text(&run.id).integer(clamped(run.started_unix_ms)).text(&run.suite).text(state);
        self.maybe(run.label.as_deref(), Self::text).maybe(run.host.as_deref(), Self::text);
        self.text(&run.path).text(run.models.as_str()).text(run.drive_ids.as_str()).text(run.tags.as_str());
        self.maybe(run.capacity_bytes.map(clamped), Self::integer).integer(run.steps as i64);
        self.integer(sorted_ms).digest(0)
    }

    /// What is large of a run; [`Values::and_test`] follows for each of its tests.
    pub fn digest_of_head(&mut self, run: i64, facts: &str, measurements: &str) -> u32 {
        self.integer(run).text(facts).text(measurements).digest(0)
    }

    /// The digest of a run's head, with that of one more of its tests.
    pub fn and_test(&mut self, head: u32, test: i64) -> u32 {
        self.integer(test).digest(head)
    }

    /// A test, which is the one of `place`: its run, step and part. [`Values::and_figure`] follows for each of its figures.
    pub fn digest_of_test(&mut self, place: [i64; 3], id: &str, title: &str, method: &str) -> u32 {
        place.into_iter().for_each(|number| _ = self.integer(number));
        self.text(id).text(title).text(method).digest(0)
    }

    /// The digest of a test, with one more of its figures, whose quantity is called `metric`.
    pub fn and_figure(&mut self, test: u32, metric: &str, figure: &Figure) -> u32 {
        let estimate = &figure.estimate;
        self.maybe(figure.direction.map(|direction| direction.name()), Self::text).text(metric);
        self.real(estimate.value).integer(clamped(estimate.n)).real(estimate.n_effective);
        self.maybe(number(estimate.low), Self::real).maybe(number(estimate.high), Self::real);
        self.maybe(figure.window_ns.map(clamped), Self::integer).maybe(figure.doubt.as_deref(), Self::text);
        self.digest(test)
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(END_OF_TEXT);
        self
    }

    fn integer(&mut self, integer: i64) -> &mut Self {
        self.0.extend_from_slice(&integer.to_le_bytes());
        self
    }

    /// SQLite keeps a whole number as an integer, and forgets the sign of 0.
    fn real(&mut self, real: f64) -> &mut Self {
        self.0.extend_from_slice(&(real + 0.0).to_bits().to_le_bytes());
        self
    }

    fn maybe<T>(&mut self, value: Option<T>, add: impl Fn(&mut Self, T) -> &mut Self) -> &mut Self {
        match value {
            Some(value) => add(self, value),
            None => {
                self.0.push(NOTHING);
                self
            }
        }
    }

    fn digest(&mut self, before: u32) -> u32 {
        let digest = crc32c::crc32c_append(before, &self.0);
        self.0.clear();
        digest
    }
}

/// Of a step's JSON and its place, FNV-1a of 64 bits: tells whether a step has changed since it was kept, and whether it is
/// the one that was kept there.
pub fn of_step(id: &str, number: i64, json: &[u8]) -> i64 {
    let add = |hash: u64, bytes: &[u8]| {
        bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let place = add(add(0xcbf2_9ce4_8422_2325, id.as_bytes()), &number.to_le_bytes());
    add(place, json) as i64
}

/// Databases count to 2^63 - 1. The Report itself, which stands beside, has the whole number.
pub fn clamped(number: u64) -> i64 {
    number.min(i64::MAX as u64) as i64
}

/// SQLite takes what is no number for nothing.
pub fn number(real: Option<f64>) -> Option<f64> {
    real.filter(|real| !real.is_nan())
}
