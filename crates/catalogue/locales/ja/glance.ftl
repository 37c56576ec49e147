### 診断結果の要約

glance-place = { $path } ({ $kind })

glance-took = { $time }
    .virtual = 仮想時間で { $time }

glance-at-most = 最大 { $time }
    .virtual = 仮想時間で最大 { $time }

glance-writes = 最大 { $most } を書き込み、後で削除
    .simulated = 模擬: 実ドライブへの書き込みなし
    .nothing = 書き込みなし
    .device = デバイスに最大 { $most } を上書き
    .restored = デバイスに最大 { $most } を上書きし、復元
    .named = 最大 { $most } を書き込み
    .unbounded = 時間の許す限り書き込み

glance-written = { $bytes } 書き込み

glance-change =
    .lower = { $since } 以降、{ $metric }が { $share }低下 (偶然の範囲を超える変化。以前の診断 { $checkups } 回)。
    .higher = { $since } 以降、{ $metric }が { $share }上昇 (偶然の範囲を超える変化。以前の診断 { $checkups } 回)。

glance-more = ほか { $tests } 件のテストは -v で表示

glance-mark = !

glance-fake = 偽物: 公称 { $claimed }、実容量は約 { $real }。それを超えて書いたデータは失われます。

glance-failing = 故障: { $seen }

glance-tail = p99 { $p99 }
    .sync = fsync p99 { $p99 }
    .doubtful = 疑わしい値
    .vague = 変動が大きすぎる

glance-sustained =
    .steady = { $written } にわたり安定
    .varies = { $low }〜{ $high }
    .fell = { $speed } に低下
    .stall = { $time } 停止

grade =
    .good = 最適
    .enough = 十分
    .slow = 速度不足
    .small = 容量不足
    .worn = 寿命不足
    .open = 未判定

answer =
    .all = { $good }に最適。{ $enough }に十分。{ $bad }。
    .good-enough = { $good }に最適。{ $enough }に十分。
    .good-bad = { $good }に最適。{ $bad }。
    .enough-bad = { $enough }に十分。{ $bad }。
    .good = { $good }に最適。
    .enough = { $enough }に十分。
    .bad = { $bad }。
answer-bad =
    .slow = { $purposes }には遅すぎる
    .slow-first = { $purposes }には遅すぎる
    .small = { $purposes }には容量不足
    .small-first = { $purposes }には容量不足
    .worn = { $purposes }には寿命不足
    .worn-first = { $purposes }には寿命不足
answer-why = { $what } ({ $figure })
answer-claims = { $parts }。
    .kept = { $claims }: 公称どおり
    .broken = { $claims }: 公称に反する
    .unknown = { $claims }: 確認できず
    .met = { $claims }: 達成
    .missed = { $claims }: 未達
answer-claim =
    .capacity = 容量 { $capacity }
    .flush = フラッシュによる永続化
    .rpdiags = Raspberry Pi Diagnostics
answer-trap = シーケンシャルの { $speed } に対し、ランダムライトは { $iops } です。カメラには使えますが、ログ記録やデータベースには遅すぎます。
    .marked = { $marks } 表示でシーケンシャルは { $speed } ですが、ランダムライトは { $iops } です。カメラには使えますが、ログ記録やデータベースには遅すぎます。
