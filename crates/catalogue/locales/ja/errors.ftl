### エラー: 句点のない文。最初の行の前にプログラム名とコロンが付く。

name-meant = '{ $meant }' ではありませんか?
name-choose = 使えるもの: { $known }

os-error =
    .eperm = 許可されていない操作です
    .enoent = ファイルまたはディレクトリがありません
    .eio = 入出力エラーです
    .enxio = デバイスまたはアドレスがありません
    .enomem = メモリを確保できません
    .eacces = アクセス権がありません
    .ebusy = デバイスまたはリソースが使用中です
    .eexist = ファイルがすでにあります
    .enodev = デバイスがありません
    .enotdir = ディレクトリではありません
    .eisdir = ディレクトリです
    .einval = 引数が正しくありません
    .emfile = 開いているファイルが多すぎます
    .efbig = ファイルが大きすぎます
    .enospc = デバイスに空きがありません
    .erofs = 読み出し専用のファイルシステムです
    .epipe = パイプの読み手がいません
    .enametoolong = ファイル名が長すぎます
    .eloop = シンボリックリンクの段数が多すぎます
    .etimedout = 時間切れです
    .edquot = ディスククォータを超えました

os-error-other = { $text } (エラー番号 { $number })

# Causes, as parts of other errors.

io-cut-short = ファイルが途中で終わっています

io-not-written = それ以上書き込めません

io-not-utf-8 = UTF-8 のテキストではありません

io-name-taken = ファイル以外のものが同じ名前で存在します

io-saved-aside = { $error } (新しい内容はすべて { $path } にあります)

io-not-ours = cardiograph が作成したことを示すものがありません

input-too-long = { $kind }の上限 { $limit } を超えています

input-directory = ディレクトリです。その中のファイルを指定してください

input-kind =
    .purposes = 用途
    .reports = レポート
    .tokens = トークンのファイル
    .job-files = ジョブファイル
    .patterns = パターン
    .models = 模擬ドライブ

foreign-link = 誰でも書き込めるディレクトリに、ユーザー { $user } が置いたリンクです

tree =
    .unexpected = cardiograph が付ける名前ではありません
    .others-write = ほかのユーザーが書き込めます
    .two-names = ファイルに別の名前もあります (ハードリンク)
    .owner = ユーザー { $user } のものです
    .mounted = そこに別のファイルシステムがマウントされています

output-changed = その間に別のものに置き換わりました

# Failed operations on files and directories.

cannot-create = { $path } を作成できません: { $error }

cannot-open = { $path } を開けません: { $error }

cannot-read = { $path } を読めません: { $error }

cannot-write = { $path } に書き込めません: { $error }

cannot-copy = { $path } をコピーできません: { $error }

cannot-rename = { $path } の名前を変更できません: { $error }

cannot-sync = { $path } を同期できません: { $error }

cannot-remove = { $path } を削除できません: { $error }

cannot-start-thread = { $path } 用のスレッドを開始できません: { $error }

# Paths that users name for output.

output-unfit =
    .kernel = { $path } はカーネルのもので、ドライブ上のファイルではありません。ファイルを指定してください
    .block-device = { $path } はブロックデバイスなので上書きしません。ファイルを指定してください
    .device = { $path } はデバイスで、端末でも /dev/null でもありません。ファイルを指定してください
    .directory = { $path } はディレクトリです。その中のファイルを指定してください
    .socket = { $path } はソケットです。ファイルを指定してください
    .other = { $path } は通常のファイルではありません。ファイルを指定してください

output-not-written = { $path } に書き込めません: { $error }。書き込めるファイルを指定してください
    .no-directory = { $path } に書き込めません: { $error }。先にディレクトリを作成するか、別の場所を指定してください
    .full = { $path } に書き込めません: { $error }。空きを作るか、別の場所を指定してください

# Input and output files, and the store.

option-refused = { $option }: { $refused }

stdout-failed = 標準出力: { $error }

store-or-no-keep = { $error }。または --no-keep を付けて実行してください

store-not-saved = { $error }。何も保存しないなら --no-keep を指定してください

store-set-aside = { $path } に書き出しました。保存先に書き込めるようになれば保存されます。

report-not-saved = 診断結果を保存できませんでした: { $error }

input-unreadable = { $path }: { $error }

select-or-file = '{ $selector }' は { $other } ともファイル ./{ $selector } とも解釈できます

report-other-format = { $path } はレポートではなく { $format } の出力です。cardiograph import { $path } で取り込めます

select-no-file = { $selector }: そのファイルも、その名前の診断結果もありません。保存された診断結果は cardiograph history で一覧できます
    .directory = { $selector }: ディレクトリです。その名前の診断結果もありません。保存された診断結果は cardiograph history で一覧できます

process-held = 以前 { $path } で I/O を行ったプロセス { $process } は、{ $since } からカーネル内で待ったままです。ドライブが応答していません

purpose-file = { $path }:{ $line }:{ $column }: { $problem }
    .figure = '{ $figure }' という計測値はありません。{ $hint }
    .count = 用途 [[purpose]] は 1 個以上 { $most } 個以下にしてください
    .id = ID には英小文字、数字、ハイフンを使ってください (例: 'our-logging')
    .twice = 用途 '{ $purpose }' が 2 つあります
    .limits = 用途 '{ $purpose }' の限度は 1 個以上 { $most } 個以下にしてください
    .none-needed = 用途 '{ $purpose }' の 'enough' に必要な計測値がありません。if_measured のない限度が 1 つ以上必要です
    .text = 文字列は 1 文字以上 { $most } 文字以下で、制御文字を含めないでください
    .first-figure = 最初の計測値は限度の対象そのものにしてください ('easier' や 'harder' は付けられません)
    .units = 1 つの限度に並べる計測値は、すべて同じ単位にしてください
    .no-level = 限度には 'enough'、'good'、またはその両方を書いてください
    .limit = '{ $limit }' はこの計測値の限度として読めません。'{ $example }' のように書いてください
