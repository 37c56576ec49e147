### 図の題名、軸、凡例、読み上げ用の文。

picture-over-time = 速度の推移
picture-percentiles = レイテンシのパーセンタイル
picture-distribution = レイテンシの分布
picture-latency-over-time = レイテンシの推移
picture-bars = テストごとの結果
    .bandwidth = 帯域（長いほど良い）
    .iops = IOPS（長いほど良い）
    .sync = fsync のレイテンシ p99（短いほど良い）
picture-sweep = スイープ
picture-course = 連続書き込み

picture-axis-time = 時間
picture-axis-latency = レイテンシ
picture-axis-latency-of = { $line }: レイテンシ
picture-axis-share = I/O の割合 (%)
picture-axis-faster = これより速い I/O の割合

picture-speed-windows = { $window } ごとの速度
picture-speed-windows-differ = { $shortest }～{ $longest } ごとの速度
picture-speed-spread = { $line }: 平均 { $mean }、最小 { $low }、最大 { $high }。
picture-latency-spread = { $line }: I/O { $ios } 回、最小 { $low }、最大 { $high }、平均 { $mean }。
picture-window-mean = { $line }: 区間の平均
picture-window-slowest = { $line }: 区間で最も遅い I/O
picture-slowest = { $line }: 最も遅い I/O は { $latency }。
picture-heat = 濃いほど I/O が多い
picture-too-few = 図なし: { $line }（I/O { $ios } 回では少なすぎる）。
picture-fall-off = { $written } を書いた後に低下（{ $before } から { $after }）
picture-stalls = 停止 { $count } 回（最長 { $longest }、完了した I/O なし）
picture-pauses = プログラムの停止 { $count } 回（合計 { $total }）
picture-heading-spoken = { $heading }。
picture-interval = 細い線は 95 % 信頼区間（分かる場合）。
picture-withheld = 除外（ドライブの値ではない）

# Why there is no picture.

plot-no-step = 計測したステップに ID '{ $id }' はありません。次のどれかを使ってください: { $known }

plot-nothing =
    .sweep = スイープの表がありません。cardiograph check --suite sweep で作成できます
    .series = { $kind } として描けるものがありません。計測したステップに時系列がありません
    .percentiles = { $kind } として描けるものがありません。{ $least } を超える I/O のレイテンシを持つステップがありません
    .latencies = { $kind } として描けるものがありません。計測したステップにレイテンシがありません
    .figures = { $kind } として描けるものがありません。計測したステップに数値がありません

plot-too-many-checkups = { $found } 件は 1 つの図で見分けるには多すぎます。{ $most } 件以内を指定してください

plot-too-many-steps = { $steps } 個のステップは 1 つの図には多すぎます。--step で 1 つ指定してください: { $ids }
