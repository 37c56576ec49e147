//! Remarks on how two values compare.

use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::compare::{ComparedMetric, Favours, GroupValue, Judgement, Reason};

use super::Sheet;
use crate::compare::ratio::{ABOUT_THE_SAME, is_about_the_same, larger};

/// An interval of a ratio whose ends are this many times apart says nothing.
const UNKNOWN_TIMES: f64 = 100.0;

impl Sheet<'_> {
    /// Which of a group's value and the base's is better, and by how much: `ssd 6.3x faster`.
    pub(super) fn remark(&self, metric: &ComparedMetric, group: usize) -> Option<Message> {
        let against = metric.against[group].as_ref()?;
        let base = self.comparison.base;
        let is_zero =
            |place: usize| metric.values[place].as_ref().is_some_and(|value| value.estimate.value == 0.0);
        let Some(ratio) = against.ratio else {
            return Some(match against.reason {
                Some(Reason::Doubt) => message!("comparison-remark.withheld"),
                Some(Reason::Windows) => message!("comparison-remark.windows"),
                _ if is_zero(base) && is_zero(group) => message!("comparison-remark.equal"),
                _ => message!("comparison-remark.zero"),
            });
        };
        let size = size(ratio);
        let remark = match against.favours {
            _ if against.judgement == Judgement::NoDifference => message!("comparison-remark.no-difference"),
            _ if is_about_the_same(against) => message!("comparison-remark.similar"),
            Some(Favours::Base) => better(metric.quantity, &self.names[base], size),
            Some(Favours::Other) => better(metric.quantity, &self.names[group], size),
            None => more(metric.quantity, &self.names[if ratio > 1.0 { group } else { base }], size),
        };
        let Some((low, high)) = against.unclear() else { return Some(remark) };
        // Its own interval excludes 1, but that of one figure among many may do so by chance.
        if low > 1.0 || high < 1.0 {
            return Some(message!("comparison-remark.together"));
        }
        if high > UNKNOWN_TIMES * low {
            return Some(message!("comparison-remark.unknown"));
        }
        let [low, high] = [low, high].map(Parameter::times);
        Some(match metric.values.iter().flatten().any(GroupValue::is_light) {
            // Samples are few by nature: what they lean to is said, too.
            true => message!("comparison-remark.leaning", low, high, remark),
            false => message!("comparison-remark.unclear", low, high),
        })
    }

    /// The same with its note, in parentheses if it names a better side but the figure is never judged.
    pub(super) fn noted_remark(&mut self, metric: &ComparedMetric, group: usize) -> Option<Message> {
        let remark = self.remark(metric, group)?;
        Some(self.noted(metric, group, remark))
    }

    /// A remark on a group's value and the base's, with its note.
    pub(super) fn noted(&mut self, metric: &ComparedMetric, group: usize, remark: Message) -> Message {
        let against = metric.against[group].as_ref();
        let is_informational = against.is_some_and(|against| {
            matches!(against.reason, Some(Reason::Kind | Reason::FewSamples)) && against.favours.is_some()
        });
        self.notes.is_informational |= is_informational;
        let remark = match is_informational {
            true => message!("comparison-remark.informational", remark),
            false => remark,
        };
        match self.notes.mark(self.comparison, metric, group) {
            Some(note) => message!("comparison-remark.noted", remark, note),
            None => remark,
        }
    }
}

/// The difference of two values: a share of the smaller, or a ratio from a tenth on.
pub(crate) fn size(ratio: f64) -> Parameter {
    match larger(ratio) {
        small if small < ABOUT_THE_SAME => share(small - 1.0),
        many => Parameter::times(many),
    }
}

/// A share with as many digits as people say: `0.4 %`, `5.1 %`, `12 %`.
pub(crate) fn share(share: f64) -> Parameter {
    let digits = if share < 0.0995 { 1e3 } else { 1e2 };
    Parameter::share((share * digits).round() / digits)
}

fn better(quantity: Quantity, group: &str, size: Parameter) -> Message {
    match quantity {
        Quantity::Bandwidth | Quantity::Iops => message!("comparison-remark.faster", group, size),
        Quantity::WindowBandwidth(Statistic::Stdev)
        | Quantity::WindowIops(Statistic::Stdev)
        | Quantity::Latency(_, Statistic::Stdev) => message!("comparison-remark.smaller", group, size),
        Quantity::Latency(..) => message!("comparison-remark.lower", group, size),
        Quantity::Runtime | Quantity::LongestStall => message!("comparison-remark.shorter", group, size),
        Quantity::WindowBandwidth(_) | Quantity::WindowIops(_) => {
            message!("comparison-remark.higher", group, size)
        }
        Quantity::Bytes | Quantity::Ios => message!("comparison-remark.more", group, size),
    }
}

/// Remarks on quantities of which neither direction is better.
fn more(quantity: Quantity, group: &str, size: Parameter) -> Message {
    match quantity {
        Quantity::Latency(..) | Quantity::Runtime | Quantity::LongestStall => {
            message!("comparison-remark.longer", group, size)
        }
        Quantity::Bytes | Quantity::Ios => message!("comparison-remark.more", group, size),
        _ => message!("comparison-remark.higher", group, size),
    }
}
