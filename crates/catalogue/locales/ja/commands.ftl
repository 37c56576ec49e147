### コマンドの問い合わせと出力

## check と run

report-saved = 保存: { $command } または --export-html page.html

report-not-wanted = 指定に従い、レポートは保存していません。

report-effort = { $effort }。

check-resume = 続きは、同じコマンドに --resume を付けて実行してください。

check-no-files = ドライブが応答しない間は、ページ、表、図を書き出せません。後で次のコマンドで書き出せます: cardiograph show @last

outline-heading = 実行する内容 (最大):

outline-step = { $step } ({ $time }、書き込みなし)
    .writes = { $step } ({ $time }、最大 { $bytes } を書き込み)
    .untimed = { $step } (時間制限なし、書き込みなし)
    .untimed-writes = { $step } (時間制限なし、最大 { $bytes } を書き込み)

outline-app = アプリケーション { $load }

check-much = スイート { $suite } は最大 { $bytes } を書き込みます
    .of-capacity = スイート { $suite } は最大 { $bytes } (容量 { $capacity } の { $share }) を書き込みます
check-much-question = { $much }。開始しますか?
check-much-unapproved = { $much }。承認するには --yes を付けてください
check-much-declined = 承認されなかったため、計測も書き込みもしていません

check-would-ask = 端末では確認を求め、それ以外では拒否します: { $why }。

outline-end = 何も書き込んでいません。

run-cut = --max-time により { $jobs } は途中で終了しました。
run-left-out = --max-time により { $jobs } を実行する時間がありませんでした。

run-no-jobs = ジョブファイルにジョブがありません。ジョブは [seqread] のように角かっこで囲んだ名前で始まります

require-item = --require { $requirement }: { $figure }
    .alone = --require { $requirement }
require-outcome =
    .holds = 合格
    .fails = 不合格
    .open = 未判定

require-claim-not-checked = --require claim:{ $claim }: スイート { $suite } では検証しません。{ $suites } を使ってください

## 実行中の表示

live-inquiring = ドライブの健康状態を確認中
live-trimming = { $step }: 空き領域を TRIM 中
live-making-room = { $step }: 領域を確保中
live-saving = { $step }: 元のデータを保存中 ({ $saved }/{ $places } か所)
live-restoring = { $what }: { $percent } %
live-preparing = 準備または確認中

live-step = ステップ { $step }
    .of = ステップ { $step }/{ $steps }
live-time =
    .at-most = { $elapsed }, 残り最大 { $left }
    .about = { $elapsed }, 残り約 { $left }
live-temperature = { $now } °C
    .hot = { $now } °C (警告温度 { $limit })
live-written = 書き込み { $written }
    .of = 書き込み { $written } / { $most }
live-stall = 停止 { $time }
live-fall-off = 速度の低下 { $before } → { $after }
live-part =
    .verified = 照合済み
    .written = 書き込み済み
    .waiting = 未処理
    .bad = 不良
live-cameras = カメラ { $cameras } 台
live-cameras-end =
    .in-time = 間に合った
    .late = { $late } 秒分の映像が期限に遅れた
    .behind = 録画できたのは { $share } のみ
    .now = 期限の来た { $due } 秒分のうち { $recorded } 秒分を録画

## job

job-of-fio = '{ $setting }' は `cardiograph fio` のファイルや出力にしか影響しません。外すか、そちらを使ってください

job-path = filename={ $path }: ジョブは専用のテストファイルを作ります。ディレクトリは directory=DIR で指定してください

job-file-names = ioengine={ $engine } はファイルを名前で扱いますが、ジョブのテストファイルには名前がありません。`cardiograph fio` を使ってください

job-scheduler = ioscheduler には `cardiograph fio` が必要です。外すか、そちらを使ってください

job-simulated = 模擬ドライブは `cardiograph check --simulate` で診断してください

## 選択

select-newest = { $selector }: 診断結果が { $checkups } 件あります。最新の { $id } を使います

store-or-name = { $error }。--store でファイルを指定してください

## remove と store repair

remove-question = { $checkups } 件の診断結果を完全に削除しますか?

remove-no-terminal = 削除していません。確認に使う端末がありません。確認なしで削除するには --yes を付けてください

remove-nothing = 削除していません。

edit-done = { $checkups } 件の診断結果を変更しました。

store-exported = { $checkups } 件の診断結果を { $path } に書き出しました。
store-imported = { $path }: 新規 { $checkups } 件、既存 { $known } 件。
# $from, $to: files or addresses; $known: those that were the same in both
store-copied = { $from } から { $to } へ: コピー { $checkups } 件、既存 { $known } 件。
store-copy-progress = 診断結果 { $done } / { $checkups } 件
store-copy-compared = { $checkups } 件の診断結果を比べました: 両方で同じです。
store-copy-differs = { $to }: コピー中に変更されたため、{ $checkups } 件の診断結果が異なります: { $ids }。もう一度コピーしてください
store-copy-same = { $path } をそれ自身にはコピーできません
store-import-line = { $path } の { $line } 行目: { $why }。取り込んでいません
store-not-an-export = { $path } は保存先から書き出したファイルではありません。1 件のレポートやほかのプログラムの出力は cardiograph import で取り込めます

remove-done = { $checkups } 件の診断結果を削除しました。

repair-undamaged = { $path } に破損はありません。変更していません。

repair-done = { $path } を修復しました。{ $checkups } 件の診断結果を救出しました。

repair-steps-lost = そのうち { $steps } 個のステップが失われました。診断結果の注記に記録しています。

repair-lost = { $checkups } 件の診断結果が失われました: { $ids }

repair-aside = 破損したファイルは { $path } に残しました

## import

import-standard-input = 標準入力

import-empty = { $file }: 空です

import-unknown = { $file }: 形式を判別できません。--as で指定してください (一覧は cardiograph import --list-formats)

import-refused = { $file }: { $format } として取り込めません:
    .map = { $file }: --map では取り込めません:

import-no-format = '{ $name }' という形式はありません。{ $hint }

import-view = 表示するには: { $command }

import-state =
    .would-be-new = { $id } として保存します (試行)
    .new = { $id } として保存
    .would-change = 保存済みの { $id } の注記を変更します (試行)
    .changed = 保存済みの { $id } の注記を変更
    .relabelled = 保存済みの { $id } のラベルを { $before } から { $after } に変更
    .known = { $id } として保存済み

## 図とページ

png-no-fonts = PNG にはフォントが必要ですが、インストールされていません。フォント (Debian: { $packages }) をインストールするか、--export-svg を使ってください
    .japanese = PNG には日本語フォントが必要ですが、インストールされていません。フォント (Debian: { $packages }) をインストールするか、--export-svg を使ってください
    .letters = PNG には '{ $letters }' を含むフォントが必要ですが、インストールされていません。フォント (Debian: { $packages }) をインストールするか、--export-svg を使ってください

png-failed = 図を PNG で描けません: { $error }
    .too-large = 図を PNG で描けません: 大きすぎます

png-not-built = このプログラムは PNG (feature png) なしでビルドされています。ブラウザーやオフィスソフトで表示できる --export-svg を使ってください

export-one-stdout = { $option } と { $other } の両方が標準出力に書き出します。どちらかにファイル名を指定してください

show-fio-or-export = --fio は標準出力に書き出します。ほかの書き出し先にはファイル名を指定してください

export-written = { $format }: { $path }

man-not-written = man ページを { $directory } に書き出せません: { $refused }

man-written = man ページを { $directory } に書き出しました

show-no-fio = ジョブを実行したステップがないため、fio の出力はありません。数値は --json と --csv で得られます

## suites と engines

list-suites = { $group } (check --suite 名前):

list-suites-default = { $suite } (既定)

list-suites-apps = アプリケーション (check --suite apps --set load=名前,...):

list-suites-purposes = 用途 (check --require 用途):

list-suites-claims = --require claim:ID: 公称値を満たさなければ 1 で終了: { $claims }

list-suites-preconditioning = 計測前の全域書き込み: { $state }。
list-suites-setting = --set { $name }={ $form }: { $help }
    .default = --set { $name }={ $form }: { $help } [{ $default }]

list-engines = エンジン:

list-engines-missing = 使用不可: { $reason }
    .instead = 使用不可: { $reason }。代わりに { $engine } を使います

list-engines-drives = 模擬ドライブ (check --simulate 名前):
