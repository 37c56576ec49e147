### Results of other programs: formats, what is wrong with a text, what should be known of a result.

import-format =
    .report = cardiograph のレポート (check --json の出力)
    .fio-json = fio の JSON と json+
    .fio-normal = fio の通常の出力
    .fio-terse = fio の terse 形式 (バージョン 2〜5)
    .fio-batch = fio のジョブの表 (job、bandwidth、iops)
    .fio-log = fio のログ (NAME_bw.1.log、_iops、_lat、_slat、_clat、_clat_hist)
    .fio-log-ios = I/O ごとに 1 行の fio のログ (--as 指定時のみ)
    .fio-log-windows = 区間ごとに 1 行の fio のログ (--as 指定時のみ)
    .hdparm = hdparm の計測結果
    .dd = dd のレコード数と転送結果
    .iozone = iozone の表と複数プロセス (-t) の結果
    .ioping = ioping の統計
    .bonnie = bonnie++ の CSV
    .sysbench = sysbench の fileio テスト
    .crystaldiskmark = CrystalDiskMark のテキスト
    .kdiskmark = KDiskMark のテキスト
    .yabs = yabs.sh の JSON
    .pibenchmarks = PiBenchmarks の Storage.sh の表
    .table = --map で指定する表

import-at =
    .line = { $line } 行目: { $problem }
    .column = { $line } 行目 { $column } 文字目: { $problem }
    .part = { $part }: { $problem }
    .field = フィールド { $field }: { $problem }
    .more = ほか { $count } 件

import-text =
    .nothing = 該当する内容がありません ({ $format })
    .too-many-tests = テストが { $max } 件を超えています。ファイルを分割してください
    .too-long = { $max } を超えています。ファイルを分割してください
    .too-many-lines = { $max } 行を超えています。ファイルを分割してください
    .unreadable = 読み込めません: { $reason }
    .figure-too-large = 大きすぎる値があります
    .not-storable = { $place }: { $reason }
    .windows-assumed = 速度の区間は、計測区間の偏差から求めています。隣り合う区間に相関があると仮定し、4 つに 1 つだけを独立な値とみなします。
    .missing = 次の部分がテキストにありません: { $parts }。
    .cut-off = { $line } 行目は途中で切れているため、取り込んでいません: { $problem }。
    .line-left-out = { $line } 行目は不完全なため、取り込んでいません: { $problem }。
    .left-out = { $line } 行目からの内容 ({ $format }) は取り込んでいません。別のファイルにして取り込んでください。

import-part =
    .rates = 速度
    .latencies = レイテンシ
    .time = 実行時間
    .direction = { $test } が読み書きのどちらか
    .job-line = { $job } の先頭行 (groupid, err)
    .job-end = { $job } の末尾 (I/O 数)
    .jobs = 各ジョブ (IOPS とレイテンシ)
    .amounts = 集計の量または実行時間
    .summary = 全ジョブの集計とドライブ

import-value =
    .not-a-size = '{ $text }' はサイズではありません。480GB のように指定してください
    .not-a-number = '{ $text }' は数値ではありません
    .not-whole = '{ $text }' は整数ではありません
    .not-a-figure = '{ $text }' は計測値ではありません
    .no-unit = '{ $text }' に単位がありません
    .unknown-unit = '{ $text }' の単位 '{ $unit }' は不明です
    .wrong-unit = '{ $text }' は適切な単位の付いた数値ではありません
    .not-a-percentile = '{ $text }' はパーセンタイルではありません
    .no-such-percentile = パーセンタイル { $percent } はありません
    .not-a-speed = '{ $text }' は速度ではありません
    .not-a-unit-of-speed = '{ $unit }' は速度の単位ではありません
    .not-a-unit-of-time = '{ $unit }' は時間の単位ではありません。使えるのは { $units } です
    .not-msec = '{ $text }' は msec 単位の時間ではありません
    .not-an-error-number = '{ $text }' はエラー番号ではありません

import-figure =
    .negative = { $figure }: 負の値です
    .impossible = { $figure }: { $found } ですが、{ $limit } を超えるドライブはありません。単位の間違いかカウンターの桁あふれではありませんか?
    .shorter = 値の大小が逆です: { $figure } < { $other }
    .not-rate = { $figure }: { $found } ですが、{ $runtime } の処理量からは { $expected } になります。どちらかが誤りです
    .not-ios = { $figure }: { $found } ですが、{ $block } の I/O が { $iops } なら { $expected } になります。どちらかが誤りです

import-moment =
    .no-zone = { $tool } の時刻にはタイムゾーンがないため、UTC とみなしています。
    .no-time = { $tool } の日付には時刻とタイムゾーンがないため、UTC の午前 0 時とみなしています。
    .measured-on = 計測環境: { $machine }

import-command =
    .unknown-program = '{ $program }' の計測方法は不明です
    .no-file = そこに書かれたファイルがありません
    .no-job = fio: ジョブがありません
    .fio = fio: { $problems }
    .timing-not-asked = hdparm: コマンドラインにその計測の指定がありません
    .iozone-part = iozone は複数のテストを行います。'iozone.random-read: iozone ...' のように、write、rewrite、read、reread、random-read、random-write のいずれかの名前を付けてください
    .iozone-rows = iozone: 行が複数あります

import-fio =
    .no-job-below = この見出しの下にジョブがありません
    .not-three-cells = '{ $line }' の項目数は { $count } で、job、bandwidth、iops の 3 つではありません
    .document-too-long = この fio の JSON は { $max } を超えています
    .not-json = fio の JSON ではありません: { $reason }
    .no-jobs = ジョブがありません
    .runtime-too-long = 実行時間が長すぎます
    .bytes-too-many = バイト数が大きすぎます
    .line-too-long = fio の行としては長すぎます
    .too-few-fields = バージョン { $version } の行には決まった順に { $least } 個以上のフィールドがありますが、この行は { $count } 個です。途中で切れていませんか?
    .key-missing = { $key } がありません
    .ios-missing = I/O 数がありません
    .no-data-line = IOPS=..., BW=... (...)(...) の形ではありません
    .latency-without-direction = レイテンシの前に 'read:'、'write:'、'trim:' の行がありません
    .windows-without-direction = 区間の統計の前に 'read:'、'write:'、'trim:' の行がありません
    .mixed-jobs = 内容の異なるジョブを含むため、計測方法を 1 つに特定できません。

import-log =
    .name-unknown = ログの内容はファイル名で判別します。NAME_lat.1.log や NAME_bw.1.log のような名前にしてください
    .line-too-long = ログの行としては長すぎます
    .time-of-another-run = 時刻 { $time } は、それより前とは別の実行のものです
    .not-a-latency = { $latency } は I/O のレイテンシとしては長すぎます
    .histogram-of-ios = 個々の I/O のヒストグラムです
    .value-too-large = 値 { $found } は大きすぎます
    .counts-too-large = 度数が大きすぎます
    .largest-below-mean = 区間の最大値 { $largest } が平均 { $mean } を下回っています
    .unknown-direction = { $number } は方向ではありません。0 が読み出し、1 が書き込み、2 が TRIM、3 が同期です
    .wrong-bins = 度数が { $count } 個あります。ヒストグラムは { $bins } 個で、log_hist_coarseness を使うとその 1/2、1/4 などになります
    .fields-missing = I/O の時刻、値、方向、長さをコンマで区切った形ではありません
    .shape-unknown = 行が I/O ごとか区間ごと (log_avg_msec) か判別できません。--as fio-log-ios か --as fio-log-windows で指定してください
    .means-only = 区間のログには各区間の平均レイテンシだけがあり、I/O 数はありません。推移では各区間を 1 つと数え、分布はありません。
    .too-long = ログが長く毎秒の分布を保持できないため、レイテンシの推移は各区間の平均と最大だけです。

import-bonnie =
    .fields = フィールドが { $count } 個ありますが、bonnie++ の形式 { $format } では { $expected } 個です
    .table-for-people = bonnie++ の表は丸められているため読み込みません。表の後にある CSV の行を使ってください (-q を付けるとその行だけを出力します)
    .cache-unknown = bonnie++ の出力からは、ページキャッシュを迂回したかどうか (-D) が分かりません。バージョンによってはブロックサイズも分かりません

import-dd =
    .unit-of-time = '{ $unit }' は dd の時間の単位ではありません
    .no-speed = コピー量か時間が 0 のため、速度がありません
    .two-records = dd のレコードの行が 2 つあります
    .no-command = dd のコマンドラインがテキストにないため、ドライブの読み出しか書き込みか不明です

import-diskmark =
    .skips-jobs = KDiskMark 1.6.1 から 3.2.0 は、複数ジョブの値を 1 つおきにしか合計しません
    .unknown-test = '{ $text }' はテスト名ではありません
    .profile = プロファイル: { $profile }

import-hdparm =
    .no-figures = '{ $text }' に '66 MB in 3.04 seconds = 21.71 MB/sec' のような値がありません

import-pibench =
    .any-unit = PiBenchmarks は、dd が kB/s や GB/s で表示した場合でも、その数値を MB/s として表示します。

import-ioping =
    .completed-missing = 見出しの後に、完了した要求の行と min/avg/max/mdev の行がありません
    .no-rate = '{ $text }' に速度がありません
    .no-direction = '{ $text }' が読み出しか書き込みか不明です
    .not-four-times = '{ $text }' は 4 つの時間ではありません
    .raw-columns = ioping の raw 形式の行には { $count } 個の数値が必要です
    .raw-contradiction = 要求数、時間、速度が合いません。時間はナノ秒単位ですか?
    .requests-only = ioping の速度は要求の処理時間だけから求めたもので、要求の間隔を含みません
    .no-command = ioping のコマンドラインがテキストにないため、シーケンシャルかランダムか不明です

import-iozone =
    .unit-missing = これより上に単位の行 ('Output is in kBytes/sec') がありません
    .unit-unsupported = '{ $unit }' には対応していません。kBytes/sec と operations per second に対応しています
    .columns-unknown = { $count } 個の値がどのテストのものか不明です。コマンドラインとも iozone の列とも合いません
    .not-numbers = '{ $line }' に数値以外があります
    .record-too-long = レコードがファイルより長いか、0 です
    .no-figure = 2 つのサイズの後に値がありません。行が途中で切れています
    .unknown-test = '{ $test }' は iozone の既知のテストではありません
    .throughput-unsupported = '{ $text }' には対応していません。kB/sec と ops/sec に対応しています

import-sysbench =
    .no-seconds = '{ $text }' に単位 s がありません
    .no-operations = '{ $line }' に読み出し、書き込み、その他の数がありません
    .no-transfer = '{ $line }' に読み出し量と書き込み量がありません
    .figures-missing = これより後に計測値がありません。テキストが途中で切れています

import-yabs =
    .block-size = fio: '{ $block }' はブロックサイズではありません
    .unknown-unit = fio、ブロックサイズ { $block }: 単位 '{ $unit }' は不明です。使えるのは KBps です

import-map =
    .at = '{ $part }': { $problem }
    .column-missing = 列がありません
    .column-from-1 = '{ $column }': 列は 1 から数えます
    .twice = 2 回指定されています
    .one-column = 番号か見出しで列を 1 つ指定してください
    .no-figures = 計測値の列の指定がありません。read.bandwidth=2 MB/s のように指定してください
    .unused-command = '{ $test }: ...' に対応する計測値がありません。{ $test }.read.bandwidth=2 MB/s のように指定してください
    .form = '名前=列' または 'テスト: コマンド' の形で書いてください
    .unknown-figure = '{ $metric }' という項目はありません。{ $hint }
    .wrong-unit = { $metric } の単位は { $unit } ではありません
    .unit-missing = 列の後に単位がありません (例: '2 MB/s')。ほかに MiB/s、IOPS、ms などがあります

import-table =
    .unit-meant = この表の { $unit } は { $meant } を意味します。
    .of-drive = drive: { $problem }
    .of-test = test: { $problem }
    .same-heading = 列 { $first } と列 { $second } の見出しがどちらも '{ $heading }' です。番号で指定してください
    .no-heading-here = 上に見出し '{ $heading }' がありません。{ $known }
    .no-heading-anywhere = 見出し '{ $heading }' のある表がありません。{ $known }
    .by-number = 列が空白 1 つで区切られている場合、--map では '2 MB/s' のように番号で指定します
    .headings = 見出しは { $headings } です
    .no-headings = 見出しは見つかりませんでした
    .no-column = 列 { $column } がありません。この行は { $columns } 列です
    .no-column-anywhere = 列 { $column } のある行がありません。最も多い行で { $columns } 列です
    .column-unnamed = 列の指定がありません
    .only-first-named = 列が空白 1 つで区切られている場合、名前にできるのは最初の列だけです。列をタブ、|、コンマ、2 つの空白のいずれかで区切ってください
    .no-heading-for-drive = 列 { $column } の上に見出しがありません。* を使う場合、見出しがドライブ名になります
    .not-a-figure = '{ $cell }' (列 { $column }) は { $unit } 単位の値ではありません。値を書くか、値がなければ - にしてください
    .not-a-figure-or-heading = '{ $cell }' (列 { $column }) は { $unit } 単位の値ではありません。値を書くか、値がなければ - にしてください。見出しの場合は上に空行を入れてください
    .limit = '{ $cell }' (列 { $column }) は値ではなく上限または下限です。値を書くか、値がなければ - にしてください
    .limit-or-heading = '{ $cell }' (列 { $column }) は値ではなく上限または下限です。値を書くか、値がなければ - にしてください。見出しの場合は上に空行を入れてください
    .plain-numbers = 単位なし
    .words-for-figure = 表に値ではなく文字列があります: { $figure }、'{ $cell }'
    .about = 表の値は概数です: { $figure }、'{ $cell }'
    .figure-of-test = { $test }、{ $figure }
    .method-unknown = 計測方法が不明なため、比較できません (--map の 'テスト: コマンド' で指定できます)
    .count-differs-spaces = 列が { $columns } 個ありますが、上の行は { $others } 個です。空の項目は - と書くか、列を | かタブで区切ってください
    .count-differs-commas = 列が { $columns } 個ありますが、上の行は { $others } 個です。項目にコンマがある場合は、列を | かタブで区切ってください
    .no-rows = --map で指定した列に値のある行がありません
    .explained = { $problem }。{ $more }
    .figures-unknown = どの列が値か判別できません。列をタブ、|、コンマ、2 つの空白のいずれかで区切ってください
    .name-end-unknown = 名前と値の境目が分かりません ('{ $cell }')。列をタブ、|、コンマ、2 つの空白のいずれかで区切ってください
    .count-seems-different = この行は { $columns } 列のようですが、上の行は { $others } 列です。列をタブ、|、コンマ、2 つの空白のいずれかで区切ってください
    .too-few-columns = 列が { $columns } 個ですが、--map では列 { $wanted } を指定しています。列をタブ、|、コンマ、2 つの空白のいずれかで区切ってください
    .number-or-cells = '{ $text }' が 1 つの数値か複数の項目か判別できません。列をタブか | で区切ってください

import-fio-failed = fio がエラー { $code } で終了
    .said = fio がエラー { $code } で終了: { $said }

## 公開された結果の出典についての注記。

shelf-app-class =
    .pictures-only = 結果 (帯域と、µs 単位の p70、p99、p99.99) は画像のみのため、数値は収録していません。要点: 帯域はカード間でほとんど差がなく、p99 と p99.99 は A2 が明らかに優れ、USB SSD はどのカードよりもはるかに高速です。
    .same-jobs = fio 付属の例 ssd-test.fio をそのまま使っています。cardiograph check --suite ssd-test で同じ計測ができます。
shelf-dramble =
    .hdparm = wiki の単位はどの列も MB/s です。hdparm の 1 MB は 2^20 バイトです。
    .dd = dd の 1 MB は 10^6 バイトです。
    .iozone = iozone の出力は 1,024 バイト単位の kBytes ですが、wiki には換算方法の記載がありません。ここでは 1,024 で割った値とみなしています。1,000 で割ったのであれば、実際の値はこれより 2.4 % 低くなります。
    .slower-clock = このカードは 100 MHz では動作せず、安定したのは 80 MHz まででした。
shelf-iot =
    .units = 記事の単位は kB/s ですが、1 kB は 1,024 バイトです。数値は fio の terse 出力のフィールド 7 と 48 で、1 MiB で 243 IOPS が 249,512 になるのは、この場合だけです。
    .reader = カードはすべて ext4 で、カードリーダー BSCRA35U2 (USB 2.0) に接続しています。筆者は、シーケンシャルリードの上限はこのリーダーの速度だとしています。
    .files = ジョブごとのファイルをカレントディレクトリに置いています。4 ジョブで 400 MiB、32 ジョブで 320 MiB です。
shelf-microsd-ssd =
    .adapter = Raspberry Pi OS (64-bit)。SSD は SATA - USB 3.2 変換アダプターで USB 3.0 ポートに接続しています。
    .truncated = 記事では 2 つの値が四捨五入ではなく切り捨てられています。fio の出力した fsync の値は 4152.80 usec と 5232.38 usec です。
shelf-pg-test-fsync = pg_test_fsync の usecs/op は 8 KiB の書き込みとその永続化を合わせた時間のため、fio が示すフラッシュ命令だけの時間より長くなります。
shelf-pi-claims = メーカーの公称値で、計測値ではありません。キュー深さの記載はありません。
shelf-pi5 = IOPS は、公開されたログから求めた 3 回の中央値です。シーケンシャルライトは、1 MB/s が 1,000 KiB/s か 1,024 KiB/s か記載がないため除いています。
shelf-server =
    .units = 元のレポートの単位は MB/s です。fio 2.0.7 の 1 MB は 2^20 バイトです。
    .conditions = ドライブはすべて新品です。CentOS 6.2 (Linux 2.6.32-220.17.1.el6.x86_64)、XFS (-b size=4096 -i size=512 -l size=64m で作成し、noatime,logbufs=8 でマウント)。
    .write-back = ライトバックでは、32 MiB の書き込みがコントローラーのキャッシュ (1 GB) に収まるため、ドライブの速度を示しません。

## 他のプログラムが行ったテストの名前

import-title = { $name }: { $what }
    .group = グループ { $group } の全ジョブ: { $what }
import-hdparm-reads =
    .start = デバイス先頭からのリード
    .offset = { $offset } の位置からのリード
    .same = 同じ 2 MiB のリード、ページキャッシュ不使用
    .cached = 同じ 2 MiB のリード、メモリから
import-log-kind =
    .bandwidth = 帯域ログ
    .iops = IOPS ログ
    .submission = 発行レイテンシのログ
    .completion = 完了レイテンシのログ
    .total = レイテンシのログ
    .histogram = 完了レイテンシのヒストグラムのログ
