### プログラムのヘルプ。

## 値を表す語

help-value-address = アドレス
help-value-date = 日付
help-value-device = デバイス
help-value-directory = ディレクトリ
help-value-file = ファイル
help-value-format = 形式
help-value-id = ID
help-value-kind = 種類
help-value-lang = 言語
help-value-units = 単位
help-value-map = 対応
help-value-model = モデル
help-value-n = 件数
help-value-name = 名前
help-value-number = 数値
help-value-operand = オペランド
help-value-option = オプション
help-value-path = パス
help-value-percent = 割合
help-value-purpose = 用途
help-value-role = 役割
help-value-selector = 対象
help-value-shell = シェル
help-value-size = サイズ
help-value-source = 出典
help-value-store = 保存先
help-value-text = 文字列
help-value-theme = 配色
help-value-time = 時間
help-value-value = 値
help-value-when = いつ
help-value-word = 用語

## cardiograph

help-cardiograph = ストレージの健康診断。ドライブを計測し、個々の計測値がどこまで信用できるか、ドライブが何に向くかを示します
    .after =
        例:
          cardiograph check                今いるディレクトリのドライブを診断 (約 1 分)
          cardiograph check /mnt/card      書き込めるディレクトリのドライブを診断
          cardiograph drive                このマシンのドライブを一覧表示
          cardiograph check --dry-run      実行内容と書き込み量の上限だけを表示
          cardiograph check --simulate sandisk-ultra-64
                                           模擬ドライブを診断 (1 秒未満)
help--store = 診断結果を、データディレクトリのファイルではなくこのファイル (なければ作成) または PostgreSQL データベース (postgresql://USER@HOST/DATABASE) に保存し、ここから探す
help--lang = すべての出力の言語。省略時は LC_ALL、LC_MESSAGES、LANG に従う
help--units = 帯域の単位。decimal (MB/s) または binary (MiB/s)
help--quiet = 結果、警告、エラーのみを表示 (見出し、実行中の表示なし)
help--color = 文字の色。auto (端末で、NO_COLOR がないとき)、always、never
help--json = JSON で標準出力に表示する (--export-json - と同じ)
help--export-json = JSON でファイルに書き出す ('-' は標準出力。本文は標準エラー出力に出す)
help--export-csv = 計測値を CSV で、基本単位で書き出す
help--export-markdown = 記事に貼り付けられる Markdown で書き出す
help--export-html = スクリプトもネットワークも要らないページとして書き出す
help--export-svg = 図を SVG で書き出す
help--export-png = 図を、このマシンのフォントで PNG に書き出す
help--help = ヘルプを表示する
help--version = バージョンを表示する

## check

help-check = ドライブを計測し、何に向くかを判定する
    .after =
        動作:
          パスにテストファイルを作って計測し、終わったら削除します。root 権限は不要で、
          ほかのファイルには触れません。書き込む前に、書き込み量の上限を表示します。
          既定のスイートでは、ドライブの容量の 1 % かつ 8.6 GB を超えて書き込みません。

        kill -9 や停電で中断したら:
          テストファイルは、ファイルシステムが対応していれば名前のないファイルなので、
          自然に消えます。対応していなければ .cardiograph-*.tmp という名前です。
          スイート apps は常にディレクトリ .cardiograph-*.dir を、スイート capacity は
          ファイル cardiograph-capacity-* を使います。同じ場所での次の診断が、自分の
          残したものと確認できたものを削除し、触れないものの名前を示します。capacity の
          完成したファイルは再開のために残ります。削除するには --suite capacity
          --set leftovers=remove を使います。capacity がデバイスに上書きした内容は、
          そのデバイスの次の診断で元に戻ります ('cardiograph drive' で確認できます)。

        結果の読み方:
          上位のサンプルが 10 個に満たないパーセンタイルは判定に使わず、括弧内に示すか、
          信頼区間に上端がなければ表示しません ('-')。カーネルのカウンターと矛盾する値も
          表示しません。
          判定は「最適」「十分」「不足」「未判定」のどれかです。

        終了コード:
          0    正常終了
          1    --require を満たさない
          2    使い方の誤り、またはシステムが許可しない
          3    I/O の失敗、ドライブの応答停止、または診断結果を保存できない
          4    --require を判定できない
          129, 130, 143
               中断 (端末の終了、Ctrl-C、SIGTERM)。完了したステップは保存済み

        例:
          cardiograph check /mnt/card --label 'card A' --require db-light
          cardiograph check --precision 2% --max-time 3m
          cardiograph check --suite sd-class --require claim:v30
          cardiograph check --suite article --export-json report.json
          cardiograph check --simulate my-drive.toml --seed 7
help-check-path = ドライブ上のディレクトリ。スイートによってはブロックデバイス
help-check--suite = 実行するスイート (`cardiograph suites` を参照)
help-check--set = スイートの設定を変える (`cardiograph suites` を参照)。繰り返し指定できる
help-check--simulate = 実物の代わりに、模擬ドライブを仮想時間で診断する。付属のモデル名または TOML ファイルを指定する
help-check--purposes = この TOML ファイルの用途も判定する。付属の用途と同じ ID はそれに代わる (`man cardiograph-purposes` を参照)
help-check--dry-run = 実行内容と書き込み量の上限を表示し、何も実行しない
help-check--yes = 容量の 5 % または 50 GB を超えて書き込みうるスイートでも確認を求めない
help-check--max-time = かける時間の上限 (30s、2m など)。ステップを短縮または省略する
help-check--precision = 速度を測る各ステップを、速度がこの精度 (2% など) で求まり、安定した時点で終える。上限は --max-time
help-check--label = あとでレポートを探すためのドライブの名前
help-check--tag = レポートを探したり比べたりするためのタグ (board="Pi 5"、price=980JPY など)。繰り返し指定できる
help-check--require = ドライブがこの用途に十分でなければ (用途=good なら最適でなければ)、またはこの公称値 (claim:v30、claim:capacity、claim:flush) を満たさなければ、1 で終了する。繰り返し指定できる
help-check--buffered = ダイレクト I/O ではなくページキャッシュを通して計測する。値はドライブではなくシステムのものになる
help-check--verbose = 各ステップのすべての値と、同じことをする fio のコマンドラインを表示する
help-check--allow-erase = この ID のデバイスの内容を破壊することを許可する。ID は拒否されたときに表示される
help-check--resume = 同じスイート、ドライブ、設定で最後に中断した診断を再開する (--suite sweep のみ)
help-check--no-keep = レポートを保存しない
help-check--send = 保存したレポートをチームのサーバーに送信する (まだ送れていないものも送る)。アドレスを省くと、最後に send --to で指定したサーバー
help-check--seed = 乱数のシード。同じシードなら、模擬ドライブの診断は同じレポートになる

## drive

help-drive = ドライブの素性と公称値を表示、または全ドライブを一覧表示する
    .after =
        書き込みも計測もしません。root だけが読める情報と、インストールされていない
        プログラムが必要な情報は、不明として示します。

        例:
          cardiograph drive                      全ドライブと ID を一覧表示
          cardiograph drive /mnt/card            パスの下にあるドライブを表示
          cardiograph drive /dev/mmcblk0 --json
help-drive-path = ドライブ上のパス、デバイス、またはカーネルでの名前。省略すると全ドライブを一覧表示する

## history

help-history = 保存した診断結果を新しい順に一覧表示する
    .after =
        例:
          cardiograph history --since 30d
          cardiograph history --suite sd-class --tag board='Pi 5'
help-history--drive = このドライブだけ (型番、シリアル番号または ID)
help-history--suite = このスイートだけ
help-history--since = この日以降 (2026-11-22)、または直近の期間 (30d、12h) だけ
help-history--host = このマシンだけ
help-history--tag = このタグの付いたものだけ。繰り返し指定できる
help-history--limit = 表示する最大件数

## show

help-show = 保存した診断結果の要約を表示する (-v ですべて)
    .after =
        対象は 1 つまたは複数の診断結果で、複数なら最新のものを表示します
        (`man cardiograph-selectors` を参照)。ID またはその先頭部分、ラベル、または
        次のいずれかで指定します。
          @last, @last~1     最新の診断結果、その 1 つ前
          label:名前         --label で付けた名前
          tag:名前=値        --tag で付けたタグ
          drive:ID           ドライブのシリアル番号、ID または型番
          sender:名前        このトークンがサーバーに送ったすべて
          ファイル           --export-json で書き出したレポート

        例:
          cardiograph show @last
          cardiograph show 20261122 --verbose
          cardiograph show label:microsd --json
          cardiograph show @last --export-html report.html
          cardiograph show @last --export-markdown - --lang ja
help-show-selector = 表示する診断結果
help-show--verbose = 各ステップのすべての値も表示する
help-show--fio = 代わりに、各ステップの計測結果を fio の JSON で書き出す ('json+' はレイテンシの度数分布付き)

## remove

help-remove = 保存した診断結果を完全に削除する
    .after =
        対象は `cardiograph show` と同じで、複数の診断結果に一致してもかまいません。
        実行中の診断は、次のステップで再び保存されます。

        例:
          cardiograph remove 20261122-101500-4f2a11
          cardiograph remove label:test tag:board=Pi-4 --yes
help-remove-selectors = 削除する診断結果
help-remove--yes = 確認を求めない

## label と tag

help-label = 保存された診断結果にラベルを付ける (ドライブのすべては drive:ID)
    .after =
        TEXT が空ならラベルを外します。SELECTOR は `cardiograph show` と同じで、
        複数の診断結果に一致してもかまいません。

        例:
          cardiograph label @last 'card A'
          cardiograph label drive:S4EWNX0R ssd
help-label-selector = ラベルを付ける診断結果
help-label-text = ラベル
help-tag = 保存された診断結果に、検索や比較に使う情報を付ける
    .after =
        値のない NAME= はタグを外します。

        例:
          cardiograph tag @last board=Pi-5 price=980JPY
          cardiograph tag 'label:card A' reader=
help-tag-selector = タグを付ける診断結果
help-tag-tags = タグ

## store

help-store = 診断結果を保存しているファイルを修復する、またはほかへ写す
help-store-copy = 保存先のすべての診断結果を別の保存先へ写し、両方を比べる
    .after =
        例:
          cardiograph store copy drives.db copy.db
          cardiograph store copy drives.db postgresql://ann@db.example.org/drives
        両方にある診断結果は、内容が違えば置き換える。何度でも実行できる。
help-store-copy-from = 写す元の保存先のファイルまたはアドレス
help-store-copy-to = 写す先のファイルまたはアドレス。なければ作成する
help-store-export = すべての診断結果を、1 行に 1 つの JSON としてファイルに書き出す
    .after =
        例:
          cardiograph store export checkups.jsonl
          cardiograph store export - | ssh server cardiograph store import -
help-store-export-file = ファイル。- は標準出力
help-store-import = 書き出したファイルから、まだない診断結果を保存する
help-store-import-file = ファイル。- は標準入力
help-store-repair = 壊れたファイルから読めるものを復元する。壊れたファイルは隣に残る

## send

help-send = 保存した診断結果をチームのサーバーに送信する
    .after =
        選択子を省くと、まだ送れていないものを送信します。サーバーのディスクに保存される
        と送信済みになります。2 回送っても問題ありません。

        サーバー:
          --to は、サーバーの管理者から受け取ったトークン (cardiograph token add) の入力
          を求めて確かめ、アドレスとともに ~/.config/cardiograph/server.toml に保存しま
          す。このファイルは本人にしか読めません。アドレスを省くと、最後に指定したサー
          バーを使います。HTTP プロキシは HTTPS_PROXY と NO_PROXY、またはこのファイルに
          従います。

        終了コード:
          0    すべて送信済み
          2    コマンドラインの誤り、または診断結果やサーバーが見つからない
          3    送れないものがあった

        例:
          cardiograph send --to https://drives.example
          cardiograph check --send
          cardiograph send drive:S4EW @last
          cardiograph send
help-send-selectors = 送信する診断結果: ID またはその先頭、@last、label:テキスト、tag:名前=値、drive:ID
help-send--to = このサーバーを登録する。選択子があれば、このサーバーに送信する (https://ホスト)
help-send--token-file = トークンを入力せず、このファイルから読む ('-' は標準入力)
help-send--ca = この PEM ファイルの証明書も信頼する

## token

help-token = サーバーを使う人のトークンを作成、一覧、取り消す
    .after =
        サーバーが使う保存先を変更します。サーバーの実行中でも使えます。
        役割: viewer は閲覧、sender は診断結果の送信のみ (機器用)、operator は診断の
        開始と停止も、admin はすべてを行えます。

        例:
          cardiograph token add ann --role admin
          cardiograph token add pi5 --role sender --expires 365d
          cardiograph token list
help-token-add = トークンを作成し、1 回だけ表示する
help-token-add-name = 持ち主の名前: 英数字、ハイフン、ピリオド、下線
help-token-add--role = 持ち主の役割
help-token-add--expires = 90d など、この時間の後に期限切れにする
help-token-list = トークンを一覧表示する (値は表示しない)
help-token-revoke = トークンを取り消す
help-token-revoke-name = トークンの名前
help-token-replace = 失くしたトークンを新しい値に替え、古い値を無効にする
help-token-replace-name = トークンの名前

## serve

help-serve = 保存した診断をブラウザーで表示し、新しい診断を始める
    .after =
        ブラウザー 1 つがサインインできるアドレスを表示します。このホストからだけ
        接続できます。TLS を使うか、TLS を処理するプロキシの背後に置くと、チームで
        使えます。全員がトークン (cardiograph token) でサインインします。設定は
        docs/server.md にあります。Ctrl-C で終了し、実行中の診断は止めて保存します。

        例:
          cardiograph serve --open
          cardiograph serve --listen 127.0.0.1:9000
help-serve--listen = このホストのこのアドレスで待ち受ける
help-serve--host = プロキシなど、この名前あての要求にも応える
help-serve--tls-cert = この証明書 (PEM) による TLS でほかのホストからの接続を受け付ける
help-serve--tls-key = 証明書の秘密鍵 (PEM)
help-serve--behind-proxy = TLS を処理するプロキシの背後で動作する
help-serve--keep = これより古い診断結果を 1 時間ごとに削除する (例: 365d)
help-serve--keep-newest = ただしドライブごとに最新のこの件数は残す
help-serve--open = ページをブラウザーで開く
help-serve--allow-erase = ID の入力を求めたうえで、ページからのデバイスの消去を許可する

## shelf

help-shelf = ほかのドライブの公開された計測結果を、出典とともに表示する
    .after =
        値は、同じ方法で計測したものどうしでなければ比べられません。出典を指定すると、
        値を得たコマンドも表示します。

        例:
          cardiograph shelf                      出典を一覧表示
          cardiograph shelf dramble-cards        ある出典の表を表示
          cardiograph shelf --drive 'samsung evo'
                                                 あるドライブに関する全出典の値を表示
help-shelf-source = この出典の表を表示する
help-shelf--drive = 名前にこの文字列を含むドライブだけを、その表とともに表示する

## import

help-import = ほかのプログラムの計測結果を、出力やログから取り込んで保存する
    .after =
        取り込むもの:
          ファイルに書かれていることだけを取り込みます。1 つのファイルに複数のプログラ
          ムの出力、プロンプト、引用符、ログの時刻などが混じっていても、出力の一部だけ
          でもかまいません。足りない部分は注記します。ドライブごとに、また同じテストを
          何度も実行したときは実行ごとに、別々の診断結果になります。値が矛盾するファイ
          ルは全体を取り込まず、その行を示します。

        表 (--map):
          Markdown、空白またはタブで揃えた列、コンマ区切りに対応しています。対応は、';'
          で区切った代入の並びです: drive=列、test=列、テスト.項目=列 単位、計測方法を
          表す「テスト: コマンド」。iozone のテストには、動作の名前を付けます
          (random-read、rewrite)。MB/s=MiB/s は、MiB/s を意味する MB/s の欄を読みます。
          列は、1 から始まる番号か見出し、または見出しがドライブであるすべての列を表す *
          です。1 つの空白で区切られた表では列を番号で指定し、名前を 1 列目に置きます。
          何通りにも分けられる行は拒否します。

        終了コード:
          0    正常終了
          2    読めないファイルがあった (ほかのファイルは保存済み)
          3    保存先に書き込めない

        例:
          cardiograph import fio.txt --label ssd --tag board='Pi 5'
          fio --output-format=json job.fio | cardiograph import -
          cardiograph import run_lat.1.log run_bw.1.log --dry-run
          cardiograph import --list-formats
          cardiograph import table.md --map 'drive=Card;
              w.write.bandwidth=dd write MB/s;
              w: dd if=/dev/zero of=x bs=8k count=50k conv=fsync'
help-import-files = ほかのプログラムの出力とログ ('-' は標準入力)
help-import--as = 自動で認識されないときの形式
help-import--map = 列の意味をこう解釈して表を読む ('drive=1; read.bandwidth=2 MB/s' など。下を参照)
help-import--label = あとで診断結果を探すためのドライブの名前
help-import--tag = 診断結果を探したり比べたりするためのタグ (board="Pi 5"、price=980JPY など)。繰り返し指定できる
help-import--capacity = ドライブの公称容量 (480GB など)。出力にはふつう含まれず、用途によっては判定に必要
help-import--send = 保存したレポートをチームのサーバーに送信する (まだ送れていないものも送る)。アドレスを省くと、最後に send --to で指定したサーバー
help-import--list-formats = 対応している形式を一覧表示する
help-import--dry-run = 取り込む内容を表示し、保存しない

## compare

help-compare = 診断結果を比べ、偶然とは言えない差を示す
    .after =
        対象は `cardiograph show` と同じです。複数の診断結果があるラベル、タグ、
        ドライブは 1 つのグループになり、数が多いほど小さな差まで偶然と区別できます。
        テストは、名前ではなく計測方法が同じものどうしを比べます。

        終了コード:
          0    正常終了。--fail-if-worse では、偶然とは言えない悪化がない
               (偶然かもしれない悪化は一覧に示す)
          2    使い方の誤り
          4    悪化は見つからないが、足りないテストがある、診断が完了していない、または
               何も判定できない (--fail-if-worse)
          5    悪化したものがある (--fail-if-worse)

        例:
          cardiograph compare microsd ssd
          cardiograph compare microsd ssd --export-markdown tables.md
          cardiograph compare --by raid,scheduler --metric iops
          cardiograph compare --baseline label:march @last --fail-if-worse 10%
          cardiograph compare @last --shelf
help-compare-selectors = 比べるもの (2 つ以上)。最初のものが基準になる
help-compare--verbose = テストごとのすべての値、そのほかの違い、判定の根拠も表示する
help-compare--baseline = ほかのすべてと比べる基準
help-compare--by = 診断結果 (指定がなければ保存済みのすべて) を、これらの属性やタグの値 (raid,scheduler など) でグループに分ける
help-compare--pair = この項目やタグが共通するドライブを 1 行ずつ、--by の値を横に並べて表示する: --pair board --by overclock
help-compare--rows = 記事の表のように、グループごとに 1 行、テストごとに 1 列で表示する
help-compare--ratios = グループが 3 つ以上のとき、最初のグループに対する倍率も表示する
help-compare--metric = これらの指標 (iops,latency_p99 など) だけを、指標ごとに 1 つの表にする。行がテスト、列がグループ
help-compare--purposes = この TOML ファイルの用途も判定する。付属の用途と同じ ID はそれに代わる (`man cardiograph-purposes` を参照)
help-compare--shelf = 同じ方法または近い方法で計測された公開結果の中で、ドライブの順位を示す。対象は 1 つでよい
help-compare--fail-if-worse = この割合 (10% など) 以上で、偶然とは言えない悪化だけを表示し、あれば 5 で終了する

## plot

help-plot = 保存した診断結果を図にする (点、推移、パーセンタイル、スイープ)
    .after =
        種類:
          dots               各テストの値と信頼区間 (テストごとの目盛)
          over-time          速度の推移 (低下と停止を含む)
          percentiles        パーセンタイルごとのレイテンシ
          distribution       レイテンシごとの I/O の数
          latency-over-time  区間ごとのレイテンシ (濃淡、または平均と最大)
          sweep              スイープの表を色分けした図

        例:
          cardiograph plot @last --export-svg dots.svg
          cardiograph plot microsd ssd --kind percentiles --step durable-write \
              --title fsync --size 1200x630 --export-png fsync.png
          cardiograph plot @last --kind over-time --export-svg - --lang ja
help-plot-selectors = 1 つの図に並べる診断結果 (`cardiograph show --help` を参照)。複数に一致すれば最新のもの
help-plot--kind = 図の種類
help-plot--step = この ID のステップだけを図にする (ID は `show --verbose` で表示される)
help-plot--title = 図の題名
help-plot--size = 幅 (720)、または幅と高さ (1200x630)。単位はピクセル
help-plot--theme = 配色。print は印刷用の白黒

## 一覧

help-suites = スイートとそのステップ、および判定する用途を一覧表示する
help-engines = エンジンと、ここで使えないものの理由を一覧表示する
help-explain = レポートの用語 (用途、計測値、警告、マークなど) を説明する
    .after =
        例:
          cardiograph explain                    すべての用語を一覧する
          cardiograph explain a2
          cardiograph explain queue depth
help-explain-words = 用語

## job と run

help-job = fio のオプション名で書いた 1 つのジョブを実行し、計測値を表示する
    .after =
        例:
          cardiograph job rw=randread bs=4k size=512M runtime=10 time_based=1 \
              direct=1 ioengine=io_uring iodepth=32
help-job-settings = fio のオプション (名前=値)
help-job--json = 代わりに、結果を JSON で表示する
help-job--each-line = 標準入力の 1 行ごとに、同じファイルでジョブを 1 回実行する。ほかのプログラムと交互に動かすため
help-run = fio のジョブファイルを実行し、計測値を診断結果として表示、保存する
    .after =
        例:
          cardiograph run ssd-test.fio --section seqread
help-run-files = fio のジョブファイル ('-' は標準入力)
help-run--section = このセクションだけを実行する。繰り返し指定できる
help-run--max-time = 30s や 2m など、この時間を超えない。ジョブを短くするか省く
help-run--tag = レポートを探し、比べるためのタグ。例: board="Pi 5"、price=980JPY。繰り返し指定できる
help-run--label = あとでレポートを探すためのドライブの名前
help-run--allow-erase = この ID のデバイスの内容を破壊することを許可する。ID は拒否されたときに表示される
help-run--verbose = 各ジョブのすべての値と、同じことをする fio のコマンドラインを表示する
help-run--no-keep = レポートを保存しない
help-run--send = 保存したレポートをチームのサーバーに送信する (まだ送れていないものも送る)。アドレスを省くと、最後に send --to で指定したサーバー

## ほかのプログラム

help-fio = fio 互換のコマンドライン、ジョブファイル、出力
help-fio-words = fio のオプションとジョブファイル
help-hdparm = hdparm と同じ計測を行い、同じ形式で出力する
    .after =
        ブロックデバイスの読み出し速度を hdparm と同じ形式で表示します。書き込みません。

        使い方: cardiograph hdparm [-t] [-T] [--direct] [--offset GIB] [--rest 秒]
                                   デバイス...

          -t            ページキャッシュを捨ててから、デバイスの先頭を 2 MiB ずつ 3 秒間
                        読み出す
          -T            先頭の 2 MiB をメモリから 2 秒間読み出す
          --direct      ページキャッシュを使わない
          --offset GIB  -t の開始位置
          --rest 秒     各計測の前に、未書き込みのデータをドライブに書き出し、この時間
                        デバイスを休ませる (既定は hdparm と同じ 3 秒。このオプション
                        自体は hdparm にない)

        hdparm と同じく、1 MB は 2^20 バイトです。-T はドライブではなく、プロセッサーと
        メモリの速度です。デバイスの読み出しには、root かそのグループの権限が必要です。

        例:
          cardiograph hdparm -t /dev/mmcblk0
help-hdparm-words = hdparm のオプションとデバイス
help-dd = dd と同じようにドライブとの間でコピーし、同じ形式で出力する
    .after =
        ドライブの計測によく使われる dd のコピーを、dd と同じオペランドと出力
        (標準エラー出力) で実行します。数値と接尾辞は GNU dd 9 と同じです。

        使い方: cardiograph dd if=/dev/zero|/dev/urandom of=ファイル
                               count=N [オペランド...]
                cardiograph dd if=ファイル of=/dev/null [オペランド...]

          bs=N             1 回に読み書きするバイト数 (512)
          count=N          コピーするブロック数 (N の末尾が B ならバイト数)
          skip=N, seek=N   入力、出力の先頭から飛ばすブロック数
          conv=リスト      fsync、fdatasync、notrunc
          iflag=リスト     direct、fullblock、count_bytes、skip_bytes
          oflag=リスト     direct、dsync、sync、seek_bytes
          status=語        none、noxfer、progress
          --allow-erase=ID
                           この ID のデバイスへの上書きを許可する (ID は拒否の際に表示)

        conv=fsync、oflag=direct、dsync、sync のいずれもない場合、値はドライブではなく
        メモリの速度です (注記が出ます)。conv=fdatasync は最後に fsync を実行します。
        乱数は /dev/urandom より速く生成します。

        既存のファイルはその場で上書きし、切り詰めません。コピーより長いファイルは、
        conv=notrunc がなければ拒否します。ファイル間のコピーには dd を使ってください。

        例:
          cardiograph dd if=/dev/zero of=/mnt/card/test bs=8k count=50k conv=fsync
help-dd-words = dd のオペランド
help-iozone = iozone のテスト 0、1、2 を行い、同じ形式で出力する
    .after =
        iozone のテスト 0、1、2 を実行し、iozone と同じ形式 (KiB/s) で表示します。

        使い方: cardiograph iozone -i 0 [-i 1] [-i 2] [オプション...]

          -i 0        ファイルの書き込みと再書き込み
          -i 1        読み出しと再読み出し
          -i 2        各レコードを 1 回ずつ、ランダムな順序で読み出しと書き込み
          -s サイズ   ファイルサイズ (512k): 4k、100M、1g。単位がなければ KiB
          -r サイズ   レコードサイズ (4k)
          -a          指定しないサイズをすべて試す: 64k〜512m、4k〜16m
          -e          書き込むテストの時間にフラッシュ命令を含める
          -I          ページキャッシュを使わない
          -+n         再書き込みと再読み出しを省く
          -f ファイル このファイルのディレクトリで計測する (既定は現在のディレクトリ)

        テストファイルには名前がなく、終了後に消えます。既存のファイルには触れません。
        書き込みの前に領域を割り当て、内容は圧縮できません。-I がない場合、読み書きには
        ページキャッシュが働きます (注記が出ます)。

        例:
          cardiograph iozone -e -I -a -s 100M -r 4k -i 0 -i 1 -i 2
help-iozone-words = iozone のオプション

## シェルと man のためのファイル

help-completions = シェルの補完スクリプトを出力する
help-completions-shell = シェル
help-man = man ページをディレクトリに書き出す
help-man-directory = 書き出し先のディレクトリ
