### fio's command line and job files.

fio-place =
    .word = コマンドラインの { $word } 語目
    .step = スイート '{ $suite }' のステップ '{ $step }'

fio-at = { $place }: { $problem }

fio-included = { $problem } (インクルード元: { $places })

fio-others = ほか { $count } 個

fio-option =
    .ambiguous = '{ $option }' で始まるオプションが複数あります ({ $options })。続きまで書いてください
    .value-missing = '{ $option }' には値が必要です。{ $option }=... のように書いてください
    .value-unwanted = '{ $option }' に値は指定できません。'=' 以降を削除してください
    .value-empty = '{ $option }' の値が空です。'=' の後に値を書くか、オプションを削除してください
    .value-unset = 変数 '{ $variable }' が未設定か空のため、'{ $option }' の値が空になります。変数を設定してください
    .name-missing = オプション名がありません
    .not-calculated = '{ $setting }' を計算できません: { $problem }
    .tilde = '{ $option }' の値の '~' はホームディレクトリに置き換わりません。シェルが置き換えるのは語の先頭だけです。代わりに $HOME と書いてください
    .refused = '{ $option }' には対応していません: { $reason }
    .ignored = '{ $option }' は無視します: { $reason }

fio-value =
    .shorter-than = { $limit } 以上で指定してください
    .unknown-format = 不明な形式です。{ $formats } から 1 つ以上をコンマで区切って指定してください
    .global-section = '{ $section }' はグローバルセクションで、実行するジョブがありません
    .example-of-time = 1、500ms、2m のような時間

fio-program =
    .network = 複数ホストにまたがる実行はできません。各ホストで実行してください
    .triggers = 実行中にコマンドは起動できません。実行を開始するスクリプトから起動してください
    .checks = ここにはない fio の部品を検査するものです
    .bandwidth-log = 各ジョブに write_bw_log を指定し、列を合計してください
    .max-jobs = 引き上げるべき上限がありません
    .alloc-size = サイズを決めるメモリプールがありません
    .debug = 読み込んだ内容は --showcmd で、各 I/O は write_iolog を指定したジョブで確認できます
    .latency-log = fio でも廃止されました。各ジョブに write_lat_log を指定してください
    .idle-prof = マシンのアイドル時間は実行中の 'mpstat -P ALL 1' で確認してください。各ジョブの usr と sys は結果にあります
    .inflate-log = 圧縮ログの読み書きには対応していません
    .aux-path = 状態ファイルは作業ディレクトリに書き出します。実行前にディレクトリを移動してください
    .profile = プロファイルはありません。ジョブファイルに書いてください
    .merge-blktrace = blktrace のトレースは統合できません

fio-file =
    .unreadable = ジョブファイル '{ $path }' を読めません: { $reason }
    .not-a-job-file = '{ $path }' はジョブファイルではありません: { $reason }。行を続けるバックスラッシュ (円記号) の後には何も置けません
    .too-long = { $max } バイトを超えています。これはジョブファイルですか?
    .line-too-long = この行は { $max } バイトを超えています。これはジョブファイルですか?
    .zero-byte = ゼロバイトがあります。オプションには使えません
    .not-text = UTF-8 のテキストではありません。オプションや名前は UTF-8 で書いてください
    .unknown-section = '{ $section }' というセクションはありません。あるのは { $sections } です
    .no-sections = '{ $section }' というセクションはありません。セクションが 1 つもありません
    .before-section = '{ $line }' が最初のセクションより前にあります。その上に [job1] のようなセクションを書いてください
    .section-included = インクルードされたファイルにセクションがあります。書けるのはオプションだけです
    .section-unclosed = セクション '{ $section }' は ']' で閉じる必要があり、その後には何も書けません
    .section-unnamed = セクションには [job1] のような名前が必要です
    .capital-global = '{ $section }' はジョブとして扱います。グローバルセクションの名前は小文字の 'global' で始めてください
    .include-unnamed = 'include' の後にファイル名が必要です
    .nested-too-deep = インクルードの入れ子が { $max } 段を超えています。自分自身をインクルードしていませんか?
    .too-many-includes = インクルードが { $max } 個を超えています
    .includes-itself = ファイルが自分自身をインクルードしています: { $chain }
    .variable-unset = 変数 '{ $variable }' は未設定か空のため、空文字列に置き換えます
    .variable-unclosed = '{ $opening }' で始まる変数名が '{ $closing }' で閉じられていません
    .comment-cuts-value = ';' と '#' は語の途中でもコメントの始まりになります。'{ $option }' の値は '{ $value }' です
    .too-many-errors = エラーが { $max } 件を超えたため、残りは表示しません
    .settings-too-long = グローバルセクションを含む全ジョブの設定が { $max } バイトを超えています
    .no-jobs = ジョブがありません。ジョブファイルを指定するか、--name=名前 でジョブを始めてください
    .only-first-file = コマンドラインで最初のジョブより前にあるオプションは、fio と同じく最初のジョブファイルだけに適用します
    .sections-of-all-files = すべてのジョブファイルで指定のセクションだけを実行します。fio では最初のファイルだけを調べ、ほかのファイルは全体を実行します

fio-arithmetic =
    .unfinished = 数値が必要なところで終わっています
    .unclosed = 括弧が閉じられていません
    .division-by-zero = ゼロによる除算です
    .too-large = 大きすぎる数値があります
    .unexpected = '{ $found }' は使えません
    .needs-whole = '{ $operator }' には整数が必要です
    .mixed-units = '{ $operator }' の両辺の単位が合いません。両方に時間の単位を付けるか、どちらにも付けないでください
    .too-deep = 入れ子が { $max } 段を超えています

fio-iolog =
    .empty = 空です
    .name-with-spaces = iolog は列を空白で区切ります
    .line-too-long = 行が { $max } バイトを超えており、iolog ではありません
    .not-text = UTF-8 のテキストではありません
    .second-recording = ここから 2 つ目の記録が始まっています。fio は既存のファイルに追記します。どちらか 1 つだけを残してください
    .name-missing = 名前と操作がありません
    .action-missing = 操作 (add、open、close、read、write など) がありません
    .wait-missing = 待ち時間がありません
    .no-wait = バージョン 3 に 'wait' はありません。時刻で表します
    .too-many-files = ファイルが { $max } 個を超えています
    .not-added = '{ $file }' が追加されていません。先に '{ $file } add' が必要です
    .not-open = '{ $file }' が開かれていません。先に '{ $file } open' が必要です
    .unknown-action = '{ $action }' という操作はありません。あるのは { $actions } です
    .offset-missing = バイト単位のオフセットと長さがありません
    .no-bytes = 0 バイトの I/O です
    .beyond-any-file = I/O の末尾がファイルの上限を超えています
    .blktrace = blktrace のバイナリトレースには対応していません。fio で再生するか、write_iolog で iolog を記録してください
    .unknown-header = iolog は '{ $newer }' か '{ $older }' で始まりますが、'{ $found }' で始まっています
    .time-unreadable = 時刻が '{ $found }' です。{ $max } 以下の整数が必要です
    .offset-unreadable = オフセットが '{ $found }' です。{ $max } 以下の整数が必要です
    .length-unreadable = 長さが '{ $found }' です。{ $max } 以下の整数が必要です

## 実行の拒否

fio-no-jobs = No job(s) defined: ジョブファイルを指定するか、--name=a --size=1G のようにジョブを書いてください

fio-warning-fatal = --warnings-fatal: { $warning }

fio-readonly =
    { $count ->
        *[other] --readonly: ジョブ { $jobs } は書き込みます。--readonly を外すか、rw=read か rw=randread にしてください
    }

fio-readonly-layout = --readonly: ジョブ '{ $job }' は読み出す前に { $path } を作成します。一度 --readonly を外すか、十分に長いファイルを指定してください

fio-no-cpu = ジョブ '{ $job }': CPU { $cpu } はありません。cpus_allowed には { $known } を使ってください

fio-no-node = ジョブ '{ $job }': NUMA ノード { $node } はありません。{ $option } には { $known } を使ってください
    .none = ジョブ '{ $job }': カーネルに NUMA ノードがありません。numa_cpu_nodes と numa_mem_policy を外してください
    .memory-only = ジョブ '{ $job }': numa_cpu_nodes のノードにはメモリだけがあり、プロセッサーがありません。別のノードを指定してください

fio-results-not-written = 結果を { $path } に書き込めません: { $error }。空きを作ってください

fio-enghelp = --enghelp={ $name }: '{ $engine }' というエンジンはありません。使えるのは { $known } です
    .option = --enghelp={ $name }: エンジン '{ $engine }' にオプション '{ $option }' はありません

## 実行の注記とエラー

fio-note = 注記: { $note }
    .more =
        { $count ->
            *[other] ほかに { $count } 件の注記があります。--notes ですべて表示します
        }
    .no-depth = ジョブ '{ $job }' (クローン { $clone }): latency_target を満たすキュー深さが見つかりませんでした

fio-warning =
    .norandommap = ジョブ '{ $job }': verify に norandommap と複数のブロックサイズを組み合わせると、fio は警告します
    .clones = ジョブ '{ $job }': 同じファイルに書き込む複数のクローン (numjobs) で verify を使うと、fio は警告します
    .iologs = ジョブ '{ $job }': read_iolog と write_iolog を組み合わせると、fio は警告します

fio-job-failed = ジョブ '{ $job }' (クローン { $clone }): err={ $errno }: { $error }

fio-job-error =
    .hung = ドライブが応答しなくなりました
    .engine = エンジンが失敗しました
    .create = ファイルの作成
    .stat = ファイル情報の取得
    .delete = ファイルの削除
    .create-directory = ディレクトリの作成
    .stat-directory = ディレクトリ情報の取得
    .delete-directory = ディレクトリの削除

fio-no-engine-options = { $engine } にオプションはありません
