### Lists in sentences.

# $head: what stands before, $tail: one more of at least three.
list-more = { $head }, { $tail }

# $head: what stands before, $tail: the last.
list-last = { $head } and { $tail }

list-sentences = { $head } { $tail }

# $factor: with the digits that people say.
times = { $factor }x
