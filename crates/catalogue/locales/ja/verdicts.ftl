### 用途、基準値の根拠、判定しなかった理由。

## ドライブの用途: 45 桁以内の題。

purpose-os = OS 用途
purpose-db-light = 軽いデータベース
purpose-db-heavy = 負荷の高いデータベース
purpose-containers = コンテナ
purpose-nas = ファイルサーバー
purpose-sensors = センサー
purpose-cameras = カメラ録画
purpose-recording = リアルタイム録画

## 基準値の根拠: 値と基準値の下に出る、76 桁以内の文。

limit-android =
    .sequential-read = Android の互換性定義 (CDD) がシステム用ストレージに求める 15 MB/s です。
    .sequential-write = Android の互換性定義 (CDD) がシステム用ストレージに求める 5 MB/s です。
    .random-read = Android の互換性定義 (CDD) が求める、4 KB 単位で 3.5 MB/s です。
    .random-write = Android の互換性定義 (CDD) が求める、4 KB 単位で 0.5 MB/s です。
limit-sd-a2 =
    .programs = プログラムを動かすカード向けの SD アプリケーションクラス A2 の基準です。
    .data = プログラムのデータを置くカード向けの SD クラス A2 の基準です。
    .busy = SD クラス A2 の基準で、良いカードと同等以上を求めます。
    .shared = SD クラス A2 の基準で、本来はシステム 1 つでの使用を想定したものです。
limit-etcd =
    .usual = etcd は通常 50 回/秒を必要とし、ハードディスクでも届く値です。
    .loaded = etcd は負荷の高いクラスターに 500 回/秒を推奨しています。
    .sync = etcd はログの同期の 99 % が 10 ms 未満で終わることを求めます。
    .mean = etcd は同期に 10 ms 未満を求めます。100 回/秒未満では平均がこれを超えます。
    .commit = etcd はコミットの 99 % に 25 ms 未満を求めます (気づかれないには 99.9 %)。
    .loaded-commit = etcd はコミットの 99 % に 25 ms 未満を求めます (高負荷時は 99.9 %)。
    .pages = etcd の 50 回/秒を下回ると、ページの書き戻しがコミットを遅らせます。
    .stall = etcd は 1 s 応答のないメンバーを停止したとみなします。
limit-wait =
    .pause = 1 s を超える待ちは思考の流れを途切れさせます (Nielsen 1993)。
    .commit = 1 s を超えるコミットは思考の流れを途切れさせます (Nielsen 1993)。
    .immediate = 0.1 s までは即座と感じます (Nielsen 1993)。気づくのは 100 回に 1 回です。
limit-ethernet =
    .whole = ギガビット Ethernet の実効 118 MB/s を超えれば、上限は回線側です。
    .half = ギガビット Ethernet の半分です。これより遅いとコピー時間が倍になります。
limit-os =
    .capacity = Raspberry Pi OS Lite の 2024 年までの条件 4 GB です (9 割で可)。
    .desktop = デスクトップ付き Raspberry Pi OS の推奨は 32 GB です (9 割で可)。
    .updates = 更新は全ファイルを同期します。10 回/秒なら 1,000 個に 100 s です。
    .life = 1 日 1 GB の書き込み (当方の仮定) で 1 年分です。
    .long-life = 1 日 1 GB の書き込み (当方の仮定) で 5 年分です。
limit-db-light =
    .life = 1 日 5 GB の書き込み (当方の仮定) で 1 年分です。
    .long-life = 1 日 5 GB の書き込み (当方の仮定) で 5 年分です。
limit-db-heavy =
    .life = 1 日 50 GB の書き込み (当方の仮定) で 1 年分です。
    .long-life = 1 日 50 GB の書き込み (当方の仮定) で 5 年分です。
limit-containers =
    .capacity = Raspberry Pi OS Lite の 16 GB (9 割で可) に、イメージが加わります。
    .unpacking = SD の UHS スピードクラス 3 です。1 GB のイメージを 30 s で展開できます。
    .orchestrator = 多くのオーケストレーターが使う etcd は、通常 50 回/秒を必要とします。
    .download = ギガビット Ethernet で届く速さのままイメージを書き込めます。
    .life = 1 日 10 GB の書き込み (当方の仮定) で 1 年分です。
    .long-life = 1 日 10 GB の書き込み (当方の仮定) で 5 年分です。
limit-nas =
    .capacity = 128 GB のスマートフォンやノート PC 1 台分です (9 割で可)。
    .household = 128 GB のスマートフォンやノート PC の家族 4 台分です (9 割で可)。
    .life = 1 日 10 GB の書き込み (当方の仮定) で 1 年分です。
    .long-life = 1 日 10 GB の書き込み (当方の仮定) で 5 年分です。
limit-sensors =
    .reading = 毎秒 1 件の測定値を、次の測定までに確実に保存します。
    .reading-blocks = 毎秒 1 件の測定値で、ext4 は 1 件に最大 10 ブロック書いた例があります。
    .reading-commit = 毎秒 1 件の測定値を、次の測定までに SQLite がコミットします。
    .readings = 毎秒 10 件の測定値を、それぞれ次の測定までに確実に保存します。
    .readings-blocks = 毎秒 10 件の測定値で、ext4 は 1 件に最大 10 ブロック書いた例があります。
    .due = 毎秒 10 件の測定値では、0.1 s 後に次の測定があります。
    .life = 毎秒 4K ブロック 10 個、1 日 3.5 GB (当方の仮定) で 1 年分です。
    .long-life = 毎秒 4K ブロック 10 個、1 日 3.5 GB (当方の仮定) で 5 年分です。
limit-cameras =
    .home = 家庭では多くて 4 台で、最小の録画機も 4 台用です。
    .next-size = 次に大きい録画機は 8 台用で、家庭の 4 台には余裕があります。
    .four = 8 Mbit/s のカメラ 4 台は、昼夜を問わず 4 MB/s を書き込み続けます。
    .eight = 8 Mbit/s のカメラ 8 台は、昼夜を問わず 8 MB/s を書き込み続けます。
    .life = 8 Mbit/s のカメラ 4 台の 24 時間録画 (1 日 346 GB) で 1 年分です。
    .long-life = 8 Mbit/s のカメラ 4 台の 24 時間録画 (1 日 346 GB) で 5 年分です。
limit-recording =
    .missed = 期限に遅れた 1 秒分の映像は失われます。
    .buffer = カメラのバッファは 4 秒分と仮定しています。
    .room = 1 秒の停止はバッファの 4 分の 1 で、劣化しても余裕があります。
limit-real-capacity = 実容量を超えて書き込んだデータは、エラーも出ずに失われます。

## 値を基準値と比べなかった理由: doubts と同じ語句。

finding-vague = 95 % 信頼区間が値そのものより広く、長く計測すれば狭まる
finding-unsettled =
    .cameras = 時間か書き込み量の上限に達し、これより多い台数は未確認。--suite apps --set load=cameras ではどちらも増える
    .easier = より緩い条件でのみ計測しており、基準値を満たしても根拠にならない。--suite article ではより長く計測する
    .harder = より厳しい条件でのみ計測しており、基準値に届かなくても根拠にならない。--suite article ではより長く計測する
finding-missing =
    .life = ドライブが報告しない
    .capacity = ドライブからもファイルシステムからも得られない
    .samples = これを上回るサンプルが不足。長い計測では増え、compare は複数回の計測を合わせる
    .apps = 未計測。--suite apps で計測可能
    .sustained = 1 分以上の計測なし。--suite article で計測可能
    .quick = 未計測。--suite quick で計測可能
    .recording = 未計測。--suite apps --set load=recording で計測できます (10 分)

## 判定のない用途がある理由。

not-judged =
    .only-capacity = ここで判定するのは容量だけです。用途に必要な値は --suite quick で計測します。
    .only-capacity-and-life = ここで判定するのは容量と定格寿命だけです。残りは --suite quick で計測します。
    .quick = 判定のない用途には --suite quick の計測値が必要です。
    .quick-and-apps = 判定のない用途には --suite quick の計測値が、{ $purposes } には --suite apps (recording は --set load=recording) の計測値が必要です。
    .apps = { $purposes } はここでは判定していません。--suite apps (recording は --set load=recording) で判定します。
    .doubt = 疑わしい値は判定に使いません。
