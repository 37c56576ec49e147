//! Values of several groups on a line with its own scale.

use serde::Serialize;

/// Columns of a line in text.
const COLUMNS: usize = 17;
/// From this ratio of the largest value to the smallest on, the scale is logarithmic: from 0, the smaller ones would
/// lie on each other.
pub(crate) const LINEAR_MAX: f64 = 4.0;
/// Limits farther outside than this factor are not drawn: they would squeeze the values.
const LIMIT_FACTOR_MAX: f64 = 1.5;

/// Values on a line, each as its place from 0 (left) to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dots {
    /// Each group's value; `None` if missing.
    pub points: Vec<Option<Dot>>,
    /// Limits of purposes.
    pub limits: Vec<f64>,
}

/// A value and the ends of its interval, which are the value itself if unknown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Dot {
    /// The value.
    pub at: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Dots {
    /// Places values and limits on a scale of their own; `None` if fewer than two values are above 0.
    pub fn new(values: &[Option<Dot>], limits: &[f64]) -> Option<Self> {
        let known = || values.iter().flatten().filter(|dot| dot.at > 0.0);
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for dot in known() {
            (low, high) = (low.min(dot.at), high.max(dot.at));
        }
        if known().count() < 2 || !high.is_finite() {
            return None;
        }
        let is_drawn = |limit: &&f64| (low / LIMIT_FACTOR_MAX..=high * LIMIT_FACTOR_MAX).contains(*limit);
        let limits: Vec<f64> = limits.iter().filter(is_drawn).copied().collect();
        let all = || limits.iter().copied().chain([low, high]);
        let (first, last) = (all().fold(high, f64::min), all().fold(0.0, f64::max));
        let is_log = high > LINEAR_MAX * low;
        let place = |value: f64| {
            let share = match is_log {
                true => (value / first).ln() / (last / first).ln(),
                false => value / last,
            };
            if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
        };
        let dot = |dot: &Dot| Dot { at: place(dot.at), low: place(dot.low), high: place(dot.high) };
        let points = values.iter().map(|value| value.as_ref().filter(|dot| dot.at > 0.0).map(dot)).collect();
        Some(Self { points, limits: limits.into_iter().map(place).collect() })
    }

    /// The line as text: a line between the values, their intervals in bold, limits, and a mark for each group.
    pub(crate) fn text(&self) -> String {
        let column = |share: f64| (share * (COLUMNS - 1) as f64).round() as usize;
        let mut drawn = [' '; COLUMNS];
        let places = || self.points.iter().flatten().map(|dot| column(dot.at));
        let (first, last) = (places().min().unwrap_or(0), places().max().unwrap_or(0));
        drawn[first..=last].fill('─');
        self.points.iter().flatten().for_each(|dot| drawn[column(dot.low)..=column(dot.high)].fill('━'));
        self.limits.iter().for_each(|&limit| drawn[column(limit)] = '┊');
        let mut marks: Vec<(usize, f64)> = self
            .points
            .iter()
            .enumerate()
            .filter_map(|(group, dot)| Some((group, dot.as_ref()?.at)))
            .collect();
        marks.sort_by(|(_, one), (_, next)| one.total_cmp(next));
        let (left, right): (Vec<_>, Vec<_>) = marks.into_iter().partition(|(_, at)| *at < 0.5);
        // Where two values share a column, one moves by a column towards the middle, in their order.
        let mut taken = [false; COLUMNS];
        for (group, at) in left.into_iter().chain(right.into_iter().rev()) {
            let places = [column(at), if at < 0.5 { column(at) + 1 } else { column(at) - 1 }];
            if let Some(free) = places.into_iter().find(|&place| !taken[place]) {
                (drawn[free], taken[free]) = (mark(group, self.points.len()), true);
            }
        }
        drawn.iter().collect()
    }
}

/// The mark of a group: those of a pair are as in pictures, several are numbered.
pub(crate) fn mark(group: usize, groups: usize) -> char {
    match (groups, group) {
        (2, 0) => '●',
        (2, _) => '■',
        _ => u32::try_from(group + 1).ok().and_then(|number| char::from_digit(number, 36)).unwrap_or('*'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(at: f64) -> Option<Dot> {
        Some(Dot { at, low: at, high: at })
    }

    #[test]
    fn values_lie_on_their_own_scale() {
        for (values, limits, expected) in [
            // From 0: half as far as the other.
            (vec![dot(50.0), dot(100.0)], vec![], "        ●───────■"),
            // Logarithmic: ten times as much each.
            (vec![dot(10.0), dot(100.0), dot(1000.0)], vec![], "1───────2───────3"),
            // Of equal ones two are seen, limits nearby too, those far away not.
            (vec![dot(90.0), dot(90.0)], vec![100.0, 1e9, 1.0], "             ●■ ┊"),
            (vec![dot(10.2), dot(10.1), dot(1000.0)], vec![], "21──────────────3"),
            (vec![dot(98.0), dot(99.0), dot(100.0), dot(60.0)], vec![], "          4────23"),
            (vec![Some(Dot { at: 50.0, low: 25.0, high: 75.0 }), dot(100.0)], vec![], "    ━━━━●━━━━───■"),
            (vec![None, dot(50.0), dot(100.0)], vec![], "        2───────3"),
        ] {
            assert_eq!(Dots::new(&values, &limits).unwrap().text(), expected, "{values:?}");
        }
        for missing in [vec![None, dot(1.0)], vec![dot(0.0), dot(1.0)], vec![dot(1.0), dot(f64::INFINITY)]] {
            assert_eq!(Dots::new(&missing, &[]), None);
        }
    }
}
