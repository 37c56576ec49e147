### 計測の比較。

comparison-heading =
    .test = テスト
    .figure = 項目
    .difference = 差
    .ratio = 倍率
    .picture = テストごとの比較 (目盛りはテストごと)
    .marked = { $mark } { $group }
    .stability = 安定性
    .purposes = 用途別の判定
    .facts = そのほかの違い

comparison-no-tests = 共通のテストがありません。計測方法が同じもの、または近いものがありません。

comparison-more = すべての値: { $command }

## グループ

comparison-group =
    .runs = { $runs } 回
    .others = ほか
    .value = { $group }: { $value }
    .unknown = { $group }: 不明

comparison-price =
    .whole = { $amount } { $currency }
    .per-gb = 1 GB あたり { $amount } { $currency }

comparison-fact =
    .host = ホスト
    .board = ボード
    .cpu = CPU
    .cpus = CPU 数
    .memory = メモリ
    .kernel = カーネル
    .arch = アーキテクチャ
    .os = OS
    .governor = CPU ガバナー
    .program = プログラム
    .suite = スイート
    .model = モデル
    .serial = シリアル番号
    .firmware = ファームウェア
    .scheduler = I/O スケジューラー
    .write-cache = ライトキャッシュ
    .bus = バス
    .link = 接続
    .raid-level = RAID レベル
    .raid-write-policy = RAID のライトポリシー
    .raid-read-ahead = RAID の先読み
    .drives = ドライブ数
    .capacity = 容量
    .layers = 中間層
    .file-system = ファイルシステム
    .mount-options = マウントオプション
    .file-system-block = ファイルシステムのブロック
    .file-system-geometry = ファイルシステムの構成

## 結論

comparison-answer =
    .faster = { $all } テスト中 { $tests } テストで { $group } が高速です ({ $least_test } の { $least }〜{ $most_test } の { $most })。
    .faster-once = { $all } テスト中 1 テストで { $group } が高速です ({ $test }、{ $size })。
    .similar = { $all } テスト中 { $tests } テストはほぼ同等です。
    .unclear = { $all } テスト中 { $tests } テストでは差がはっきりしません。
    .controller = { $group } の書き込みはコントローラーのキャッシュ ({ $policy }) が受けているため、書き込みの差はドライブではなくキャッシュによるものです。
    .contrast = まとめると、速さは { $fast }、大きなブロックの書き込みの安定性は { $steady } です。
    .steadier =
        { $runs ->
            [1] { $test } は { $group } の方が安定しています ({ $low }〜{ $high }、{ $other } は { $other_low }〜{ $other_high })。
           *[other] { $test } は { $group } の方が安定しています (平均で { $low }〜{ $high }、{ $other } は { $other_low }〜{ $other_high })。
        }
    .fastest =
        { $groups ->
            [1] { $all } テスト中 { $tests } テストで { $group } が最速です。
           *[other] { $all } テスト中 { $tests } テストで { $group } がほぼ同じ速さで最速です。
        }
    .as-fast = { $group } は { $tests } テストで同程度です。

## 値

comparison-of-direction = { $test }: { $direction }
comparison-of-figure = { $test }、{ $figure }

comparison-value =
    .ratio = { $value } { $ratio }
    .best = * { $value }
    .marked = { $mark } { $ratio }
    .reach = ±{ $share }
    .between = { $low }〜{ $high }

comparison-remark =
    .faster = { $group } が { $size }高速
    .lower = { $group } が短い ({ $size }差)
    .smaller = { $group } が小さい ({ $size }差)
    .shorter = { $group } が短い ({ $size }差)
    .longer = { $group } が { $size }長い
    .higher = { $group } が { $size }高い
    .more = { $group } が { $size }多い
    .similar = ほぼ同等
    .no-difference = 差なし
    .unclear = 差は不明確、{ $low }〜{ $high }
    .unknown = 差は不明確 (計測量が不足)
    .together = 全体をまとめて判定すると差は不明確
    .leaning = 差は不明確、{ $low }〜{ $high }。計測値では { $remark }
    .equal = 同じ
    .zero = 一方が 0
    .windows = 区間の長さが異なるか不明
    .withheld = 除外
    .informational = ({ $remark })
    .noted = { $remark } [{ $note }]

comparison-per-price =
    .one = { $figure } (1 { $currency } あたり)
    .many = { $figure } ({ $amount } { $currency } あたり)

comparison-crossing =
    .first = { $latency }: p{ $from } までは { $below }、p{ $to } からは { $above } の方が短くなります。
    .again = p{ $to } からは再び { $group } の方が短くなります。

comparison-differs =
    .method = 計測方法が異なるため判定していません: { $differences }。
    .scale = 計測の規模が異なります: { $differences }。
    .tests = 対象のテスト: { $tests }。

comparison-unpaired = { $group } だけにあるテスト: { $tests }。

comparison-apart = { $one } と { $other } の両方に「{ $test }」がありますが、比較していません: { $why }。
    .unknown = 一方の計測方法が不明です
    .pattern = 読み出しと書き込み、またはランダムとシーケンシャルの違いがあります
    .no-figure = 共通の値がありません
    .differences = 計測方法が大きく異なります: { $differences }
comparison-apart-fitted = これらの量はドライブごとに決まるため、異なるものは比較しません。

## 注

comparison-note =
    .doubt = 判定していません: { $doubts }。
    .scales = 目盛りは行ごと (4 倍を超える差は対数)。
    .intervals = ━ 95 % 信頼区間。
    .limits = ┊ 用途の基準値。
    .durations = 計測時間が異なり、最大値や最小値は時間とともに極端になるため、優劣を判定していません。
    .best = * は行の中で最も良い値と、それとほぼ同等の値です。
    .ratios = 値の後ろは { $base } に対する倍率です。
    .informational = 括弧内は参考です。
    .several-drives = { $group } には { $models } 種類のドライブの計測が含まれ、値はそれらの平均です。
    .several-prices = { $group } の価格は使っていません: 計測ごとに異なります ({ $prices })。
    .some-currencies = 価格の通貨 ({ $currencies }) は換算しません。価格あたりの値は { $currency } のものだけです。
    .currencies = 価格の通貨 ({ $currencies }) は換算しません。価格あたりの値はありません。
    .judged-together = { $count } 個の差をまとめて判定しています (Holm 法、5 %): 同じドライブの比較 20 回のうち 1 回は、差があると判定します。

comparison-basis =
    .between-runs = それぞれ { $runs } 回の計測です。計測ごとのばらつきから判定しています。
    .runs = { $least }〜{ $most }
    .one-side =
        { $groups ->
            [2] 一方は 1 回だけの計測です。もう一方と同じばらつきと仮定しています。
           *[other] 1 回だけの計測は、比べる相手と同じばらつきと仮定しています。
        }
    .within-run = それぞれ 1 回だけの計測で、計測ごとの違いは不明です。
    .known = 計測内での速度の精度は ±{ $best }〜±{ $worst } です。
    .assumed = 判定では、同じドライブの計測ごとの差を { $rate } (p99 以上は { $tail }) と仮定しています。


## 基準より悪化したもの

comparison-worse =
    .lower = { $test }、{ $figure }: { $base } より低下 ({ $size })
    .higher = { $test }、{ $figure }: { $base } より増加 ({ $size })
    .of-group = { $group }: { $change }
    .uncertain = 偶然の可能性: { $change }
    .nothing-judged = { $base } と比べて判定できる値がありません。
    .none =
        比べた { $figures } 個の値に、{ $base } より { $limit } 悪化したと言えるものはありません{ $undecided ->
            [0] 。
           *[other] { " " }({ $undecided } 個は判定できません)。
        }
comparison-missing =
    .test = 再計測なし: { $test }
    .test-of-group = { $group } での計測なし: { $test }
    .differently = { $group } では計測方法が異なるため判定なし: { $test }
    .end = { $run }: { $state }
