### 公開された計測結果。

shelf-sources = 出典ごとのすべての値は cardiograph shelf SOURCE で表示します。
shelf-nothing-similar = 同じ方法、または近い方法で計測した公開結果はありません。公開結果の計測方法は cardiograph shelf SOURCE で表示します。
