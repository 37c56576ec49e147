### Options of jobs: their values, what contradicts, what is not supported.

jobs-value =
    .empty = 値がありません
    .not-a-number = 数値ではありません
    .negative = 負の値は指定できません
    .not-whole = 整数で指定してください (小数や指数は使えません)
    .unknown-unit = '{ $unit }' は不明な単位です
    .zones = ゾーン単位 (z) の長さには対応していません
    .too-large = 値が大きすぎます
    .unknown-word = 不明な値です。指定できるのは { $words } です
    .out-of-range = { $min } から { $max } の範囲で指定してください
    .below-range = { $min } 以上で指定してください
    .not-a-percentile = パーセンタイルは 0 より大きく 100 以下で指定してください
    .not-a-share = 割合は 0 より大きく 100 % 以下で指定してください
    .descending = 範囲の終わりが始まりより前にあります
    .too-many = 指定できる値は { $max } 個までです
    .shares-above-100 = 割合の合計が 100 % を超えています
    .limit-missing = しきい値がありません (例: iops_slope:0.3%)
    .shares-not-100 = I/O の割合の合計が 100 % ではなく { $sum } です
    .zones-above-100 = ゾーンの長さの合計が領域の 100 % を超えています
    .zone-incomplete = 各ゾーンには I/O の割合と長さが必要です (例: 60/10:40/90)
    .zone-empty = 長さ 0 のゾーンに I/O は割り当てられません
    .center-outside = 中心は 0 から 1 の範囲で指定してください
    .pareto-outside = 0 より大きく 1 より小さい値を指定してください
    .deviation-missing = 標準偏差 (パーセント) がありません (例: normal:10)
    .deviation-outside = 標準偏差は 0 より大きく 100 パーセントより小さい値にしてください
    .argument-unwanted = この値に引数は付けられません
    .no-file-here = この種類のメモリにファイルは指定できません。コロン以降を削除してください
    .not-a-page-size = メモリページのサイズは 2m や 1g のような 2 の累乗です
    .not-a-power-of-two = 4k のような 2 の累乗で指定してください
    .unknown-errno = '{ $name }' というエラー名はありません。番号で指定してください
    .nodes-missing = ノードの指定がありません (例: bind:0,1)
    .not-one-node = 優先するノードは 1 つだけ指定できます (例: prefer:0)

jobs-pattern =
    .at = { $position } 文字目: { $problem }
    .empty = パターンが空です
    .unexpected = '{ $found }' は数値 (0x2a、42)、"文字列"、'ファイル' のいずれの先頭でもありません
    .unclosed = 閉じる { $quote } がありません
    .digits-missing = 0x の後に 16 進数がありません
    .number-too-large = 10 進数は -2147483648 から 2147483647 の範囲で指定してください。より長い値は 0x と 16 進数で指定します
    .no-offset-here = ブロックのオフセットを表す %o は verify_pattern でのみ使えます
    .too-long = ここからパターンが { $max } バイトを超えています
    .unreadable-here = ここではファイルを読みません
    .not-a-file = 通常のファイルではありません
    .unreadable = ファイル '{ $path }' を読めません: { $reason }

jobs-example =
    .count = 整数
    .count-per-direction = 整数、または 100,200 のような読み出しと書き込みの 2 つの整数
    .number = 99.9 のような数値
    .numbers = 50:100 のような数値の並び
    .bytes = 512、4k、200M、1G のようなサイズ
    .bytes-or-percent = 4k、200M、1G のようなサイズ、または 50% のような割合
    .bytes-range = 4k のようなサイズ、または 4k-64k のような範囲
    .bytes-per-direction = 4k のようなサイズ、または 4k,64k のような読み出しと書き込みの 2 つのサイズ
    .bytes-range-per-direction = 4k-64k のような範囲、または 4k-8k,16k-64k のような読み出しと書き込みの 2 つの範囲
    .split = 4k/60:64k/40 のようなサイズと割合 (パーセント) の並び
    .duration = 30、500ms、2m のような時間
    .duration-range = 30、500ms、2m のような時間、または 5-10 のような範囲
    .duration-per-direction = 500us のような時間、または 1ms,10ms のような読み出しと書き込みの 2 つの時間
    .switch = 1 (オン) または 0 (オフ)
    .share = 2% や 0.5% のような割合
    .percentiles = 50:99:99.9 のようなパーセンタイルの並び
    .cpus = 0,2-3 のような CPU 番号
    .errors = EIO:ENOSPC,EIO,EILSEQ (読み出し、書き込み、照合の順) のようなエラーの名前または番号
    .nodes = 0,2-3 のようなノード番号、または all

jobs-problem =
    .at = { $place }: ジョブ '{ $job }': { $problem }
    .unknown-option = '{ $option }' というオプションはありません
    .unknown-option-meant = '{ $option }' というオプションはありません。'{ $meant }' ではありませんか?
    .missing-engine = '{ $option }' は、ここにはない { $engines } のオプションです。削除してください
    .other-engine = '{ $option }' は、このジョブが使っていないエンジン { $engine } のオプションです。ioengine={ $engine } を指定するか、'{ $option }' を削除してください
    .other-engines = '{ $option }' は、このジョブが使っていないエンジン ({ $engines }) のオプションです。ioengine でいずれかを選ぶか、'{ $option }' を削除してください
    .refused = '{ $setting }' には対応していません: { $reason }
    .no-such-engine = '{ $engine }' というエンジンはありません。使えるもの: { $engines }
    .no-such-engine-meant = '{ $engine }' というエンジンはありません。'{ $meant }' ではありませんか?
    .bad-value = '{ $setting }': { $problem }
    .bad-value-example = '{ $setting }': { $problem } (指定できる値: { $example })
    .bad-value-meant = '{ $setting }': { $problem }。'{ $meant }' ではありませんか?
    .no-room-for-header = '{ $setting }' では各ブロックのヘッダーに { $header } バイト必要ですが、すべての I/O を割り切れるブロックは最長で { $block } バイトです。公約数がより大きい I/O サイズ (bs、blockalign、verify_interval) を指定してください
    .region-too-small = '{ $setting }' は { $region } で、1 回の I/O (bs = { $block }) に足りません。{ $option } を大きくするか bs を小さくしてください
    .beyond-device = '{ $setting }' の開始位置 { $offset } がデバイスの末尾 { $capacity } を超えています。小さくしてください
    .too-many-files = '{ $setting }' では、全クローンの合計で { $max } 個を超えるファイルが作られます。小さくしてください
    .zones-too-long = '{ $setting }' のゾーンは合計 { $zones } ですが、領域は { $region } しかありません。ゾーンを短くするか size を大きくしてください
    .block-empty = '{ $setting }' では I/O が 0 バイトになります。bs=4k のようにサイズを指定してください
    .no-such-job = '{ $setting }' が待つジョブがありません。このジョブより前にあるジョブ名を指定してください
    .contradicts = '{ $setting }' は、同時に指定されている '{ $other }' と矛盾します。どちらか一方だけにしてください
    .needs = '{ $setting }' には '{ $other }' が必要です。追加してください
    .trims-file = '{ $setting }' は TRIM を発行しますが、{ $path } はファイルです。TRIM できるのはブロックデバイスだけです。filename でデバイスを指定するか、書き込みに変更してください

jobs-problem-of-job =
    .size-missing = ファイルのどれだけを使うか指定されていません。size=1G のように size を追加してください
    .no-room-for-header = { $block } バイトのブロックには { $header } バイトのヘッダーが入りません
    .region-too-small = 領域 ({ $region }) が 1 回の I/O (bs = { $block }) に足りません
    .file-missing = { $path } は存在せず、allow_file_create=0 のため作成もできません。ファイルを作成するか、allow_file_create を削除してください
    .nothing-to-verify = { $path } は存在しないか空です。verify_only で照合する内容がありません
    .too-short-to-verify = { $path } は { $len } バイトですが、verify_only は { $end } バイトまで照合します。verify_only なしの同じジョブで書き込むか、size を小さくしてください
    .bad-recording = 記録 { $recording }: { $problem }
    .replay-writes = この記録は、ジョブで指定されていない既存のファイル { $path } に書き込みます。上書きしてよければ filename={ $path } を指定し、そうでなければ replay_redirect か directory で再生先を変えてください
    .not-a-directory = { $path } はディレクトリではありません。先に作成するか、directory で別のディレクトリを指定してください
    .not-a-file = { $path } は{ $kind }です。filename でファイルかブロックデバイスを、または directory でディレクトリを指定してください
    .trims-file = TRIM を発行しますが、{ $path } はファイルです。TRIM できるのはブロックデバイスだけです
    .block-empty = I/O が 0 バイトです。bs=4k のようにサイズを指定してください
    .too-many-files = ここまでの全ジョブのクローンが使うファイルが { $max } 個を超えます。numjobs か nrfiles を小さくしてください
    .no-such-job = 待つ対象のジョブがありません
    .contradicts = 設定が '{ $other }' と矛盾しています
    .needs = '{ $other }' が必要です
    .unknown-option = 存在しないオプションがあります
    .engine-unfit = オプションとエンジンが合いません
    .beyond-device = 領域がデバイスの末尾より後ろから始まっています
    .zones-too-long = ゾーンが領域より長くなっています

jobs-file-kind =
    .file = ファイル
    .directory = ディレクトリ
    .character-device = キャラクターデバイス
    .pipe = パイプ
    .socket = ソケット
    .unknown = ファイルではないもの

jobs-recording =
    .unreadable-here = ここでは記録を読めません
    .nothing-replayed = 再生する I/O がありません
    .trims-file = { $path } に TRIM を発行しますが、TRIM できるのはブロックデバイスだけです。replay_redirect でデバイスを指定するか、replay_skip=trim で TRIM を除いてください

jobs-remark =
    .at = { $place }: '{ $setting }': { $remark }
    .read-as = '{ $plain }' として扱います
    .needs-sqthread-poll = sqthread_poll=1 が必要です。指定がないため無視します
    .needs-hipri = hipri=1 が必要です。指定がないため無視します
    .no-cache = 効果がありません。このエンジンはデータを転送しません
    .no-content = 何も照合しません。エンジン { $engine } はデータを保持しません
    .verify-state-load = fio と同じく、書き込むジョブには効果がありません。verify_only=1 を追加してください
    .verify-interval = すべての I/O サイズを割り切れないため、fio と同じく効果がありません
    .no-threads = 効果がありません。模擬ドライブのジョブはスレッドを持ちません
    .needs-strided = fio と同じく、zonemode=strided がなければ効果がありません
    .needs-runtime = runtime=30 のような実行時間が必要です。指定がないため無視します
    .needs-thinktime = 休止の方法を指定するもので、thinktime がなければ無視します
    .needs-latency-target = キュー深さの探し方を指定するもので、latency_target がなければ無視します
    .needs-flow = フローの保ち方を指定するもので、flow がなければ無視します
    .needs-steadystate-duration = ss_dur=30 のような steadystate_duration が必要です。指定がないため無視します

jobs-refused =
    .one-direction = このエンジンでは 1 回の I/O が 1 つのファイルで、結果は 1 つの方向に表示されます。read か write を指定してください
    .only-writes = ftruncate はファイルのサイズを設定するもので、fio では書き込みとして数えます。write か randwrite を指定してください
    .one-length = このエンジンでは 1 回の I/O が 1 つのファイルで、bs 1 つ分として数えます。bs は 1 つのサイズにしてください
    .no-content = このエンジンはデータを転送しないため、照合できません。削除してください
    .no-sync = このエンジンは永続化すべきデータを転送しません。削除してください
    .no-blocks = このエンジンはブロックを転送しません。削除するか、転送するエンジンを使ってください
    .nothing-left = ファイルは最初のループの後に削除されますが、次のループはその内容を必要とします。削除するか、書き込みだけにしてください
    .only-files = このエンジンはファイルだけを対象とします。ファイルを指定してください
    .no-drive = このエンジンはドライブを使いません。削除してください
    .unaligned-range = bsrange の長さは最小値の倍数です。512-64k のように小さい最小値を指定してください

jobs-option =
    .bs-is-seq-rand = サイズは方向ごとに決まります。シーケンシャルとランダムのジョブを別々に書いてください
    .cuda = グラフィックスカードのメモリには対応していません。malloc を使ってください
    .serialize-overlap = I/O が重なるのはブロックが繰り返される場合だけです。norandommap を削除するか、iodepth=1 を使ってください
    .uncached = Linux 6.14 と対応したファイルシステムが必要です。direct=1 を使ってください
    .priority = 1 つのジョブの I/O は優先度が共通です。prioclass と prio を変えた 2 つのジョブを使ってください
    .lockfile = ファイルはロックしません。同時に実行してはならないジョブは stonewall で順に実行してください
    .opendir = ディレクトリ内のファイルは名前で指定する必要があります。filename を使ってください
    .filetype = 対象の種類はオープン時に判別します
    .file-append = ファイル末尾への I/O には対応していません。offset にファイルのサイズを指定してください
    .foreign = このオプションのエンジンはここにはありません
    .rwmixcycle = fio で廃止されました。混合比は I/O ごとに抽選されます
    .rw-sequencer = 同じオフセットをすぐに使うとキャッシュを計測することになります。rw は接尾辞なしで指定してください
    .atomic = 対応するドライブはわずかです (Linux 6.11)。これがなくても direct=1 で同じ書き込みになります
    .percentage-sequential = fio で廃止されました。percentage_random を使ってください
    .random-sequence-stride = ランダムなオフセットは 1 つずつ抽選されます。間隔は blockalign で指定してください
    .num-range = 1 回の TRIM は 1 つの範囲だけを対象とします。bs を大きくしてください
    .end-syncfs = ほかのプログラムの書き込みまで待つことになります。end_fsync=1 を使ってください
    .sync-file-range = データがドライブのキャッシュに残り、永続化されません。fdatasync=N を使ってください
    .write-barrier = Linux 2.6.37 以降、バリア付き書き込みはありません。fsync を使ってください
    .write-hint = データの寿命のヒントに対応するドライブはわずかで、ほかのドライブは通知なしに無視します
    .placement = データ配置には FDP かストリームに対応したドライブと、ブロック層を通らない NVMe コマンドが必要です
    .sprandom = このプリコンディショニングには対応していません。ドライブ全体を 1 回順に書き込み、続けてランダムに 2 回 (loops=2) 書き込んでください
    .profile = fio の組み込みプロファイルには対応していません。`cardiograph check` には独自のスイートがあります
    .log-store-compressed = ログはテキストです。後から gzip で圧縮してください
    .priohint = 優先度のヒントには Linux 6.5 とコマンド実行時間の制限に対応したドライブが必要です。prio を使ってください
    .lockmem = ジョブはページキャッシュを縮小しません。`systemd-run --scope -p MemoryMax=...` を使ってください
    .cgroup = ジョブはコントロールグループを作成しません。`systemd-run --scope -p IOWeight=...` でプログラムを起動してください
    .merge-blktrace = blktrace のトレースは統合できません。fio の --merge-blktrace-only で統合してください
    .block-error-percentiles = コントローラーのないフラッシュメモリ (MTD) 用のもので、ここでは計測の対象外です
    .ramp-size = 計測前の助走は時間で指定します。ramp_time を使ってください
    .trim = 照合するジョブの書き込みの間に TRIM は行いません
    .header = 各ブロックのヘッダーに照合に必要な情報がすべて入っています
    .zbd = ゾーン型ブロックデバイスには固有の規則があり、対応していません。通常のドライブには不要です

jobs-hint =
    .bs-unaligned = fio と同じく、サイズが一定の I/O には効果がありません
    .userspace-reap = 完了は常に最も速い方法で回収します
    .libaio-vectored = バッファー 1 つのリストも単独のバッファーも、ドライブにとっては同じ I/O です
    .unique-filename = 名前を一意にするのは fio サーバーのクライアントだけです
    .softrandommap = ブロックの順序にマップは使わないため、確保に失敗することもありません
    .thread = クローンは常にスレッドです
    .threads = fio でも受け付けるだけで無視されます。クローンの数は numjobs で指定します
    .dropped = fio でも廃止されており、効果がありません
    .log-entries = ログはジョブの実行中に書き出すため、メモリの予約は不要です
    .log-compression = ログはそのつど書き出すため、圧縮する対象を溜めません
    .comm = ワーカーは固有の名前を持つスレッドです
    .clocksource = クロックは開始時に選んで検査し、結果に記載します
    .gtod-cpu = クロックの読み取りは軽く、専用の CPU は不要です
    .job-start-clock-id = ジョブの開始時刻はシステムのクロックで示します
    .verify-async = ブロックはジョブ自身のスレッドで照合します。遅い場合はジョブを増やしてください

jobs-engine =
    .commands = カーネルのブロック層を通らずにドライブへコマンドを送るものです。io_uring を使ってください
    .ceph = Ceph のライブラリが必要です。`rbd map` でイメージをマップし、そのデバイスで io_uring を使ってください
    .gluster = Gluster のライブラリが必要です。ボリュームをマウントして psync を使ってください
    .rdma = ドライブではなく RDMA アダプターのネットワークを計測するものです
    .ime = DDN の Infinite Memory Engine のライブラリが必要です。ストレージをマウントして psync を使ってください
    .pmem = 永続メモリとそのライブラリが必要です。ファイルシステムを作成して psync を使ってください
    .network = ドライブではなくネットワークを計測するものです。iperf3 を使ってください
    .other-system = ほかの OS 用です。libaio か io_uring を使ってください
    .fileoperations = filecreate、filestat、filedelete を使ってください
    .cpuio = I/O を行いません。テスト中に stress-ng --cpu N を実行してください
    .e4defrag = ドライブではなく ext4 のデフラグを計測するものです
    .splice = ドライブよりもパイプを計測することになります。psync を使ってください
    .external = 外部のエンジンは読み込めません
    .exec = I/O を行いません。exec_prerun を使うか、テスト中に別途起動してください
    .http = ドライブではなくネットワーク上のサービスを計測するものです
    .nfs = エクスポートをマウントして psync を使ってください
    .nbd = nbd-client で接続し、そのデバイスで io_uring を使ってください
    .hadoop = Hadoop のライブラリが必要です
    .iscsi = open-iscsi で接続し、そのデバイスで io_uring を使ってください
    .daos = DAOS のライブラリが必要です。dfuse でマウントして psync を使ってください
    .cufile = NVIDIA のライブラリとカードが必要です
    .mtd = MTD サブシステムのデバイスが必要で、ドライブには使えません
    .guasi = fio で廃止されました。libaio か io_uring を使ってください
