### 公開された計測結果。

shelf-sources = 出典ごとのすべての値: cardiograph shelf 出典。
shelf-nothing-similar = 計測方法が同じ、または近い公開結果はありません。公開結果の計測方法: cardiograph shelf 出典。

shelf-list =
    .drives = ドライブ { $drives } 台
    .figures = 値 { $figures } 個
    .no-figures = 値なし
    .next = 出典ごとの表と計測方法: cardiograph shelf 出典。自分のドライブとの比較: cardiograph compare @last --shelf。

# Whether drives were written over before they were measured.
preconditioning =
    .new = いいえ: ドライブは新品でした
    .left-out = いいえ: 著者は重要としながらも、時間がかかるため省いています
    .not-in-commands = いいえ: どのコマンドも行っていません
    .trimmed = いいえ: 代わりに空き領域をトリムします
    .not-stated = 記載なし

shelf-source =
    .preconditioning = 事前書き込み
    .author = 著者
    .date = 日付
    .place = 公開先
    .tests = 計測方法
    .drives = ドライブ
    .drives-only = ドライブ (値なし)
    .notes = 注

shelf-condition = { $name } { $value }

shelf-tag =
    .app-class = アプリケーションクラス
    .board = ボード
    .bus = バス
    .bus-mode = バスモード
    .capacity = 容量
    .command-queue = コマンドキュー
    .controller = コントローラー
    .file-system = ファイルシステム
    .kind = 種類
    .model = 型番
    .overclocked = オーバークロック
    .raid = RAID
    .read-policy = リードポリシー
    .reader = リーダー
    .speed-class = スピードクラス
    .ssd-controller = SSD コントローラー
    .write-policy = ライトポリシー
shelf-row = { $drive } [{ $note }]
shelf-doubt = { $column }: { $doubt }

shelf-standing =
    .heading = { $drive }: { $test }
    .same = { $figure }: 同じ計測方法の { $of } 件中 { $rank } 位
    .similar = { $figure }: 類似の計測方法の { $of } 件中 { $rank } 位
    .place = 順位
    .value = 値
    .drive = ドライブ
    .own = > { $drive }
    .source = 出典
    .by = { $source } ({ $tool })
    .conditions = 条件
    .differences = 計測方法の違い

## 誤り

errors-shelf-source = '{ $source }' という公開結果はありません。{ $hint }
errors-shelf-drive = 名前に '{ $drive }' を含むドライブは公開結果にありません。`cardiograph shelf 出典` で一覧を表示できます
errors-shelf-drive-in = 名前に '{ $drive }' を含むドライブは { $source } にありません。`cardiograph shelf { $source }` で一覧を表示できます
shelf-column = { $heading } { $unit }
