### The tables of suites.

## Words of several tables.

table-absent =
    .not-run = 未実行
    .not-measured = 未計測
    .not-all-run = 一部が未実行
    .not-tried = 未試行
    .nothing-completed = 完了した I/O なし
    .nothing-done = 処理なし
    .nothing-recorded = 録画なし
    .too-few-samples = サンプル不足
table-figure =
    .iops = IOPS
    .bandwidth = 帯域
    .mean-latency = 平均レイテンシ
    .percentile = レイテンシ p{ $percentile }
table-heading =
    .place = 位置
    .block = ブロック
    .round = ラウンド
    .written = 書き込み
    .mean = 平均
    .median = 中央値
    .p99 = p99
    .least = 最小
    .most = 最大
    .longest = 最長
    .slowest = 最も遅い { $window }
table-count = { $count }
table-block = { $block }

## Published test sets: names of rows and columns are the original's own and stay as they are.

table-published =
    .collection = 元の集計サイトの形式
    .comparison = 元の比較記事の形式
    .comparison-bandwidth = 帯域、元の比較記事の形式
    .comparison-iops = IOPS、元の比較記事の形式
    .crystaldiskmark = CrystalDiskMark の形式 (5 回の最良値)
    .kdiskmark = KDiskMark の形式 (5 回の平均)
    .iozone = iozone の形式
    .reviews = 元のレビューの形式
    .script = 元のスクリプトの形式
    .wiki = 元の wiki の形式
    .disks = GNOME の「ディスク」の形式
    .diagnostics = 本家の診断の形式
table-dramble =
    .card = { $name } { $size }
    .size = { $size }
table-pibench =
    .score = スコア
table-rpdiags =
    .run = 試行 { $nth }
    .wanted = 本家のしきい値: seq-write 10,000 KiB/s、rand-4k-write 500/s、rand-4k-read 1,500/s。

## The suite gnome-disks.

table-gnome-disks =
    .along = ドライブ上の位置ごとのリード速度
    .place = { $from }〜{ $to }
    .counts = { $samples } サンプル、{ $accesses } アクセス

## The suite apps.

table-apps =
    .title = アプリケーションの性能
    .commits-wal = SQLite コミット、WAL
    .commits-rollback = SQLite コミット、ロールバック
    .lines = ログの行、永続化あり
    .unpacked = ファイルの展開
    .read = ファイルの読み出し
    .imported = 写真の取り込み
    .viewed = 写真の表示
    .pause = 停止
    .library = 組み込みのライブラリ: { $library }。
    .units = 「停止」は何も処理が進まなかった最長の時間です。MB/s は利用者のデータだけの値です。
table-cameras =
    .title = { $mbit } Mbit/s のカメラの同時録画
    .heading = カメラ
    .in-time = 遅れなし
    .latest = 最大の遅れ
    .all = すべて
    .too-few = 不足
    .not-all = 一部のみ
    .not-tried = 途中で終了
    .behind = { $cameras } 台では遅れはまだ出ていませんが、終了時に記録できていたのは予定の { $share } だけでした ({ $least } が必要です)。
    .late = { $cameras } 台では、1 秒分の映像の永続化に { $limit } より長くかかりました。
    .nothing = { $cameras } 台では、何も記録できませんでした。
    .kept = { $mbit } Mbit/s のカメラ { $cameras } 台を遅れなく録画できます ({ $trial } の間、1 秒ごとの映像を { $limit } 以内に永続化)。{ $missed } 台では間に合いません。
    .kept-at-least = { $mbit } Mbit/s のカメラを少なくとも { $cameras } 台、遅れなく録画できます ({ $trial } の間、1 秒ごとの映像を { $limit } 以内に永続化)。それより多い台数は試していません。
    .missed = { $mbit } Mbit/s のカメラ { $cameras } 台でも録画が間に合いません ({ $trial } の間、1 秒ごとの映像を { $limit } 以内に永続化)。
    .unknown = 最後まで試せた台数はありません。

## The suite capacity.

table-capacity =
    .title = 容量全体の速度
    .place = { $from }〜{ $to }
    .read-back = 読み戻し
    .wrong-blocks = 不一致ブロック
    .not-written = 未書き込み
    .written-before = 以前の診断で書き込み済み
    .not-read-back = 読み戻しなし
    .no-second = 1 秒未満、数時間以上、または今回は書き込みなし
    .order = 位置は書き込んだ順です。実際の配置はファイルシステムが決めます。

## The suite cliff.

table-cliff =
    .title = ドライブの高速領域
    .row = シーケンシャルライト
    .fast-part = 高速領域
    .fast = 高速時
    .behind = 使い切った後
    .back = { $idle } での回復
    .uncertain = 速度の低下後すぐに書き込みが終わったため、低下後の速度は不確かです。
    .all-back = 高速領域と同じ量を書き込んでも、まだ高速でした。
    .too-little = 書き込み量の不足 (--set max=サイズ で増加可)
    .no-fall = 最初の { $bytes } では低下なし
    .stopped = 途中で終了しました。この先で速度が低下する可能性があります。
    .speeds = 書き込み済みの量ごとの速度
    .from = { $bytes } から

## The suite durability.

table-durability =
    .rate = 1 秒あたりの書き込み回数
    .mean = 書き込みが永続化されるまでの平均時間
    .tail = 完了を待つ呼び出しの p99
    .none = なし
    .write = { $option } ライト
    .calls = fdatasync と fsync は直前の書き込みを含まない呼び出しだけの時間、O_DSYNC と O_SYNC は書き込み全体の時間です。
    .no-tail = p99 は、同じ種類の書き込みが 1,000 回以上必要なため示していません。

## The suite open-units.

table-open-units =
    .title = 交互に書き込めるユニット
    .units = 開いておけるユニット
    .unit = アロケーションユニット
    .unit-asked = { $unit } (指定どおり)
    .unit-of-card = { $unit } (カードの SD ステータスによる)
    .unit-of-kernel = { $unit } (カーネルが推奨する消去サイズ)
    .unit-assumed = { $unit } (仮定: ドライブからの報告なし、--set unit=サイズ で変更可)
    .unclear = 不明: { $reason }
    .limit = { $fast } までは高速、{ $more } では 1 つのときの { $share }
    .limit-far = { $fast } までは高速、{ $more } では 1 つのときの 1 % 未満
    .no-limit = { $tried } まで限界なし (それ以上は未試行)
    .at-least = 少なくとも { $fast } までは高速 (探索は未完了)
    .open = 未確定 (探索は未完了)
    .advice =
        { $fast ->
           [1] 一度に 1 つのファイルの書き込みには向きますが、2 つ同時の書き込みは苦手です。1 本の録画だけに使い、ログの併用や OS の起動には使わないでください。
          *[other] 録画、ログ、ダウンロードなど { $fast } ファイルの同時書き込みに対応できます。1 つ増えると小さな書き込みのたびにユニット全体をコピーするため、遅くなり、フラッシュメモリの寿命も縮みます。
        }
    .no-cost = { $tried } ファイルを同時に書き込んでも速度は落ちません。
    .no-cost-slowed = { $tried } 個のファイルを同時に書いても速度は落ちません。途中から遅くなりましたが、1 個でも同じです。
    .again = { $row }、再計測
    .no-single = 1 ユニットの書き込みが未実行
    .row = { $units } ユニット
    .speeds = 交互に書き込むユニット数ごとの速度
    .in-turn = ユニット数
    .writes = { $block } ライト
    .of-one = 1 ユニット比
    .rule = それぞれ最初の 1 巡は除いています。速度が 2 回とも 1 ユニットのときの { $share } 未満だった数を多すぎると判定します。

## The suite sd-class.

table-sd-class =
    .title = 試行の平均
    .sequential-write = シーケンシャルライト
    .random-read = ランダムリード
    .random-write = ランダムライト

## The suite steady.

table-steady =
    .conditions = 試験条件
    .unknown = 不明
    .of-drives = { $values }
    .drive = ドライブ
    .firmware = ファームウェア
    .capacity = 容量
    .capacity-value = { $bytes }
    .write-cache = ライトキャッシュ
    .purge = パージ
    .purge-simulated = 新しい模擬ドライブ
    .purge-trim = 全範囲の TRIM
    .purge-none = なし
    .wipc = WIPC
    .wipc-value = 全範囲へシーケンシャル { $block } で { $bytes } を書き込み
    .wdpc = WDPC
    .wdpc-value = 試験自体の { $rounds } ラウンド
    .range = 使用範囲
    .range-value = { $range }
    .range-share = { $range } (容量の { $share })
    .in-flight = キュー深さ
    .in-flight-value = QD{ $depth }、{ $jobs } ジョブ
    .data = データ
    .data-value = ランダム、繰り返しなし
    .point = 各計測点
    .point-time = { $time }
    .point-bytes = { $time } または { $bytes } の書き込みまで
    .state = 定常状態
    .reached = ラウンド { $first }〜{ $last }: 変動幅 { $range } ({ $range_max } 以下)、傾き { $rise } (±{ $rise_max } 以内)
    .not-reached = 未到達。最後のラウンド { $first }〜{ $last }: 変動幅 { $range } ({ $range_max } 以下)、傾き { $rise } (±{ $rise_max } 以内)
    .too-few-rounds = 未到達 (少なくとも { $rounds } ラウンドが必要)
    .in-steady-state = { $figure } (定常状態)
    .in-last-rounds = { $figure } (最後のラウンド、定常状態に未到達)
    .mix = { $reads }/{ $writes }
    .nines = p99.999
    .mixes-note = 100/0、65/35 は、読み出しと書き込みの割合 (%) です。
    .tails-note = p99.999 と最長は、すべての比率を合わせた値です。
    .writes-alone = { $figure } (書き込みのみ、ラウンドごと)
    .line = ラウンド { $first }〜{ $last } の回帰直線は { $from } から { $to } まで、平均は { $mean } です。

## The suite sweep.

table-sweep =
    .by = { $figure } ({ $axis }別)
    .at = { $table }: { $conditions }
    .sum = { $mixes } は、読み出しと書き込みの合計です。
    .latencies-together = { $mixes } は、読み出しと書き込みをまとめた値です。

sweep-axis =
    .scheduler = I/O スケジューラー
    .directory = ディレクトリ
    .state = ファイルの状態
    .mix = アクセスパターン
    .engine = エンジン
    .offset = オフセット
    .block = ブロックサイズ
    .jobs = ジョブ数
    .depth = キュー深さ
sweep-state =
    .fresh = 未書き込み
    .trimmed = TRIM 済み
    .filled = 先頭から順に書き込み済み
    .random = ランダムに上書き済み
sweep-mix =
    .read = シーケンシャルリード
    .write = シーケンシャルライト
    .sequential = シーケンシャル (リード { $reads })
    .random-read = ランダムリード
    .random-write = ランダムライト
    .random = ランダム (リード { $reads })
sweep-value =
    .offset = オフセット { $offset }
    .jobs = { $jobs } ジョブ
    .depth = QD{ $depth }
    .other = { $value }
