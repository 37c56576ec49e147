### 文の中の並び。

list-more = { $head }、{ $tail }
list-last = { $head }、{ $tail }

list-sentences = { $head }{ $tail }

times = { $factor }倍
