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

# Why a path's drive could not be identified.

drive-path-missing = { $path } がありません

drive-path-unreadable = { $path } を調べられません: { $error }

drive-path-no-mount = { $path } を含むマウントが見えません
