//! Choices with exact shares.

use cardiograph_core::rng::Rng;

/// Choices drawn like cards without replacement: each full deck has exactly the given shares.
#[derive(Debug, Clone)]
pub(super) struct Deck {
    shares: Box<[u32]>,
    left: Box<[u32]>,
    cards_left: u32,
    rng: Rng,
}

impl Deck {
    /// A deck with this number of cards per choice. The same seed gives the same order.
    pub fn new(shares: impl IntoIterator<Item = u32>, seed: u64) -> Self {
        let shares: Box<[u32]> = shares.into_iter().collect();
        Self { left: vec![0; shares.len()].into(), shares, cards_left: 0, rng: Rng::new(seed) }
    }

    /// The index of the next choice; 0 from an empty deck.
    pub fn draw(&mut self) -> usize {
        if self.cards_left == 0 {
            self.left.copy_from_slice(&self.shares);
            self.cards_left = self.shares.iter().sum();
        }
        let mut card = self.rng.below(u64::from(self.cards_left)) as u32;
        for (index, left) in self.left.iter_mut().enumerate() {
            if card < *left {
                *left -= 1;
                self.cards_left -= 1;
                return index;
            }
            card -= *left;
        }
        0
    }
}
