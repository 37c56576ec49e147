//! Grouping by key, in order.

/// Values grouped by key, in the order of first appearance.
pub(crate) fn gathered<K: PartialEq, V>(all: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut gathered: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in all {
        match gathered.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => gathered.push((key, vec![value])),
        }
    }
    gathered
}
