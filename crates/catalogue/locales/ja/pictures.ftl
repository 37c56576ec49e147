### 図の題名、軸、凡例、読み上げ用の文。

picture-title = { $picture }: { $of }
picture-over-time = 帯域の推移
picture-percentiles = レイテンシのパーセンタイル
picture-distribution = レイテンシの分布
picture-latency-over-time = レイテンシの推移
picture-dots = テストごとの結果
picture-sweep = スイープ
picture-course = 持続ライト

## 線と棒の名前。

picture-name-with-id = { $name } ({ $id })
picture-line = { $name }、{ $direction }
picture-of = { $name }: { $said }
picture-fsync = fsync
picture-phrase-spoken = { $phrase }。

## 軸。

picture-axis = { $what } ({ $unit })
picture-axis-time = 経過時間
picture-axis-latency = レイテンシ
picture-latency =
    .heat = レイテンシ (濃いほど I/O が多い)
    .points = レイテンシ (線は区間の平均、点は区間で最も遅い I/O)
picture-axis-written = 書き込み量
picture-axis-share = I/O の割合 (%)
picture-axis-faster = これより速い I/O の割合 (%)

## 凡例と注記。

picture-speed-windows = { $window } ごとの帯域
picture-speed-windows-differ = { $shortest }〜{ $longest } ごとの帯域
picture-speed-spread = { $line }: 平均 { $mean }、最小 { $low }、最大 { $high }。
picture-latency-spread = { $line }: I/O { $ios } 回、最小 { $low }、最大 { $high }、平均 { $mean }。
picture-latency-range = { $line }: レイテンシは { $low }〜{ $high }。
picture-percentile = p{ $percent } { $latency }
picture-percentiles-spoken = { $line }: { $percentiles }。
picture-too-few = { $line }: I/O が { $ios } 回と少ないため、曲線はありません。
picture-own-scales = 目盛はドライブごとに異なります。
picture-fall-off = { $written } の書き込み後に低下 ({ $before } → { $after })
picture-stalls = { $least } 以上の停止 { $count } 回 (I/O の完了なし、最長 { $longest })
picture-pauses = プログラムの停止 { $count } 回 (合計 { $total })
picture-measure =
    .higher = 高いほど良い
    .lower = 低いほど良い
    .log = 対数目盛
picture-better = 高いほど良い値です (レイテンシは低いほど良い)。
picture-interval = 点を通る線は 95 % 信頼区間です (求められたもののみ)。
picture-limits = ≥ と ≤ は用途ごとの基準値です。
picture-withheld = 除外
picture-lacking = 該当する値がないもの: { $names }。

## スイープ。

picture-sweep-cell = { $column } { $value }
picture-sweep-row = { $row }: { $cells } ({ $unit })。

## 図を描けない理由。

plot-error =
    .no-step = 計測したステップに '{ $id }' はありません。{ $hint }
    .no-sweep = 描けるものがありません。スイープの表が含まれていません (cardiograph check --suite sweep で計測できます)
    .no-series = 描けるものがありません。計測したステップに時系列がありません
    .no-percentiles = 描けるものがありません。{ $ios } 回を超える I/O のレイテンシを持つ計測ステップがありません
    .no-latencies = 描けるものがありません。計測したステップにレイテンシがありません
    .no-figures = 描けるものがありません。ステップに計測値がありません
    .too-many-reports = 診断結果 { $found } 件は 1 つの図には多すぎます。{ $most } 件までにしてください
    .too-low = 図は { $width }x{ $height } に収まりません。この幅では高さ { $needed } ピクセルです。高さを省くか { $needed } にするか、--step で 1 つ選んでください
    .too-many-steps = { $found } ステップは 1 つの図には多すぎます ({ $most } まで)。--step で 1 つ選んでください: { $steps }
    .sweep-is-whole = スイープは全体を 1 つの図にします。--step を外すか、別の --kind を選んでください
picture-uncertain = 点線: これより遅い I/O が { $samples } 個未満で、次の計測では変わる可能性があります。
