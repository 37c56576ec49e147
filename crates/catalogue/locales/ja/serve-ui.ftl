### `cardiograph serve` のページでスクリプトが表示する文言。一覧は `crates/serve/ui/words.json`。

ui-live =
    .now = 現在値
    .latency = p99 レイテンシ
    .written = 書き込み量
    .temperature = 温度
    .time = 時間
    .progress = 完了したステップ
    .waiting = 最初のステップの開始待ち
    .cardiogram = カーディオグラム
    .latencies = p99 レイテンシ
    .summary = レートの推移: { $title }, 現在 { $rate }, 停止 { $stalls } 回
    .so-far = これまでの計測値
    .troubles = 問題
    .warnings = 計測上の警告
    .notes = 注記
    .stopping = 停止しています。これまでの計測値は保存されます。
    .not-stopped = 診断を停止できませんでした。もう一度試してください。

ui-of = { $part } / { $whole }

ui-chart =
    .keys = 矢印キーで各点を読み上げます
    .table = 表で見る
    .empty = 描画するデータがまだありません。
    .failed = グラフを読み込めませんでした。
    .none = 未計測
    .withheld = 除外: { $why }
    .interval = { $value } ({ $low }〜{ $high })
ui-again = 再試行
ui-lost = 接続が切れました。再接続しています

ui-filter =
    .found = 該当: { $count } 件

ui-compare =
    .few = 2 件以上選んでください
    .some = 選択中: { $count } 件
    .many = 選択中: { $count } 件。並べられるのは { $most } 件までです。

ui-theme =
    .auto = 配色: 自動
    .light = 配色: ライト
    .dark = 配色: ダーク
