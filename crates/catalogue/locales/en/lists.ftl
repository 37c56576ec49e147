### Lists in sentences. `.with-commas` joins three or more items of which some contain commas.

# $head: what stands before, $tail: one more of at least three.
list-more = { $head }, { $tail }
    .with-commas = { $head }; { $tail }

# $head: what stands before, $tail: the last.
list-last = { $head } and { $tail }
    .with-commas = { $head }; and { $tail }

list-sentences = { $head } { $tail }

# $factor: with the digits that people say.
times = { $factor }x

# As list-more, for parts of a line.
list-dot = { $head } · { $tail }
