### The store: errors are phrases without a capital or a full stop.

store-bad-id = '{ $id }' はレポートの ID ではありません。英数字と '-'、'_'、'.' が使えますが、先頭に '.' は置けません

store-not-found = { $path } にレポート '{ $id }' はありません

store-database = { $path }: { $error }
    .full = { $path } を書き込む空きがありません。空きを作ってください。それまでに保存した内容は残っています
    .read-only = { $path } に書き込めません。--store で別のファイルを指定してください (check では --no-keep で保存しないこともできます)
    .not-opened = { $path } を開けません: { $error }。--store で別のファイルを指定してください
    .busy = { $path } はほかのプロセスが使用中です。終わるのを待つか、--store で別のファイルを指定してください
    .io = { $path }: { $error }。ドライブの故障か、上限 (クォータ、または ulimit -f) に達したことが原因です。--store で別のファイルを指定してください
    .foreign = { $path } は cardiograph の保存ファイルではありません
    .damaged = { $path } は壊れています: { $error }

store-no-such-kind = '{ $kind }' という種類の保存先には対応していません。drives.db や sqlite:drives.db のようにファイルを指定してください

store-foreign = { $path } は cardiograph の保存ファイルではないため、変更しません。--store で別のファイルを指定してください。診断結果の JSON は `cardiograph show ファイル` で表示できます

store-not-a-file =
    .directory = { $path } はディレクトリです。--store でファイルを指定してください
    .link = { $path } はリンク先のないリンクです。--store でファイルを指定してください
    .block-device = { $path } はブロックデバイスです。--store でファイルを指定してください
    .device = { $path } はデバイスです。--store でファイルを指定してください
    .pipe = { $path } はパイプです。--store でファイルを指定してください
    .socket = { $path } はソケットです。--store でファイルを指定してください

store-too-old = { $path } の形式はバージョン { $found } で、読み出し専用です。必要なのはバージョン { $wanted } です。書き込める場所にコピーし、--store でそのコピーを指定してください

store-too-new =
    .report = レポート '{ $id }' の形式はバージョン { $found } で、このプログラムが読めるのはバージョン { $known } までです。新しいバージョンの cardiograph を使ってください
    .store = { $path } の形式はバージョン { $found } で、このプログラムが読めるのはバージョン { $known } までです。新しいバージョンの cardiograph を使ってください

store-log =
    .left = { $path } は読み出し専用で、最後に保存した内容はまだ { $path }-wal にあります。所有者が一度、cardiograph history --store { $path } などで開く必要があります
    .alone = { $path } がなく、最後に保存した内容を含むかもしれない { $path }-wal だけがあります。元のファイルを戻すか、{ $path }-wal を移動するか、--store で別のファイルを指定してください

store-damaged = { $path } は壊れています ({ $reason })。次のコマンドで修復してください: cardiograph store repair --store { $path }

store-report-damaged = レポート '{ $id }' を読めません: { $reason }

store-report-unreadable = 診断結果 '{ $id }' を読めません: { $reason }。次のコマンドで削除してください: cardiograph remove { $id }

store-step-too-long = 診断結果 '{ $id }' のステップ '{ $step }' は大きすぎて保存できません (JSON で 128 MiB まで)。同時に実行するジョブを減らしてください

store-too-large = { $path } に 4 MiB を超えるテキストがあるか、診断結果が多すぎて一覧が 96 MiB を超えます。--store で別のファイルを指定してください

store-missing = 保存ファイル { $path } はありません

store-not-a-report = { $path } はレポートではありません: { $reason }

store-no-home = 診断結果の保存先がありません。XDG_DATA_HOME にも HOME にも絶対パスが設定されていません

store-left-out = 除外しました: { $error }

store-took-unsaved = 以前に保存できなかった診断結果 { $checkups } 件を保存しました

# Reasons why a store or a report is damaged.

store-damage =
    .compressed = 圧縮された部分が壊れています
    .endless = 内部の参照が循環しています
    .too-large = 保存ファイルの上限を超える内容があります
    .empty = ファイルが空なのに、ログは空ではありません
    .no-tables = 表がありません
    .other-tables = 表が cardiograph のものではありません
    .only-listed = 一覧にあるだけで、本体がありません
    .wrong-drive = ドライブの項目が保存した内容と違います
    .wrong-key = 索引の値が内容と一致しません
    .wrong-summary = 一覧の項目が内容と一致しません
    .wrong-figures = 計測値が内容と一致しません

store-damage-swapped = その場所に別のレポート '{ $other }' があります

store-damage-steps = { $steps } ステップのうち { $found } しかありません

store-damage-list = 診断結果 { $checkups } 件のうち { $found } 件しか一覧にありません

store-damage-step =
    .missing = ステップ { $step } がありません
    .compressed = ステップ { $step }: 圧縮された部分が壊れています
    .swapped = ステップ { $step }: その場所に別のものがあります

store-step-unreadable = ステップ { $step }: { $reason }

store-step-lost = 保存ファイルの破損により、ステップ { $step } は失われました。

# Selectors: how a user names checkups.

select-empty = 保存された診断結果はまだありません。cardiograph check で作成できます

select-nothing = { $reason }。{ $hint }
    .list = 保存された診断結果は cardiograph history で一覧できます
    .suite = スイート '{ $suite }' の診断結果はありません
    .host = ホスト '{ $host }' の診断結果はありません
    .label = ラベル '{ $label }' の診断結果はありません
    .drive = ドライブ '{ $drive }' の診断結果はありません
    .tag = タグ { $name }={ $tag } の診断結果はありません
    .few = 保存されているのは { $checkups } 件だけです
    .word = '{ $selector }': ID がこれで始まる診断結果も、このラベルの診断結果もありません

select-ambiguous = '{ $selector }' に当てはまるものが複数あります: { $candidates }
    .others = ほか { $checkups } 件

select-malformed = '{ $selector }': { $reason }
    .tag = tag:名前=値 の形で書いてください
    .last = @last、その 1 つ前なら @last~1 と書いてください

# Why a file is not a report.

report-too-new = レポートの形式はバージョン { $found } で、このプログラムが読めるのはバージョン { $known } までです。新しいバージョンの cardiograph を使ってください

report-malformed = { $line } 行 { $column } 桁: レポートではありません: { $problem }

report-problem = レポート: { $problem }
    .at = { $place }: { $problem }

report-value =
    .id = '{ $id }' は ID ではありません。英数字と '-'、'_'、'.' が使えます
    .step-id = '{ $id }' はステップの ID ではありません。1 行のテキストが必要です
    .repeated-id = '{ $id }' は前のステップの ID と同じです
    .windows = { $ns } は最初のワーカーの区間 ({ $first } ns) と合いません
    .less = { $number } は { $low } より小さい値です
    .range = { $number } は { $low } から { $high } の範囲にありません
    .time = { $number } は 10 年を超えています
    .greater = { $number } は上限 { $most } を超えています
    .falls = { $number } は { $field } の { $other } より大きい値です
    .columns = 区間が { $windows } 個ありますが、ios では { $ios } 個です
    .bucket-sum = 値は { $n } 個ですが、バケットの合計は { $sum } 個です
    .buckets = { $most } 未満の昇順の数ではありません
    .other-bucket = { $ns } はバケット { $bucket } の値ではありません
    .sum = この合計では、{ $n } 個の値の平均が min_ns から max_ns の範囲にありません
    .not-a-sum = 時間の合計ではありません
    .no-window = 0 ですが、区間が { $windows } 個あります
    .duration = { $ns } に入るのは { $window } ns の区間 { $windows } 個ですが、{ $found } 個あります
    .entries = 要素が { $most } 個を超えています
    .text = 長さは { $bytes } バイトですが、上限は { $most } バイトです

# Why a database server cannot be used.

store-server =
    .silent = サーバーが応答しません

# $reason: what is wrong with it, in English; without the address, which may have a password
store-server-address = PostgreSQL データベースのアドレスを読み取れません: { $reason }; postgresql://ユーザー@ホスト/データベース の形で書いてください

store-server-at-sign = PostgreSQL データベースのアドレスに '@' が 2 つあります: パスワードの '@' は %40 と書くか、パスワードを ~/.pgpass に書いてください

store-server-ssl-mode = sslmode={ $mode } には対応していません。TLS なしで接続するおそれがあるためです: verify-full または disable を使ってください

# $reason: what the TLS library says
store-server-certificates = サーバーを検査するための証明書を使えません: { $reason }

# $found: the server's version
store-server-too-old = { $path } は PostgreSQL { $found } のサーバーです。バージョン 15 以降が必要です

store-server-foreign = { $path } には別のプログラムの表があるため、変更しません: cardiograph 用のデータベースを作るか、--store で別のものを指定してください

store-server-busy = { $path }: すべての接続が使用中です。あとでもう一度試してください

store-server-lost = { $path }: 変更中に接続が切れました。変更されたか確かめ、されていなければやり直してください

store-server-repair = { $path } は PostgreSQL データベースです: pg_amcheck で検査し、pg_dump で作ったバックアップから復元してください

store-server-no-aside = { $path } は PostgreSQL データベースです: 保存できない診断結果は別の場所に残りません。--export-json で書き出してください

store-no-such-drive = キー '{ $key }' のドライブはありません

# $id: of the last checkup of the list before
store-no-such-page = 診断結果 '{ $id }' が削除されたため、一覧の続きを表示できません: 最初からやり直してください

store-not-yours = レポート '{ $id }' は別の人が保存したため、変更しません

store-token-exists = トークン '{ $name }' はすでにあります: 失効させるか、別の名前にしてください
