### ドライブ、階層、診断の短い呼び名。

phrase-quantity = { $amount }

drive-kind =
    .sd-card = SD カード
    .emmc = eMMC
    .nvme = NVMe SSD
    .usb = USB ドライブ
    .sata = SATA ドライブ
    .sata-hdd = SATA ハードディスク
    .scsi = SCSI ドライブ
    .virtual = 仮想ディスク
    .virtual-nvme = 仮想ディスク (NVMe)
    .virtual-scsi = 仮想ディスク (SCSI)
    .simulated = 模擬ドライブ
    .memory = メモリ
    .unknown = ドライブ
    .only-memory = メモリ (ドライブなし)
    .invisible = ドライブを確認できません
    .several = { $drives } 台を束ねたドライブ

layer-kind =
    .partition = パーティション
    .md = ソフトウェア RAID
    .lvm = 論理ボリューム
    .crypt = 暗号化
    .device-mapper = デバイスマッパー
    .loop = ループデバイス (ファイルをデバイスとして使用)
    .bcache = ドライブの前段のキャッシュ
    .drbd = 別のマシンとの複製
    .other = デバイス

checkup-state =
    .running = 未完了
    .interrupted = 中断
    .failed = 失敗

drives-id = ID { $id }
drives-mounted = マウント先 { $points }
drives-next =
    .passport = 詳細の表示: cardiograph drive デバイス。
    .check = 計測: cardiograph check パス。
drives-none =
    .seen = ここから見えるドライブはありません。
    .container = コンテナに /sys を見せていない場合もこうなります。

history-labelled = { $label }: { $drive }
history-host = ホスト { $host }
history-next = 結果の表示: cardiograph show ID。
history-none = 該当する診断結果は { $place } にありません。
history-first = { $place } にはまだ何も保存されていません。このディレクトリのドライブ、または模擬ドライブを計測してください:

history-drive = { $drive }: { $suite } による診断 { $checkups } 回:
history-column =
    .values = 古い順
    .latest = 最新
    .trend = 傾向
history-trend =
    .none = なし
    .up = { $since } から { $share } 上昇
    .down = { $since } から { $share } 低下
history-change =
    .fell = { $day } に{ $metric }が { $share } 低下: 以前 { $before }、このとき { $after }。
    .rose = { $day } に{ $metric }が { $share } 上昇: 以前 { $before }、このとき { $after }。
history-rule = 変化と傾向は偶然の範囲を超えるものです。変化のないドライブで表示されるのは診断の { $share } です。

# Why a path's drive could not be identified.

drive-path-missing = { $path } がありません

drive-path-unreadable = { $path } を調べられません: { $error }

drive-path-no-mount = { $path } を含むマウントが見えません

drive-figure = { $shape } { $trend }
drive-event = { $fact }: 以前は { $before }、以後は { $after }。
    .swap = 同じアダプターに別のドライブがあるか、偽物です: { $fact }は以前 { $before }、以後は { $after }。
    .path = パス
