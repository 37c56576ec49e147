### コマンドラインの誤り。

errors-cli-error = エラー: { $error }
errors-cli-more = 詳しくは '--help' を参照してください。
errors-cli-tip = ヒント: { $tip }

errors-cli-unknown-argument = 引数 '{ $argument }' は使えません
errors-cli-unknown-command = '{ $command }' というコマンドはありません
errors-cli-missing-arguments = 必要な引数がありません:
errors-cli-missing-value = '{ $argument }' の値がありません
errors-cli-invalid-value = '{ $argument }' に値 '{ $value }' は指定できません
errors-cli-invalid-value-because = '{ $argument }' に値 '{ $value }' は指定できません: { $why }
errors-cli-too-many-values = '{ $argument }' に余分な値 '{ $value }' があります
errors-cli-repeated = 引数 '{ $argument }' は 1 回しか使えません
errors-cli-conflict = 引数 '{ $argument }' は '{ $other }' と同時に使えません
errors-cli-conflicts = 引数 '{ $argument }' は次の引数と同時に使えません:
errors-cli-not-utf8 = UTF-8 として正しくない引数があります
errors-cli-no-command = コマンドがありません ('cardiograph check' など)
errors-cli-other = コマンドラインが正しくありません
errors-cli-possible-values = [指定できる値: { $values }]

## ヒント

errors-cli-renamed = '{ $old }' は '{ $new }' になりました
errors-cli-tip-similar = { $names } ではありませんか?
errors-cli-tip-as-value = 値として渡すには '{ $words }' と書いてください

## 値の誤り

errors-value-color = auto、always、never のいずれかにしてください
errors-value-setting = 名前=値 の形で書いてください
errors-value-precision = 0 より大きく 100 % 以下で、2% のように書いてください
errors-value-age = 90d のような 0 より長い時間を指定してください
errors-value-token-name = 英数字、ハイフン、ピリオド、下線を 64 文字まで指定してください。先頭にハイフンは使えません
errors-value-time = 0 より長い時間を、30s、2m、1h のように書いてください
errors-value-time-unit = '{ $unit }' という単位はありません。30s、2m、1h のように書いてください
errors-value-since = 日付または時間を、2026-11-22、30d、12h のように書いてください
errors-value-date = 1970 年以降の日付ではありません。2026-11-22、30d、12h のように書いてください
errors-value-label = --label 'カード A' のように名前を書いてください
errors-value-price = 価格は金額と通貨で、price=980JPY や price='12.50 EUR' のように書いてください
errors-value-size = 容量を 480GB のように書いてください
errors-value-units = decimal (MB/s) か binary (MiB/s) を指定してください
errors-value-number = { $low } から { $high } までの整数で指定してください
errors-value-number-from = { $low } 以上の整数で指定してください
errors-value-level = '{ $level }' という段階はありません。enough または good を指定してください
errors-value-purpose = '{ $purpose }' という用途はありません。{ $hint }
errors-value-claim = '{ $claim }' という公称値はありません。{ $hint }
errors-value-claim-level = 公称値に段階はありません。claim:{ $claim } と書いてください

## compare

errors-compare-shelf = --shelf: 対象のドライブの診断結果を @last のように指定してください
errors-compare-alone = 1 つだけでは比較できません。診断結果またはラベルを 2 つ以上指定するか、--by でまとめてください
errors-compare-twice = '{ $selector }' と '{ $other }' はどちらも { $id } を指します。同じ診断結果どうしは比較できません
errors-compare-fact = --by: '{ $name }' のある診断結果はありません。{ $hint }
errors-compare-same = --by { $by }: { $runs } 件の診断結果はすべて '{ $value }' で、比較する相手がありません
errors-compare-pair = --pair: { $pair } が同じで { $by } の異なる診断結果がありません。ほかの項目を指定するか、計測時に --tag NAME=VALUE を付けてください
errors-compare-metric = --metric: '{ $metric }' という指標はありません。{ $hint }
errors-compare-not-measured = --metric: 共通のテストに { $asked } はありません。使えるもの: { $known }
