### 値の名前とテストの方法。

statistic =
    .min = 最小
    .mean = 平均
    .max = 最大
    .deviation = 標準偏差
    .percentile = p{ $percent }

figure =
    .bandwidth = 帯域
    .iops = IOPS
    .latency = レイテンシ { $statistic }
    .completion = 完了レイテンシ { $statistic }
    .submission = 発行レイテンシ { $statistic }
    .window-bandwidth = 帯域 { $statistic }
    .window-iops = IOPS { $statistic }
    .bytes = データ量
    .ios = I/O 数
    .runtime = 実行時間
    .longest-stall = 最長の停止
    .of = { $direction } { $figure }
    .of-sync = fsync { $statistic }
    .all-latencies = レイテンシ
    .all-submissions = 発行レイテンシ

figure-heading =
    .bandwidth = 帯域
    .iops = IOPS
    .latency = レイテンシ { $statistic }
    .completion = 完了レイテンシ { $statistic }
    .submission = 発行レイテンシ { $statistic }
    .window-bandwidth = 帯域 { $statistic }
    .window-iops = IOPS { $statistic }
    .bytes = データ量
    .ios = I/O 数
    .runtime = 実行時間
    .longest-stall = 最長の停止

figure-doubted = { $value } ({ $reason })
figure-withheld = - ({ $reason })

## テストの方法

method-pattern =
    .read = シーケンシャルリード
    .write = シーケンシャルライト
    .read-write = シーケンシャルリードとライト
    .random-read = ランダムリード
    .random-write = ランダムライト
    .random-read-write = ランダムリードとライト
    .trim = TRIM
    .application = アプリケーション
    .unknown = 不明な I/O
method-depth = QD{ $depth }
method-jobs = { $jobs } ジョブ
method-cached = ページキャッシュ経由
method-durability =
    .never = 永続化なし
    .at-end = 最後に永続化
    .fsync = ライトごとに fsync
    .fdatasync = ライトごとに fdatasync
    .dsync = O_DSYNC
    .periodic = 一定間隔で永続化

method-aspect =
    .read-percent = リードの割合
    .block = ブロックサイズ
    .depth = キュー深さ
    .jobs = ジョブ数
    .direct = ページキャッシュ
    .durability = 永続化
    .size = テストサイズ
    .time = テスト時間
    .jobs-beside = 同時に動いたほかのジョブ
method-cache =
    .used = 使用
    .bypassed = 不使用
method-unknown = 不明

method-difference = { $aspect } { $right } (こちらは { $left })
    .named = { $aspect } ({ $left_name } { $left }、{ $right_name } { $right })
