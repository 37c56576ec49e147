### Pages of `cardiograph serve`.

serve-listening = { $address } を開いてください
    .again = ほかのブラウザーで開くには: { $address }
    .ended = 終了しました。実行中だった診断は保存してあります。
    .open-failed = ブラウザーを起動できませんでした ({ $error })。アドレスを手で開いてください
serve-not-bound = { $address } で待ち受けできません: { $error }。--listen で別のアドレスを指定してください
serve-not-alone = --listen { $address } はほかのホストから接続できます。--tls-cert と --tls-key で証明書を指定するか、TLS を処理するプロキシの背後に置いて --behind-proxy と --host NAME を指定してください。1 人で使う場合は 127.0.0.1:7878 で待ち受け、SSH で接続してください (ssh -L 7878:127.0.0.1:7878 HOST)
serve-no-admin = サインインできる人がいません。先に { $command } でトークンを作成してください
serve-tls-unreadable = { $path } を読み出せません: { $error }
serve-tls-empty = { $path } に PEM 形式の証明書がありません
serve-tls-unfit = { $certificate } と { $key } の組み合わせが正しくありません: { $error }
serve-tls-renewed = 更新された証明書を使用します。
serve-pruned = 古い診断結果を { $checkups } 件削除しました。
serve-failed = サーバーが終了しました: { $error }

serve-nav = ページ
    .home = ドライブ
    .checkups = 診断
    .compare = 比較
    .shelf = 公開結果
    .start = 新しい診断
serve-skip = 本文へ
serve-language = 日本語
serve-to-home = ホームへ

serve-problem = 実行できませんでした
serve-defect = サーバーに不具合があります。詳細はサーバーの端末に表示されています
serve-no-page = { $path } というページはありません
serve-other-host = このサーバーは '{ $host }' ではありません。サーバーが表示したアドレスを開くか、--host { $host } を付けて起動してください
serve-other-origin = 別のサイトのページからの要求です。サーバーが表示したアドレスからこのページを開いてください
serve-no-such-token = このトークンは登録されていないか、期限切れか、取り消されています
serve-not-signed-in = サインインしていません。トークンでサインインするか、サーバーが表示したアドレスを開いてください
serve-not-allowed = { $role } の権限ではこの操作はできません
serve-no-order = 順序 '{ $order }' はありません。last_seen、name、checkups から選んでください
serve-busy = このホストでは別の診断が実行中です。同時に測ると互いに影響します。終わるのを待つか、停止してください
serve-not-running = 診断 { $id } は実行されていません
serve-too-many = { $given } 台は並べられません。{ $most } 台までにしてください
serve-no-model = '{ $model }' は付属の模擬ドライブではありません
serve-not-absolute = '{ $path }' は絶対パスではありません。/mnt/card のようにルートから書いてください
serve-no-erase = このサーバーはデバイスを消去しません。消去するには --allow-erase を付けて起動してください
serve-not-a-setting = '{ $line }' は設定ではありません。1 行に 1 つずつ、名前=値 と書いてください

# Senders
serve-too-often = このトークンで一度に送られた診断結果が多すぎます。残りは後で送ってください
serve-too-much = 一度に届く診断結果が多すぎます。後で送ってください
serve-body-slow = 診断結果が時間内に届きませんでした。もう一度送ってください
serve-body-broken = 診断結果が途中で切れました
# $most: bytes
serve-too-long = 診断結果が { $most } を超えています
serve-not-gzip = 診断結果が完全な gzip ストリームではありません
serve-not-json = '{ $kind }' は受け付けません。application/json で送ってください
serve-not-packed = エンコーディング '{ $encoding }' は受け付けません。gzip で送るか、圧縮せずに送ってください

serve-sign-in = サインイン
    .out = サインアウト
    .token = トークン
    .wrong = このトークンは登録されていないか、期限切れか、取り消されています。
    .local = サーバーが端末に表示したアドレスを開いてください。このブラウザーが 1 回だけサインインできます。使用済みの場合は、端末に新しいアドレスが表示されています。

serve-team = チーム
serve-tokens = トークン
    .how = サーバーのコマンドラインで作成します: cardiograph token add NAME --role ROLE
    .until = 有効期限
    .end = 終了
    .ended = 期限切れまたは取り消し済み
    .revoke = { $name } を取り消す
serve-audit = 操作の記録
    .who = 操作した人
    .what = 操作
    .subject = 対象
    .older = 以前の記録
serve-deed =
    .sign-in = サインイン
    .token-added = トークンの作成
    .token-revoked = トークンの取り消し
    .token-replaced = トークンの交換
    .checkup-started = 診断の開始
    .checkup-stopped = 診断の停止
    .checkup-removed = 診断結果の削除
    .drive-removed = ドライブの削除
    .drives-joined = ドライブの結合
    .drives-separated = ドライブの分離
    .retention = 古い診断結果の削除 (件数)

serve-checkups = 診断
serve-empty = まだ何も保存されていません。
    .start = このホストのドライブを診断
    .examples = 診断すると次のように表示されます (模擬ドライブの例):
serve-simulated = 模擬
serve-no-example = '{ $name }' という例はありません
serve-no-source = '{ $source }' という出典はありません。/shelf に一覧があります
serve-nothing-to-draw = 図にできる共通の数値がありません

serve-drives = ドライブ
    .filter = 絞り込み
    .find = 検索
    .order = 並べ替え:
    .by-seen = 最終確認
    .by-name = 名前
    .by-checkups = 診断の数
    .none = 一致するドライブはありません。
    .before = 前のドライブ
    .after = 次のドライブ
    .place = { $host }: { $path }
    .seen = 最終確認 { $when }、診断 { $checkups } 回。
    .undated = 診断 { $checkups } 回。
    .choose = { $name } を比較

serve-drive =
    .report = 最新の結果
    .compare = ほかのドライブと比較
    .events = 環境の変化
    .all = このドライブのすべての診断
    .published = 公開結果との比較
    .ranks = テストごとの順位
    .joined = 同じドライブ
    .joined-how = 別のアダプター経由で、またはシリアル番号なしで確認されたドライブは、別の項目になります。統合すると、すべての診断をまとめて表示できます。
    .same = このドライブと同じもの
    .join = 統合
serve-drive-separate = 項目 { $key } を再び分離
serve-chart =
    .time = 時刻
    .interval = { $low } から { $high }
serve-older = 以前の診断
serve-column =
    .when = 日時
    .suite = スイート
    .drive = ドライブ
    .label = ラベル
    .host = ホスト

serve-compare =
    .how = 2 台から 8 台までのドライブまたは診断を、ラベルまたは ID で指定してください。drive:名前 は、シリアル番号または型番が一致するドライブの全診断を指します。
    .all = すべての数値
serve-compare-side = ドライブまたは診断 { $number }

serve-live = 診断中
serve-is-running = 診断 { $id } を実行中です。
serve-look-again = 再表示
serve-stop = 停止して、それまでの結果を保存

serve-start =
    .place = 場所
    .known = 各スイートの設定
    .path = または、ドライブ上の別のディレクトリ、デバイス
    .simulate = 実際のドライブまたは模擬ドライブ
    .real = 上の場所にある実際のドライブ
    .suite = スイート
    .label = ラベル (省略可): ドライブの呼び名
    .settings = スイートの設定 (省略可): 1 行に 1 つずつ、名前=値
    .consent = デバイスの ID (消去の確認を求められた場合のみ)
    .much = ドライブへの大量の書き込みを許可する
    .begin = 開始
    .plan = 実行内容を表示
serve-start-suite = { $suite }: { $about }
serve-outline = 実行内容
serve-outline-most = { $suite }: 最長 { $time }、書き込みは最大 { $writes }。まだ何も書き込んでいません。
    .untimed = { $suite }: 書き込みは最大 { $writes }。まだ何も書き込んでいません。
