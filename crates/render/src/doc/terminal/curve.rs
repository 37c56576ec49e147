//! Speed over time as a line of bars.

use cardiograph_core::stats;

/// Bars from zero to the maximum.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const BARS_MAX: usize = 76;
/// With fewer windows a line shows no more than the figures.
const WINDOWS_MIN: usize = 20;

/// Bars from zero to the maximum, each the mean of equally many windows; `None` if there are too few.
pub(super) fn bars(speeds: &[f64], columns: usize) -> Option<String> {
    let windows_per_bar = speeds.len().div_ceil(columns.clamp(1, BARS_MAX));
    if speeds.len() < WINDOWS_MIN {
        return None;
    }
    let bars: Vec<f64> = speeds.chunks(windows_per_bar).map(stats::mean).collect();
    Some(shape(&bars))
}

/// A bar for each value, from zero to the maximum.
pub(crate) fn shape(values: &[f64]) -> String {
    let highest = values.iter().copied().fold(0.0, f64::max);
    let bar = |value: &f64| match value / highest {
        share if share.is_finite() => BARS[((share * BARS.len() as f64) as usize).min(BARS.len() - 1)],
        _ => BARS[0],
    };
    values.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_shows_speed_from_zero_to_the_maximum() {
        let speed = |window: u32| f64::from(if window < 8 { 800 } else { window % 2 * 250 });
        let cliff: Vec<f64> = (0..20).map(speed).collect();
        assert_eq!(bars(&cliff, 80).unwrap(), "████████▁▃▁▃▁▃▁▃▁▃▁▃");
        // Half as many columns: each bar is the mean of two windows, 125 of 800.
        assert_eq!(bars(&cliff, 10).unwrap(), "████▂▂▂▂▂▂");
        assert_eq!(bars(&[0.0; 20], 80).unwrap(), "▁".repeat(20));
        assert_eq!(bars(&cliff[..19], 80), None);
        assert!(bars(&[7.0; 10_000], 120).unwrap().chars().count() <= BARS_MAX);
    }
}
