### ヘルプと man ページの語。

manual-usage = 使い方
manual-commands = コマンド
manual-arguments = 引数
manual-options = オプション
manual-global-options = すべてのコマンドで使えるオプション: { $options } (cardiograph --help を参照)
manual-any-options = オプション
manual-any-command = コマンド
manual-with-default = { $help } [既定値: { $values }]
manual-with-possible-values = { $help } [指定できる値: { $values }]

## man ページの節

manual-name = 名前
manual-synopsis = 書式
manual-description = 説明
manual-section-arguments = 引数
manual-section-options = オプション
manual-section-commands = コマンド
