//! Of the first half.
