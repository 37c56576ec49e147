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

## 1 つのコマンドに属さないページ

manual-purposes = ドライブを判定する用途
    .description = 判定は、ドライブがある用途に十分かどうかを示します。どの基準値にも根拠があります。基準値は下限で、レイテンシでは上限です。check --require 用途 で終了コードに反映できます。
    .shipped = 用途
    .terms = 用語
    .own = 独自の用途
    .file =
        check --purposes ファイル と compare --purposes ファイル は、TOML ファイルの
        用途も判定します。用途ごとに次の表を書きます。

          {"[["}purpose]]
          id = "our-logging"
          title = "ログサーバー"
          limits = [
            {"{"} figure = "durable_write_iops", enough = "200/s",
              good = "1000/s", source = "最も忙しい日の 3 倍" {"}"},
            {"{"} figure = ["sequential_write", "easier sustained_write"],
              enough = "40 MB/s", if_measured = true, source = "バックアップ" {"}"},
          ]

        figure には計測値の名前、または根拠にできる複数の名前をよいものから順に
        書きます。easier は易しい条件の値で、基準に届かないときだけ数えます。
        harder は厳しい条件の値で、基準を満たすときだけ数えます。if_measured が
        なければ、判定にはその値が必要です。名前は cardiograph explain で一覧できます。

manual-selectors = 保存した診断結果の指定方法
    .sets = 集合
    .rules = 指定は診断結果の集合を表します。show と plot は最新のものを使ってその旨を表示し、compare、remove、label、tag は全体を対象にします。大文字と小文字は区別しません。どの診断結果にもない名前はエラーになり、最も近い名前を示します。

manual-fio = 使える fio のオプションと拒否するオプション
    .description = cardiograph fio は fio のコマンドラインとジョブファイルを受け付けます。計測を変えるオプションは、そのとおり働くか、理由を付けて拒否されます。ここでは何も変えないオプションは、注記を付けて受け付けます。既定値と相違点は docs/fio.md にあります。
    .works = 使えるオプション
    .hints = 効果のないオプション
    .refused = 拒否するオプション
