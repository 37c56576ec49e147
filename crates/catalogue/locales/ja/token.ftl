### サーバーのトークン。

token-made = { $name } のトークン (役割: { $role }) を表示します。表示は今回だけです。本人だけが読める場所に保管してください。
token-revoked = { $name } のトークンを取り消しました。使用中のセッションは数秒以内に終了します。
token-revoked-before = { $name } のトークンはすでに取り消されています
token-unknown = トークン '{ $name }' はありません。{ $hint }
token-none = トークンはありません。作成するコマンド: cardiograph token add NAME --role viewer
token-column =
    .name = 名前
    .role = 役割
    .state = 状態
    .used = 最後の使用
token-state =
    .valid = 有効
    .until = { $when } まで有効
    .expired = { $when } に期限切れ
    .revoked = { $when } に取り消し
    .never = なし
