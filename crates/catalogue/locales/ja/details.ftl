### 各ステップのすべての値と、実行前の概要。

details-heading = ステップ
details-step = { $title } [{ $id }]
details-prepares = 準備 (計測なし)
details-figures = すべての値
details-commands = 同じことをする fio のコマンド:
details-pictures = ステップごとの図: cardiograph plot --kind over-time --step ID。
details-label =
    .reads = リード
    .writes = ライト
    .trims = TRIM
    .syncs = 同期
    .withheld = 除外
    .doubtful = 疑わしい値
    .known = 確認事項
    .short = 短い I/O
    .bandwidth = 帯域
    .rate = レート
    .windows = 区間
    .predictability = 予測しやすさ
    .cpu = I/O あたりの CPU
    .stall = 最長の停止
    .fall-off = 速度の低下
    .method = 計測方法
    .bounds = 終了条件
    .sized = 規模
    .paused = 一時停止
    .counted = カーネルの集計
    .engine = エンジン
    .clock = クロック
    .precision = 精度
    .note = 注記
    .pause = 最長の停止
    .late = 遅れ
    .library = ライブラリ
details-moved = { $time } で I/O { $ios } 回、{ $bytes }
details-windows = { $window } ごとに { $windows } 区間: { $low }〜{ $high }、平均 { $mean }、標準偏差 { $deviation }
details-predictability = p99.99 は p50 の { $times }
details-cpu = プログラム { $user }、カーネル { $system }
details-fall-off = { $written } の後、{ $before } から { $after } へ、p ≤ { $p }
details-bounds = { $time } または { $written } の書き込み
    .written = { $written } の書き込み
details-latency = レイテンシ
details-samples = サンプル数
latency-kind =
    .submission = 発行
    .completion = 完了
    .total = 合計

known-reached = ドライブに到達
    .not = ドライブに未到達
known-durable = 永続化済み
    .not = 永続化なし
known-steady = 安定
    .not = 不安定
known-throttled = 速度制限あり
    .not = 速度制限なし
known-link = 接続の速度が上限
    .not = 接続に余裕あり
known-processors = このマシンの CPU が上限
    .not = このマシンの CPU に余裕あり
known-nothing = なし

kernel-reads = リード { $ios } 回 ({ $bytes })
kernel-writes = ライト { $ios } 回 ({ $bytes })
kernel-flushes = フラッシュ命令 { $flushes } 回


clock =
    .tsc = タイムスタンプカウンター
    .cntvct = 汎用タイマー
    .virtual = 仮想時間
    .resolution = 分解能 { $time }
    .cost = 読み取り 1 回 { $time }
    .drift = ずれ { $ppm } ppm

imported-column =
    .figure = 項目
    .value = 値
    .interval = 95 % 信頼区間
    .count = サンプル数

health-change-heading = 計測中にドライブが記録した値
health-change =
    .temperature = { $before } °C から { $after } °C
    .hot = 上限超過 { $minutes } 分
    .throttled = { $times ->
       *[other] 速度制限 { $times } 回
    }
    .written = 書き込み { $bytes }
    .unreadable = { $count ->
       *[other] 読み出せないセクター { $count } 個
    }
    .replaced = { $count ->
       *[other] 代替セクター { $count } 個
    }
    .pending = { $count ->
       *[other] 代替待ちセクター { $count } 個
    }
    .link = { $count ->
       *[other] 接続による転送の破損 { $count } 回
    }
    .cuts = { $count ->
       *[other] 電源断 { $count } 回
    }
    .none = 新しいエラーなし

operation =
    .commit = コミット
    .file = ファイル
    .line = 行
    .photo = 写真
    .second = 映像の 1 秒
operations =
    .commits = コミット { $count } 回
    .files = ファイル { $count } 個
    .lines = { $count } 行
    .photos = 写真 { $count } 枚
    .seconds = { $count } 秒分
operation-rate =
    .commits = { $rate } コミット/s
    .files = { $rate } ファイル/s
    .lines = { $rate } 行/s
    .photos = { $rate } 枚/s
operation-moved = { $time } でユーザーデータ { $bytes }

step-line =
    .prepared = { $time }
    .done = 完了
    .interrupted = 中断
    .failed = 失敗
    .hung = ドライブの応答停止
    .no-io = 完了した I/O なし
    .no-rate = 速度の値なし
    .nothing = 実行なし
    .withheld = 除外: { $why }
    .latest = 最大の遅れ { $time }
    .late = 遅れあり
    .behind = 必要量の { $share }
    .pause = 停止 { $time }
step-line-why =
    .contradicted = ドライブに届いたのは { $share } のみ
    .paused = プログラムが { $time } 停止
    .above-link = ドライブの接続より高速

header-label =
    .label = ラベル
    .tags = タグ
    .drive = ドライブ
    .card = カード
    .layers = 経由
    .file-system = ファイルシステム
    .machine = マシン
    .engines = エンジン
    .clock = クロック
    .suite = スイート
    .time = 所要時間
    .writes = 書き込み
header-layer = { $kind } { $name }
header-engine = { $wanted } の代わりに { $engine } ({ $why })
header-mount =
    .at = { $place } の { $kind }
    .free = 空き { $free } / { $size }
header-card =
    .marks = マーク { $marks }
    .maker-id = メーカー ID { $id }
    .made = { $month } 製造
    .used = 定格寿命の { $low }〜{ $high } を使用
    .worn-out = 定格寿命を超過
header-time =
    .at-most = 最大 { $time } (ドライブが応答する場合)
    .virtual = 仮想時間で最大 { $time }
    .unbounded = 制限なし (ドライブによる)
header-writes =
    .nothing = なし
    .simulated = なし (模擬ドライブ)
    .test-files = 最大 { $most } (ファイルは終了後に削除)
    .device = 最大 { $most } (デバイスの内容に上書き)
    .restored = 最大 { $most } (デバイスの内容に上書きし、元に戻す)
    .named = 最大 { $most } (ファイルは残る)
    .unbounded = 時間内に書き込めるだけ (ファイルは残る)
