### Lists in sentences.

list-more = { $head }、{ $tail }
list-last = { $head }、{ $tail }
