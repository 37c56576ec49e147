//! Tests of draws against their distributions.

use super::*;

const DRAWS: usize = 100_000;
/// The 0.1 % point of the standard normal distribution. Fixed seeds exclude random failures.
const NORMAL_POINT: f64 = 3.09;
/// The 0.1 % point of the Kolmogorov–Smirnov distance, scaled by the root of the number of draws.
const KS_POINT: f64 = 1.95;

fn zipf(theta: f64) -> Distribution {
    Distribution::Zipf { theta, center: Some(0.0) }
}

fn pareto(hot: f64) -> Distribution {
    Distribution::Pareto { hot, center: Some(0.0) }
}

fn normal(deviation_percent: f64, center: Option<f64>) -> Distribution {
    Distribution::Normal { deviation_percent, center }
}

/// Drawn ranks, 0 the most popular.
fn ranks(distribution: Distribution, places: u64) -> Vec<u64> {
    let mut popular = Popular::adjacent(distribution, places, 17);
    (0..DRAWS).map(|_| popular.next_index()).collect()
}

/// Shares of the ranks by definition.
fn zipf_shares(theta: f64, places: u64) -> Vec<f64> {
    let weights: Vec<f64> = (1..=places).map(|rank| (rank as f64).powf(-theta)).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

fn pareto_shares(hot: f64, places: u64) -> Vec<f64> {
    let below = |rank: u64| (rank as f64 / places as f64).powf((1.0 - hot).ln() / hot.ln());
    (0..places).map(|rank| below(rank + 1) - below(rank)).collect()
}

/// Distance of draws from shares: chi-squared, as a multiple of its 0.1 % point (by Wilson and Hilferty, 1931). Rare
/// ranks are combined.
fn distance(drawn: &[u64], shares: &[f64]) -> f64 {
    let mut counts = vec![0.0; shares.len()];
    drawn.iter().for_each(|&rank| counts[rank as usize] += 1.0);
    let (mut chi_squared, mut cells) = (0.0, 0);
    let (mut expected, mut counted) = (0.0, 0.0);
    for (rank, share) in shares.iter().enumerate() {
        expected += share * drawn.len() as f64;
        counted += counts[rank];
        if expected >= 20.0 || rank + 1 == shares.len() {
            chi_squared += (counted - expected) * (counted - expected) / expected;
            cells += 1;
            (expected, counted) = (0.0, 0.0);
        }
    }
    let freedom = f64::from((cells - 1).max(1));
    let spread = 2.0 / (9.0 * freedom);
    chi_squared / (freedom * (1.0 - spread + NORMAL_POINT * spread.sqrt()).powi(3))
}

#[test]
fn zipf_follows_its_distribution() {
    for theta in [0.0, 0.3, 0.8, 0.99, 1.0, 1.1, 1.2, 2.5] {
        for places in [2, 10, 1_000, 50_000] {
            let drawn = ranks(zipf(theta), places);
            let found = distance(&drawn, &zipf_shares(theta, places));
            assert!(found < 1.0, "{theta}, {places} places: {found:.2}");
            // Small errors are detected.
            let found = distance(&drawn, &zipf_shares(theta + 0.1, places));
            assert!(found > 1.0, "{theta} taken for {}, {places} places: {found:.2}", theta + 0.1);
        }
    }
    assert!(ranks(zipf(1.1), 1).iter().all(|&rank| rank == 0));
}

#[test]
fn zipf_works_for_regions_of_any_length() {
    // By the integral: the sum of k^-1.2 from 1 is zeta(1.2) = 5.5916 minus the remainder.
    let places = 1u64 << 40;
    let sum = 5.5916 - (places as f64).powf(-0.2) / 0.2;
    let first = ranks(zipf(1.2), places).iter().filter(|&&rank| rank == 0).count() as f64 / DRAWS as f64;
    // Three and a half standard errors.
    assert!((first - 1.0 / sum).abs() < 0.005, "{first} of the draws, {} expected", 1.0 / sum);
}

#[test]
fn pareto_follows_its_distribution() {
    for hot in [0.1, 0.2, 0.4, 0.7, 0.9] {
        for places in [2, 10, 1_000, 50_000] {
            let drawn = ranks(pareto(hot), places);
            let found = distance(&drawn, &pareto_shares(hot, places));
            assert!(found < 1.0, "{hot}, {places} places: {found:.2}");
            // One of two places has nearly all draws, whatever the share.
            let found = distance(&drawn, &pareto_shares(hot + 0.04, places));
            assert!(
                found > 1.0 || places == 2,
                "{hot} taken for {}, {places} places: {found:.2}",
                hot + 0.04
            );
        }
    }
    // The 80/20 rule: a fifth of the places gets four fifths of the draws.
    let drawn = ranks(pareto(0.2), 1_000);
    let hot = drawn.iter().filter(|&&rank| rank < 200).count() as f64 / DRAWS as f64;
    assert!((hot - 0.8).abs() < 0.005, "{hot}");
}

/// Kolmogorov–Smirnov distance of draws from a normal distribution truncated at both ends, as a multiple of its 0.1 %
/// point.
fn distance_from_normal(drawn: &[u64], places: u64, mean: f64, deviation: f64) -> f64 {
    let below = |place: f64| 0.5 * libm::erfc((mean - place) / deviation / std::f64::consts::SQRT_2);
    let (begin, end) = (below(0.0), below(places as f64));
    let mut sorted = drawn.to_vec();
    sorted.sort_unstable();
    let mut widest = 0.0f64;
    for (index, &place) in sorted.iter().enumerate() {
        // Use the last of equal draws.
        if sorted.get(index + 1) != Some(&place) {
            let expected = (below((place + 1) as f64) - begin) / (end - begin);
            widest = widest.max(((index + 1) as f64 / drawn.len() as f64 - expected).abs());
        }
    }
    widest * (drawn.len() as f64).sqrt() / KS_POINT
}

#[test]
fn normal_follows_its_distribution() {
    let places = 100_000;
    for (percent, center, mean) in [
        (1.0, None, 0.5),
        (10.0, None, 0.5),
        (40.0, None, 0.5),
        (10.0, Some(0.0), 0.0),
        (99.0, Some(0.9), 0.9),
    ] {
        let drawn = ranks(normal(percent, center), places);
        let (mean, deviation) = (mean * places as f64, percent / 100.0 * places as f64);
        let found = distance_from_normal(&drawn, places, mean, deviation);
        assert!(found < 1.0, "{percent} around {center:?}: {found:.2}");
        let found = distance_from_normal(&drawn, places, mean, deviation * 1.1);
        assert!(found > 1.0, "{percent} around {center:?}, taken for a tenth more: {found:.2}");
        let found = distance_from_normal(&drawn, places, mean + deviation / 10.0, deviation);
        assert!(found > 1.0, "{percent} around {center:?}, moved by a tenth: {found:.2}");
    }
}

#[test]
fn popular_blocks_are_scattered_and_popular_files_adjacent() {
    for distribution in [zipf(1.2), pareto(0.2)] {
        let center = |center| match distribution {
            Distribution::Zipf { theta, .. } => Distribution::Zipf { theta, center },
            Distribution::Pareto { hot, .. } => Distribution::Pareto { hot, center },
            other => other,
        };
        let places = 1_000;
        let by_count = |mut popular: Popular| {
            let mut counts = vec![(0, 0); places as usize];
            (0..DRAWS).for_each(|_| counts[popular.next_index() as usize].0 += 1);
            counts.iter_mut().enumerate().for_each(|(place, count)| count.1 = place);
            counts.sort_unstable_by(|a, b| b.cmp(a));
            counts.into_iter().map(|(_, place)| place).take(5).collect::<Vec<_>>()
        };
        let blocks =
            |at, places_seed, seed| by_count(Popular::scattered(center(at), places, places_seed, seed));
        let files = |at, seed| by_count(Popular::adjacent(center(at), places, seed));
        assert_eq!(files(Some(0.0), 1)[..2], [0, 1]);
        assert_eq!(files(Some(1.0), 1)[..2], [999, 0]);
        assert_ne!(files(None, 1)[0], files(None, 2)[0]);
        // The most popular is at the center; all positions depend on the center only.
        assert_eq!(blocks(Some(0.25), 1, 1)[0], 250);
        assert_eq!(blocks(Some(1.0), 1, 1)[0], 999);
        assert_eq!(blocks(Some(0.25), 1, 1)[..3], blocks(Some(0.25), 2, 2)[..3]);
        // Without a center they depend on the seed, with the same positions for reads and writes.
        assert_eq!(blocks(None, 1, 1)[..3], blocks(None, 1, 2)[..3]);
        assert_ne!(blocks(None, 1, 1)[0], blocks(None, 2, 1)[0]);
        assert!(blocks(None, 1, 1).windows(2).all(|pair| pair[0].abs_diff(pair[1]) > 1));
    }
}

#[test]
fn blocks_have_the_shares_of_their_ranks() {
    // Scattering is a bijection: the shares remain those of the distribution.
    let places = 1_000;
    let mut popular = Popular::scattered(zipf(0.8), places, 3, 4);
    let mut place_of_rank = Popular::scattered(zipf(0.8), places, 3, 4);
    let Spread::Scattered { order, shift } = &mut place_of_rank.spread else { panic!("not scattered") };
    let mut rank_of = vec![u64::MAX; places as usize];
    (0..places).for_each(|rank| rank_of[wrap(order.get(rank) + *shift, places) as usize] = rank);
    let drawn: Vec<u64> = (0..DRAWS).map(|_| rank_of[popular.next_index() as usize]).collect();
    assert!(rank_of.iter().all(|&rank| rank < places));
    assert!(distance(&drawn, &zipf_shares(0.8, places)) < 1.0);
}

#[test]
fn a_seed_is_a_sequence() {
    for distribution in [Distribution::Uniform, zipf(0.9), pareto(0.3), normal(20.0, None)] {
        let draw = |seed| {
            let mut popular = Popular::scattered(distribution, 500, 1, seed);
            (0..100).map(|_| popular.next_index()).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(draw(1).iter().all(|&index| index < 500));
    }
}
