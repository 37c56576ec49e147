### What suites, their settings and their steps are called.

## Suites: what each does, in a sentence.

suite-quick = リード、ライト、永続化ライト、持続ライトを、ドライブに合わせた量で約 1 分で計測します。
suite-cliff = ドライブの高速領域が埋まるまで書き込み、その大きさ、使い切った後の速度、回復する量を調べます。
suite-durability = 永続化ライトの所要時間をサイズと方法ごとに計測し、フラッシュ命令が無視されていないかを調べます。
suite-sd-class = SD カードのクラス (C10、U3、V30、A1、A2) について、カードの公称と実際の性能を比べ、全試行の結果を示します。
suite-capacity = ドライブが公称どおりの容量を持つかを、見逃す確率を示した抜き取り、または空き領域全体の検査で調べます。
suite-open-units = カードや USB メモリが遅くならずに同時に書き込めるファイルの数 (開いておけるアロケーションユニットの数) を調べます。
suite-steady = SNIA の性能試験仕様に沿って、ドライブ全体を事前に書き込んでから定常状態を計測します。数時間かかります。
suite-steady-short = スイート steady の判定規則を、ディレクトリ内の小さな範囲に数分で適用します。規格の試験そのものではありません。
suite-sweep = 1 つの計測を、ブロックサイズ、キュー深さ、ジョブ数、読み書きの比率、エンジン、ディレクトリ、オフセット、ファイルの状態、スケジューラーの任意の組み合わせで繰り返します。
suite-apps = 実際のアプリケーション (SQLite のコミット、ログ、パッケージ、写真、同時に録画できるカメラの台数) を動かします。
suite-article = 公開されている microSD と SSD の比較記事の、条件が固定された 4 つの実験を約 4 分で行います。
suite-dramble = Raspberry Pi Dramble の wiki がカードを計測したのと同じ方法で hdparm、dd、iozone の計測を行い、同じ形の表を示します。
suite-iot-sd = 小型機器向けカードの比較記事の 10 個のジョブを実行し、同じ形の表を示します。
suite-kdiskmark = KDiskMark と CrystalDiskMark の既定プロファイル (4 種類のテスト、5 回ずつ) を約 7 分で実行します。
suite-server-ssd = サーバー向け SSD と RAID コントローラーの比較記事の 6 つのコマンドを実行し、同じ形の表を示します。
suite-ssd-test = fio の SSD 用サンプルを 10 GiB で実行し、A1 と A2 のカードの比較記事と同じパーセンタイルを示します。
suite-geerling-2024 = iozone と同じ 6 つの値を 1 GiB のファイルに対する 4K と 1M で計測します。多くのシングルボードコンピューターのレビューに載る表です。
suite-pibench = Raspberry Pi のストレージのスコアを集めたサイトのテストを実行し、それに準じたスコアを示します。
suite-rpdiags = Raspberry Pi Diagnostics のカードテストを、本家と同じく最大 3 回試行し、全試行の結果を示します。
suite-yabs = yabs.sh のディスクテスト (ランダムな読み書きの同時実行、4 種類のブロックサイズ) を約 2 分で実行します。
suite-gnome-disks = GNOME の「ディスク」のベンチマークを、ドライブ全体に対して読み出しだけで実行し、先頭から末尾までの速度とアクセス時間を示します。

## Kinds of suites, as headings of lists.

suite-group =
    .checkup = 診断
    .standard = 規格
    .published = 公開されているテスト

## Settings of suites.

setting-apps =
    .load = 実行するアプリケーション (下の一覧から)
    .time = それぞれの実行時間 (カメラを除く)
    .mbit = カメラ 1 台の記録レート (Mbit/s)
setting-capacity =
    .proof = 容量偽装を見つけるのに十分な抜き取り、または空き領域全体
    .time = 抜き取り検査で書き込む時間の上限
    .size = 空き領域またはデバイスのうち使う量の上限
    .leftovers = 中断した診断の続きを行うか、残ったものの削除と上書きした内容の復元だけを行うか
setting-cliff =
    .max = 書き込む量の上限 (既定は容量の 10 分の 1)
    .idle = もう一度書き込むまでにドライブを休ませる時間
setting-open-units =
    .unit = アロケーションユニットの大きさ (既定はドライブの報告値、なければ 4M)
    .most = 交互に書き込むユニット数の上限 (2〜64)
setting-rpdiags =
    .version = 1: 2024 年 7 月まで (64 MiB、QD4)。2: それ以降 (256 MiB、QD32)
setting-fixed =
    .precondition = 最初のテストの前に 2 回書き込むバイト数 (空のドライブは速い)
setting-steady =
    .test = 各ラウンドで計測するもの
    .rounds = ラウンド数の上限 (5 以上)。それまでに定常状態にならなければ、未到達と報告
    .jobs = 同時に動かすジョブ数 (iops と throughput)
    .depth = 各ジョブのキュー深さ (iops と throughput)
    .time = 各計測の時間
    .max = 書き込む量の上限 (既定は容量の 5 %)
setting-sweep =
    .bs = ブロックサイズ
    .depth = 各ジョブのキュー深さ
    .jobs = 同時に動かすジョブ数
    .mix = read、write、randread、randwrite。rw:70 または randrw:70 で 70 % が読み出し
    .engine = エンジン (一覧は cardiograph engines)
    .directory = ディレクトリ (別のファイルシステムなど。既定は計測する場所)
    .offset = ブロックの開始位置 (0,512,4k など)。アライメントのずれの影響
    .state = ファイルの状態: fresh (未書き込み)、trimmed (空き領域全体も TRIM。root が必要)、filled (先頭から順に書き込み)、random (ランダムに上書き)
    .scheduler = ドライブの I/O スケジューラー (root が必要。終了後に復元)
    .show = 表示する表: iops、bandwidth、mean、p50、p99、p99.9
    .time = 各計測の時間の上限
    .size = ファイルの大きさ (既定は書き込める量から決定、最大 1 GiB)
    .max = 書き込む総量の上限 (既定は容量の 1 %、最大 8.6 GB)

## Settings that cannot be used.

setting-unknown = スイート { $suite } に設定 '{ $setting }' はありません。{ $hint }
setting-none = スイート { $suite } に設定はありません。--set { $setting } を外してください
setting-wrong =
    .zero = --set { $setting }={ $value }: 0 より大きい値を指定してください
    .size = --set { $setting }={ $value }: サイズとして読めません。64M や 2G のように指定してください
    .time = --set { $setting }={ $value }: 時間として読めません。30s や 2m のように指定してください
    .count = --set { $setting }={ $value }: 1 以上の整数を指定してください
    .range = --set { $setting }={ $value }: { $least } から { $most } までの整数を指定してください
    .whole-mib = --set { $setting }={ $value }: { $least } から { $most } までの MiB 単位のサイズを指定してください
    .choice = --set { $setting }={ $value }: 使えない値です。使えるもの: { $choices }
    .empty = --set { $setting }={ $value }: 空の項目があります。値はコンマで区切ってください
setting-sweep-wrong =
    .share = --set { $setting }={ $value }: 読み出しの割合は 1 から 99 で指定してください
    .no-share = --set { $setting }={ $value }: 読み出しの割合を指定できるのは rw と randrw だけです
    .block = --set bs={ $value }: ブロックサイズは 512 バイトから { $most } までです
    .offset = --set offset={ $value }: オフセットは { $most } までです
    .engine = --set engine={ $engine }: データを転送するエンジンではありません。cardiograph engines の一覧から選んでください
    .misaligned = --set { $setting }={ $value }: ドライブのブロックサイズである { $unit } の倍数を指定してください

## Steps, by what they do.

step-read = シーケンシャルリード { $block }
step-write = シーケンシャルライト { $block }
step-random-read = ランダムリード { $block }
step-random-write = ランダムライト { $block }
step-mix = シーケンシャル混合 (リード { $reads }) { $block }
step-random-mix = ランダム混合 (リード { $reads }) { $block }
step-depth = { $test } QD{ $depth }
step-jobs = { $test }、{ $jobs } ジョブ
step-try = { $test }、試行 { $nth }/{ $tries }
step-again = { $test }、試行 { $nth }
step-with = { $test }、{ $setting } { $value }
step-durable = 永続化ライト { $block }
step-sustained = 持続ライト { $block }
step-fill = テストファイルの書き込み
step-fill-jobs = { $jobs } ジョブ分のテストファイルの書き込み
step-scatter = テストファイルのランダムな上書き
step-zeros = ゼロの書き込み { $block } (dd 方式)
step-buffered-read = バッファー経由のリード { $block } (hdparm -t 方式)
step-file =
    .write = 新規ファイルのライト { $block }
    .rewrite = 同じファイルの再ライト { $block }
    .read = 同じファイルのリード { $block }
    .reread = 同じファイルの再リード { $block }
step-durability =
    .none = ライト { $block }、永続化なし
    .sync = ライト { $block }、毎回 { $call }
    .open = ライト { $block }、{ $option }
step-cliff =
    .first = 最初の { $bytes } の書き込み
    .next = { $from } 以降の書き込み
    .rest = { $idle } 休ませた後の { $bytes } の書き込み
step-capacity =
    .write-places = ランダムな位置への { $block } の書き込み
    .read-places = ランダムな位置の { $block } の読み戻し
    .fill = 書き込み、{ $parts } 分割の { $part }
    .read = 読み戻し、{ $parts } 分割の { $part }
step-gnome-disks =
    .fill = 模擬ドライブの書き込み
    .read = { $places } か所での { $block } のリード
step-steady =
    .purge = TRIM によるドライブの初期化
    .precondition = 全範囲の { $passes } 回書き込み、シーケンシャル { $block }
    .round = ラウンド { $nth }
step-open-units =
    .fill = { $units } ユニットの順次書き込み
    .run =
        { $units ->
           [1] 1 ユニットずつ順に { $block } 単位で書き込み
          *[other] { $units } ユニットへ交互に { $block } 単位で書き込み
        }
step-app =
    .sqlite-wal = SQLite のコミット、先行書き込みログ (WAL)
    .sqlite-rollback = SQLite のコミット、ロールバックジャーナル
    .log-fsync = ログ、1 行ごとに永続化
    .unpack = パッケージの展開と読み出し
    .photos = 写真の取り込みと表示
    .cameras = カメラの同時録画
    .recording = カメラ 4 台の 10 分間の録画
step-cameras = { $mbit } Mbit/s のカメラ { $cameras } 台

## Jobs of a job file, in fio's words.

step-job =
    .of = { $job }: { $kind } { $block } QD{ $depth }
    .up-to = { $job }: { $kind } 最大 { $block } QD{ $depth }

## アプリケーション

app-summary =
    .sqlite-wal = SQLite のデータベースにセンサーの値をコミットします。先行書き込みログ (WAL) を使います (synchronous=FULL)。
    .sqlite-rollback = SQLite のデータベースにセンサーの値をコミットします。既定のロールバックジャーナルを使います (synchronous=FULL)。
    .log-fsync = ログに行を追記し、次の行の前に 1 行ずつ永続化します (fdatasync)。
    .unpack = パッケージマネージャーと同じ手順 (write、fsync、rename) で小さなファイルのパッケージを展開し、ドライブから読み戻します。
    .photos = 5〜25 MB の写真を 1 枚ずつ永続化しながら取り込み、ドライブから読み戻します。
    .cameras = 複数のカメラを同時に録画します。1 秒分の映像ごとに、カメラのバッファーがいっぱいになる前に永続化する必要があります。

## アプリケーションの各部分

app-part =
    .commits = コミット
    .import = 取り込み
    .lines = 書き込んだ行
    .read = 読み出し
    .record = 録画
    .unpack = 展開
    .view = 表示
