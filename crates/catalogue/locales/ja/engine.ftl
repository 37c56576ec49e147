### Engines and runs: errors are phrases without a capital or a full stop; notes are sentences.

direction =
    .read = リード
    .write = ライト
    .trim = TRIM
    .sync = 同期

cause = { $error }

run-no-such-engine = '{ $engine }' というエンジンはありません。使えるもの: { $engines }

run-engine-unavailable = エンジン '{ $engine }' はここでは使えません: { $reason }

run-mixed-time = 模擬ドライブのエンジンと実際のエンジン ('{ $simulated }' と '{ $real }') は同時に使えません

run-not-permitted = ジョブ '{ $job }' は許可なく '{ $target }' に書き込もうとしています

run-no-commands = ジョブ '{ $job }' に exec_prerun または exec_postrun がありますが、コマンドを実行するのは `cardiograph fio` と `cardiograph run` だけです。外してください

run-reads-unwritten = '{ $job }' は { $end } を読み出そうとしますが、書き込まれているのは { $filled } だけです。テストファイルへの書き込みが途中までしか行われませんでした

run-wrong-target = エンジン '{ $engine }' はジョブ '{ $job }' の対象を扱えません

run-direct-refused = ファイルシステムがダイレクト I/O (O_DIRECT) に対応していません。--buffered を指定すると、キャッシュを含めて計測します

run-target-not-opened = { $target } を開けません: { $error }

run-engine-not-opened = エンジン '{ $engine }' を開けません: { $error }

run-no-buffers = '{ $job }' のバッファー { $length } を確保できません ({ $error })。ブロックを小さくするか、キュー深さを下げてください

run-engine-broke = ワーカー { $worker } のエンジン '{ $engine }' でエラーが発生しました: { $error }

run-worker-lost = このプログラムの不具合でワーカー { $worker } が失われました。報告をお願いします

run-worker-not-started = ワーカー { $worker } を開始できません: { $error }

run-no-heartbeat = プログラムの停止を検出するスレッドを開始できません: { $error }

run-seat-refused =
    .nodes = ジョブ '{ $job }' の NUMA ノードを使えません ({ $error })。プロセッサーとメモリのあるノードを指定するか、numa_cpu_nodes と numa_mem_policy を外してください
    .priority = ジョブ '{ $job }' の I/O 優先度を設定できません ({ $error })。prioclass と prio を外してください

run-seat-refused-realtime = ジョブ '{ $job }' に prioclass=1, prio={ $level } を設定できません ({ $error })。リアルタイムの優先度には root (CAP_SYS_ADMIN) が必要です。prioclass=2 にするか、root で実行してください

run-seat-refused-user = ジョブ '{ $job }' は uid={ $id } で実行できません ({ $error })。ユーザーを変えられるのは root (CAP_SETUID) だけです。root で実行するか、uid を外してください

run-seat-refused-group = ジョブ '{ $job }' は gid={ $id } で実行できません ({ $error })。グループを変えられるのは root (CAP_SETGID) だけです。root で実行するか、gid を外してください

plan-wrong-engine = ジョブ '{ $job }' は、エンジン '{ $engine }' のファイル操作に対応していません

plan-nothing-to-do = ジョブ '{ $job }' には読み書きするものがありません

plan-waits-for-later = ジョブ '{ $job }' は、前にないジョブを待っています

plan-no-target = ジョブ '{ $job }' が指定する対象は開かれていません

plan-behind-the-end = ジョブ '{ $job }' は { $end } バイト目まで使いますが、対象は { $length } バイトしかありません

plan-two-simulated-drives = ジョブ '{ $job }' は前のジョブと別の模擬ドライブを使いますが、両者の時間は共通ではありません

engine-probe =
    .thread-sanitizer = ThreadSanitizer は C ライブラリのスレッドを扱えません
    .no-posixaio = この 32 ビット版には含まれていません。libaio を使ってください
    .no-io-uring = この 32 ビット版には io_uring が含まれていません
    .no-preadv2 = カーネルに preadv2 がありません (Linux 4.6 以降)
    .io-uring-missing = カーネルに io_uring がないか (Linux 5.1 以降)、コンテナの規則で隠されています
    .io-uring-forbidden = io_uring がここでは禁止されています (kernel.io_uring_disabled、またはコンテナの規則)
    .io-uring-old = カーネルの io_uring が Linux 5.11 より古いものです
    .io-uring-mute = カーネルの io_uring の対応状況が分かりません
    .io-uring-lacks = カーネルの io_uring に read、write、fsync のいずれかがありません
    .aio-missing = カーネルに非同期 I/O (CONFIG_AIO) がないか、コンテナの規則で隠されています。io_uring を使うか、psync でクローンを増やしてください
    .aio-forbidden = 非同期 I/O がここでは禁止されています (コンテナの規則)。psync でクローンを増やしてください

engine-probe-io-uring-failed = io_uring_setup が失敗しました: { $error }

engine-probe-aio-failed = io_setup が失敗しました: { $error }

engine-locked-memory = ロックできるメモリの上限 (ulimit -l) を超えています

engine-cannot-poll = hipri: このドライブの完了はポーリングできません。ドライバーにそのためのキューがないか (NVMe では nvme を poll_queues=1 で読み込むと、/sys/block/名前/queue/io_poll が 1 になります)、ファイルシステムが対応していません

engine-aio-limit = カーネルが許可する非同期要求は、全プロセスの合計で { $requests } 個までです。キュー深さかジョブ数を減らすか、sysctl の fs.aio-max-nr を上げてください

engine-no-such-cpu = sqthread_poll_cpu={ $cpu }: その CPU はありません

engine-poll-needs-root = sqthread_poll には root が必要です (Linux 5.13 より前)

engine-no-thp = thp: このカーネルには透過的ヒュージページがありません

engine-simulated-too-long = 模擬ドライブは verify を使うジョブのデータをすべて保持するため、上限は { $most } です。{ $length } では多すぎるので、size を小さくしてください

engine-huge-pages = { $kib } KiB のヒュージページが { $pages } ページ必要ですが、空きが足りません。カーネルの確保数 (/sys/kernel/mm/hugepages/hugepages-{ $kib }kB/nr_hugepages) を増やすか、別の種類のメモリ (mem) を使ってください
    .no-such-length = このカーネルには { $kib } KiB のヒュージページがありません。別の hugepage-size を選んでください
    .not-permitted = 共有メモリのヒュージページには権限 (CAP_IPC_LOCK、または vm.hugetlb_shm_group のグループ) が必要です。mem=mmaphuge を使ってください

engine-nothing-to-replay = 再生するものがありません

engine-no-lengths = ファイルのサイズを調べられません

engine-processor-limit = プロセッサー番号は { $last } までです

engine-defect = このプログラムの不具合です。報告をお願いします

target-replaced =
    .file = ファイルが別のものに置き換わりました
    .test-file = テストファイルが別のものに置き換わりました
    .device = デバイスが別のものに置き換わりました

target-not-a-file = 開いたものがファイルではありません

target-not-a-directory = 開いたものがディレクトリではありません

target-unknown = テストファイルを調べられませんでした

device-other = { $device } は別のデバイスです

device-incomplete = カーネルが { $device } の番号と容量を示していません

journal-locked = たった今、別のプログラムがロックしました

journal-other-user = そこに作るファイルは、作成者とは別のユーザーのものになります

journal-damaged = ジャーナルのその部分が壊れています

journal-device-unreadable = デバイスのオフセット { $offset } の読み出しに失敗しました: { $error }

engine-note-died = { $reason }。

engine-note-broke = { $engine } で計測の途中にエラーが発生しました: { $reason }。

engine-note-fell-back = { $from } の代わりに { $to } を使いました: { $reason }。

engine-note-depth-capped = { $engine } は I/O を 1 つずつ実行するため、キュー深さ { $depth } は効果がありませんでした。

engine-note-buffers = { $engine } はバッファーを登録せずに動作しました: { $reason }。

engine-note-not-pinned = '{ $job }' を指定の CPU に固定できませんでした: { $reason }。

engine-note-went-on = '{ $job }' (クローン { $clone }) は { $errors } 件のエラーの後も続行しました。数値には含まれません。最初のエラー: オフセット { $offset } ({ $direction }): { $error }。

engine-note-command = '{ $job }' の後のコマンドが失敗しました: { $reason }。

engine-note-nice = '{ $job }' の nice 値を { $nice } にできませんでした: { $reason }。

app-no-such-load = '{ $load }' という負荷はありません。使えるもの: { $loads }

app-parameter = 負荷 '{ $load }' のパラメーター '{ $name }' に { $amount } は指定できません

app-database = { $path } で SQLite が失敗しました: { $error }

app-database-journal = ファイルシステムがジャーナルモード { $mode } に対応していません

app-content = { $path } の内容が書き込んだものと違います: { $found }。ドライブがデータを失ったか、書き換えました。原因は --suite capacity で調べられます

app-content-found =
    .chunk = { $number } MiB 目が違います
    .line = { $number } 行目が違います
    .bytes = { $number } バイトの内容が違います

app-content-database = 整合性チェック: { $verdict }。測定値 { $readings } 件のうち { $found } 件を確認

app-content-blocks = { $blocks } ブロックのうち { $changed } ブロックが違います

app-directory-removed = ほかの実行がすぐに削除してしまいます

app-lost = 負荷が結果なしに終わりました

# What came of a run, in phrases.

paused = 開始 { $at } 後に { $total } 停止: { $cause }
    .several = { $times } 回停止 (計 { $total }、最初は開始 { $at } 後): { $cause }

precision-outcome = 目標 { $wanted }、{ $reached }

precision-reached = { $time } で精度 { $known }
    .not-narrow = { $time } で終了した時点の精度 { $known }
    .few-ios = { $time } で終了した時点の精度 { $known } (I/O 数が不足)
    .not-settled = { $time } で終了した時点でもまだ上昇か下降の途中 (精度 { $known })
    .too-short = { $time } で終了した時点の精度 { $known } (安定する前に終了)

precision-unknown = { $time } で終了した時点の精度は不明
    .not-settled = { $time } で終了した時点でもまだ上昇か下降の途中 (精度は不明)
    .too-short = { $time } で終了した時点の精度は不明 (安定する前に終了)

replay-time = 再生 { $replayed }
    .recorded = 記録 { $recorded }、再生 { $replayed }

replay-mean = { $direction } 平均: 記録 { $recorded }、再生 { $replayed }

replay-p99 = { $direction } p99: 記録 { $recorded }、再生 { $replayed }

replay-of-job = ジョブ '{ $job }': { $fact }。

# What is wrong with a simulated drive.

model-problem =
    .text = { $line } 行 { $column } 桁: { $problem }
    .value = { $field }: { $problem }

model-value =
    .empty = 空にはできません
    .unshowable = 表示できない文字があります
    .only-chain = 'beyond = "chain"' の場合だけ指定できます
    .wraps = 書き込みを失う容量偽装品だけで指定できます (wrap はすべて保存します)
    .multiple = { $value } は { $of } の倍数ではありません
    .range = { $value } は { $low } から { $high } の範囲にありません
    .entries = 要素が { $entries } 個あります。1〜{ $most } 個にしてください
    .shares = 割合の合計が 1 ではなく { $sum } です

model-fault =
    .nth = 要求は 1 から数えます。'nth' は 0 にできません
    .range = 'start_bytes' は 'end_bytes' より小さくしてください
    .sync = 同期に位置は指定できません
    .stall = 停止は最長 1 日です
    .misdirect = 'by_bytes' は 4096 の倍数にしてください

## エンジン (対応していない fio のエンジンを含む)

engine-psync = pread と pwrite を 1 つずつ実行
engine-sync = lseek、read、write を 1 つずつ実行
engine-vsync = lseek、readv、writev。バッチ (iodepth_batch) 内の隣り合う要求は 1 回の呼び出しにまとめる
engine-pvsync = preadv と pwritev を 1 つずつ実行
engine-pvsync2 = preadv2 と pwritev2 を 1 つずつ実行
engine-libaio = Linux ネイティブの非同期 I/O で多数の要求を並行して実行
engine-io_uring = カーネルと共有するリングで多数の要求を並行して実行
engine-posixaio = C ライブラリのスレッドで多数の要求を並行して実行
engine-mmap = ファイルのマッピングとの間で 1 つずつコピー
engine-filecreate = ファイルを作成。データは転送しない
engine-filestat = ファイルの情報を取得。データは転送しない
engine-filedelete = ファイルを削除。データは転送しない
engine-dircreate = ディレクトリを作成。データは転送しない
engine-dirstat = ディレクトリの情報を取得。データは転送しない
engine-dirdelete = ディレクトリを削除。データは転送しない
engine-falloc = ファイルの領域を確保、解放。データは転送しない (書き込みはファイルを延長、読み出しはサイズを維持、TRIM は領域を解放)
engine-ftruncate = ファイルのサイズを変更。データは転送しない (書き込みごとにサイズをそのオフセットに合わせる)
engine-null = I/O なし。プログラム自体のオーバーヘッドを計測
engine-sim = 仮想時間で動くシミュレーションのドライブ。fio のエンジンではない
engine-fileoperations = ファイルを作成、参照、削除
engine-io_uring_cmd = io_uring による NVMe コマンド
engine-sg = 汎用ドライバーによる SCSI コマンド
engine-xnvme = xNVMe による NVMe コマンド
engine-libblkio = libblkio による I/O
engine-libzbc = libzbc によるゾーンコマンド
engine-cpuio = CPU に負荷をかける
engine-e4defrag = ext4 でファイルのエクステントを移動
engine-splice = splice と vmsplice
engine-external = ファイルから読み込むエンジン
engine-exec = ほかのプログラムを実行
engine-net = ネットワークで送受信
engine-netsplice = splice によりネットワークで送受信
engine-rdma = RDMA によるメモリ転送とメッセージ
engine-librpma_apm = RDMA 経由の永続メモリ (アプライアンス方式)
engine-librpma_apm_client = RDMA 経由の永続メモリ (アプライアンス方式のクライアント)
engine-librpma_apm_server = RDMA 経由の永続メモリ (アプライアンス方式のサーバー)
engine-librpma_gpspm_client = RDMA 経由の永続メモリ (汎用方式のクライアント)
engine-librpma_gpspm_server = RDMA 経由の永続メモリ (汎用方式のサーバー)
engine-rados = Ceph クラスターのオブジェクト
engine-rbd = Ceph クラスターのイメージ
engine-gfapi = Gluster ボリューム、I/O は 1 つずつ
engine-gfapi_async = Gluster ボリューム、多数の I/O を並行して実行
engine-http = WebDAV、Swift、S3 のオブジェクト
engine-nfs = libnfs による NFS
engine-nbd = libnbd によるネットワークブロックデバイス
engine-libhdfs = Hadoop のファイル
engine-libiscsi = libiscsi による iSCSI ターゲット
engine-dfs = DAOS のファイルシステム
engine-libcufile = ストレージと GPU メモリの間の転送
engine-libpmem = 永続メモリ (マッピングしたファイル)
engine-dev-dax = 永続メモリ (デバイス)
engine-pmemblk = 永続メモリ (ブロック単位)
engine-mtd = コントローラーのないフラッシュメモリ
engine-ime_psync = Infinite Memory Engine、I/O は 1 つずつ
engine-ime_psyncv = Infinite Memory Engine、バッファーのリストを使用
engine-ime_aio = Infinite Memory Engine、多数の I/O を並行して実行
engine-windowsaio = Windows で多数の I/O を並行して実行
engine-solarisaio = Solaris で多数の I/O を並行して実行
engine-guasi = GUASI ライブラリで多数の I/O を並行して実行

## 照合: ブロックの期待値と実際の内容

verify-block = オフセット { $offset } のブロック
    .not-before = オフセット { $offset } のブロック、書き込み { $number } 以降
    .of-write = オフセット { $offset } のブロック、{ $write }

verify-write = 書き込み { $number }
    .of-worker = この実行のワーカー { $worker } の書き込み { $number }
    .of-other-run = 別の実行の書き込み { $number }

verify-content =
    .zeros = ゼロ
    .other = 別の内容
    .checksum = { $checksum } が { $value } の内容

verify-header =
    .kind = 種別 { $kind } のブロック
    .kind-named = 種別 { $kind } ({ $checksum }) のブロック
    .length = { $bytes } バイトのブロック
    .magic = マジックナンバー { $value }
    .checksum = ヘッダーのチェックサム { $value }
    .supported = fio 3.33 のヘッダー
    .newer-fio = 対応していない新しい fio のヘッダーを持つブロック

verify-torn =
    .whole = ブロック全体 ({ $content })
    .one-write = ブロック全体が 1 回の書き込み
    .from = { $byte } バイト目以降 ({ $content })
    .no-header = ヘッダーがなく、{ $byte } バイト目から{ $write }
    .pattern = 別の内容で、{ $byte } バイト目からパターン

verify-pattern-content = パターン
    .at = オフセット { $offset } のパターン

verify-byte = { $value }
    .at = ブロックの { $byte } バイト目が { $value }
    .at-in = { $content }: ブロックの { $byte } バイト目が { $value }
    .flipped =
        { $value }。ブロック内で { $bits ->
            *[other] { $bits } ビット
        }が不一致
    .differs = { $value }。ブロック内で { $bits } ビットが不一致 (パターンからは、どの書き込みかは不明)

verify-length = { $bytes } バイト

verify-dump = { $found }。{ $files } に保存
    .failed = { $found }。ファイルに保存できませんでした: { $error }
