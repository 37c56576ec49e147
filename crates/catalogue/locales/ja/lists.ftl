### 文の中の並び。

list-more = { $head }、{ $tail }
    .with-commas = { $head }; { $tail }
list-last = { $head }、{ $tail }
    .with-commas = { $head }; { $tail }

list-sentences = { $head }{ $tail }

times = { $factor }倍

list-dot = { $head } · { $tail }
