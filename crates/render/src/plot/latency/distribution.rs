//! Distribution of latencies: shares of I/Os in bins of equal factors.

use cardiograph_core::histogram::bucket_middle_ns;
use cardiograph_core::{Doubt, Latency, Message, Parameter, message};

use super::super::scale::{latency_axis, linear_axis};
use super::super::sheet::Sheet;
use super::super::subject::{Line, Panel, latencies};
use crate::lang::Lang;

const HEIGHT: f64 = 150.0;
const HEIGHT_OF_SEVERAL: f64 = 60.0;
/// Bars for each power of ten, and if latencies lie within [`NARROW_DECADES`].
const BINS_PER_DECADE: f64 = 10.0;
const NARROW_BINS_PER_DECADE: f64 = 50.0;
const NARROW_DECADES: f64 = 0.6;

pub(in super::super) fn can_draw(panel: &Panel<'_>) -> bool {
    !lines(panel, Lang::EN).is_empty()
}

fn lines<'r>(panel: &Panel<'r>, lang: Lang) -> Vec<(Line<'r>, Latency)> {
    panel.lines(Doubt::withholds, lang, latencies, |all, direction| all[direction].clone())
}

pub(in super::super) fn draw(sheet: &mut Sheet, panel: &Panel<'_>) {
    let lang = sheet.view.lang;
    let all = lines(panel, lang);
    let least = all.iter().map(|(_, latency)| latency.min_ns().max(1)).min().unwrap_or(1);
    let most = all.iter().map(|(_, latency)| latency.max_ns().max(1)).max().unwrap_or(1);
    let is_narrow = (most as f64 / least as f64).log10() < NARROW_DECADES;
    let per_decade = if is_narrow { NARROW_BINS_PER_DECADE } else { BINS_PER_DECADE };
    let edge_ns = |number: i32| edge_ns(number, per_decade);
    let shapes: Vec<Vec<(i32, f64)>> = all.iter().map(|(_, latency)| bins(latency, per_decade)).collect();
    let highest = shapes.iter().flatten().map(|bin| bin.1).fold(0.0, f64::max);
    let numbers = || shapes.iter().flatten().map(|bin| bin.0);
    let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
    let height = if all.len() > 1 { HEIGHT_OF_SEVERAL } else { HEIGHT };
    for (at, ((line, latency), shape)) in all.iter().zip(&shapes).enumerate() {
        let name =
            if at + 1 == all.len() { lang.text(&message!("picture-axis-latency")) } else { String::new() };
        let x = latency_axis(edge_ns(first), edge_ns(last + 1), &name);
        let y = linear_axis(highest, 0.01, 4, line.said(all.len() > 1, message!("picture-axis-share"), lang));
        let frame = sheet.frame(height, x, y);
        let mut outline = Vec::new();
        for number in first..=last {
            let share = shape.iter().find(|bin| bin.0 == number).map_or(0.0, |bin| bin.1);
            let (from, to) = (frame.x(edge_ns(number)), frame.x(edge_ns(number + 1)));
            outline.extend([(from, frame.y(share)), (to, frame.y(share))]);
        }
        let ends = [(frame.x(edge_ns(last + 1)), frame.bottom), (frame.x(edge_ns(first)), frame.bottom)];
        let filled: Vec<(f64, f64)> = outline.iter().copied().chain(ends).collect();
        sheet.canvas.polygon(&line.fill("band"), &filled);
        sheet.canvas.polyline(&line.class(), &outline);
        sheet.describe(spoken(line, latency));
    }
}

fn spoken(line: &Line<'_>, latency: &Latency) -> Message {
    let [low, high] = [latency.min_ns(), latency.max_ns()].map(|ns| Parameter::latency_ns(ns as f64));
    let (ios, mean) = (latency.n(), Parameter::latency_ns(latency.mean_ns()));
    message!("picture-latency-spread", line = &line.name, ios, low, mean, high)
}

/// Shares by number of the bin, in rising order.
fn bins(latency: &Latency, per_decade: f64) -> Vec<(i32, f64)> {
    let mut bins: Vec<(i32, f64)> = Vec::new();
    for (bucket, count) in latency.histogram().buckets() {
        let number = ((bucket_middle_ns(bucket).max(1) as f64).log10() * per_decade).floor() as i32;
        let share = count as f64 / latency.n() as f64;
        match bins.last_mut() {
            Some(last) if last.0 == number => last.1 += share,
            _ => bins.push((number, share)),
        }
    }
    bins
}

/// Start of a bin, in nanoseconds.
fn edge_ns(number: i32, per_decade: f64) -> f64 {
    10f64.powf(f64::from(number) / per_decade)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one() {
        let mut latency = Latency::default();
        for ns in [0, 900, 1_100, 1_150, 4_500_000] {
            latency.record(ns);
        }
        let bins = bins(&latency, 10.0);
        assert!((bins.iter().map(|bin| bin.1).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(bins.iter().map(|bin| bin.0).collect::<Vec<_>>(), [0, 29, 30, 66]);
        assert!(edge_ns(30, 10.0) <= 1_100.0 && 1_100.0 < edge_ns(31, 10.0));
    }
}
