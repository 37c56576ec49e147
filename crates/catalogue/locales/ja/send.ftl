### チームのサーバーへの送信

send-address = '{ $address }' はサーバーのアドレスではありません。https://ホスト または https://ホスト:ポート と書いてください (--send はほかの引数の後に置きます)
    .path = '{ $address }' はページのアドレスです。https://ホスト のようにサーバーだけを指定してください
    .open = 途中の誰にでも読めるため、{ $address } にはトークンを送りません。https を使ってください (http はこのマシン上だけで使えます)
    .secret = アドレスにトークンやパスワードは書けません。トークンは実行後に入力するか、--token-file ファイル で指定してください

send-not-a-token = トークンではありません。トークンは cg_ と 64 桁の 16 進数で、サーバーで cardiograph token add を実行すると表示されます
send-token-shown = コマンドラインのトークンは、このマシンのすべてのユーザーに読まれます。サーバーで失効させ、新しいトークンを cardiograph send --to https://ホスト の問い合わせに入力するか、--token-file ファイル で指定してください
send-no-terminal = トークンを入力する端末がありません。トークンのファイルを --token-file ファイル で指定してください (- は標準入力)
send-token-question = { $address } のトークン (表示されません):

send-no-home = server.toml の置き場所がありません。XDG_CONFIG_HOME にも HOME にも絶対パスが設定されていません
send-file = { $path }: { $error }
    .readable = { $path } にはトークンがありますが、ほかのユーザーにも読めます (モード { $mode })。chmod 600 を実行してください
    .not-servers = { $path } はサーバーの一覧ではありません
    .malformed = { $path }: { $line } 行目が docs/sending.md のとおりではありません。修正するか削除してください
send-no-server = 送信先のサーバーが登録されていません。cardiograph send --to https://ホスト で登録してください
    .address = { $address } は登録されていません。cardiograph send --to { $address } でトークンを登録してください
send-no-proxy = { $place } は HTTP プロキシのアドレス (http://proxy.example:3128 など) ではありません
send-no-ca = { $path } の証明書: { $error }
    .empty = { $path } に証明書がありません。-----BEGIN CERTIFICATE----- の行がある PEM ファイルを指定してください

send-unreachable = { $address }: { $error }
    .timeout = { $address } が時間内に応答しませんでした
    .no-host = ホスト { $host } がないか、ネームサーバーが応答しません
    .certificate = { $address } の証明書を信頼できません ({ $error })。認証局の PEM ファイルを cardiograph send --to { $address } --ca ファイル で指定してください
    .proxy = プロキシが { $address } に接続しませんでした: { $error }
send-stranger = { $address } は応答しましたが、このバージョンの cardiograph のサーバーではありません
send-answer = { $address }: { $said }
    .status = { $address } がステータス { $status } を返しました
    .redirect = { $address } は別のアドレスに転送しますが、そこにはトークンを送りません。転送先を cardiograph send --to で指定してください
    .token = { $address } ではこのトークンが使えません。新しいトークンを入手し、cardiograph send --to { $address } で登録してください
    .role = { $address } では、このトークンで診断結果を送れません。ロール sender が必要です

send-unread = 診断結果 '{ $id }' は送信していません: { $error }

### プログラムの出力

send-ready = 診断結果を { $address } に { $name } ({ $role }) として送信します。送信するには: cardiograph check --send
send-cannot = トークン { $name } のロール { $role } では送信できません。ロール sender のトークンを入手してください
send-early = { $error }。診断結果はここに保存し、後で送信できます
send-done = 送信済み: { $page }
send-earlier =
    { $checkups ->
       *[other] 以前の診断結果 { $checkups } 件も送信しました。
    }
send-refused = 診断結果 '{ $id }' は送信しておらず、再送もしません: { $error }
send-kept = 診断結果 '{ $id }' はまだ送信していません: { $error }
send-later =
    { $checkups ->
       *[other] 診断結果 { $checkups } 件はまだ送信していません: { $error }。後で送信するには: { $command }
    }
send-not-tried = まだ送信していません。送信するには: { $command }
send-nothing = すべて送信済みです。
