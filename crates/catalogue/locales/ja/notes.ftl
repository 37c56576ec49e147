### What is noted before, during and after a checkup.

## How much may be written.

note-budget =
    .drive = 書き込みは最大 { $bytes } です (ドライブの容量 { $capacity } の { $share })。
    .file-system = 書き込みは最大 { $bytes } です (ドライブの容量が不明のため、ファイルシステムの { $size } の { $share })。
    .unknown = ドライブの容量が不明のため、書き込みは最大 { $bytes } です。
    .asked = 指定により、書き込みは最大 { $bytes } です。
    .limit = 書き込みは最大 { $bytes } です (全ドライブ共通の上限)。
    .room = 書き込みは最大 { $bytes } です (空きは { $free } で、そのうち { $margin } は残します)。
    .no-room = 書き込めません。空きは { $free } ですが、{ $margin } を残す必要があります。
    .zeros = このうち最大半分は、{ $file_system } が新しいファイルを埋めるゼロです。
note-zeros = { $file_system } は新しいファイルをゼロで埋めるため、さらに { $bytes } が書き込まれます。
note-more =
    .room = 空き領域を増やせば、さらに書き込めます。
    .setting = --set max=サイズ で増やせます。

## What fits instead.

note-instead =
    .quick = --suite quick なら実行できます。
    .on-file-system = このドライブ上のファイルシステムに対してなら、--suite quick を実行できます。
    .none = --suite quick も実行できません。
note-quick-needs =
    .drive = { $bytes } 以上のドライブが必要です。
    .free = { $bytes } の空きが必要です。
    .file-system = { $bytes } の空きがある、より大きなファイルシステムが必要です。
    .writes = { $bytes } の書き込みが必要です。

## Time limits.

note-time =
    .too-short = { $limit } では短すぎます。どのステップにも { $least } 以上かかります。
    .left-out = { $limit } に収めるため、各ステップを短くし、次のステップを省きます: { $steps }。
    .shorter = { $limit } に収めるため、各ステップを通常より短くします。

## Suites with fixed steps.

note-fixed =
    .preconditioned = 空のドライブは速いため、最初に { $bytes } を { $passes } 回書き込みます。元の計測では: { $state }。
    .preconditioning = 元の計測での全域書き込み: { $state }。空のドライブは速いため、--set precondition=サイズ で先に書き込めます。
    .buffered = 指定によりページキャッシュを経由します。元のテストは経由しません。
    .free-space = { $bytes } の空きが必要です。
    .too-little-room = スイート { $suite } には { $needed } の空きが必要ですが、ここで使えるのは { $usable } です。空きを増やしてください。
    .cut-off = ステップの長さは固定で、{ $limit } に収まらない分は打ち切ります。
note-published =
    .dramble-units = wiki ではどの値も MB/s と表記されていますが、hdparm の値は MiB/s、iozone の値は KiB/s を 1,024 で割ったものです。最初の値はファイルの読み出しで、hdparm はデバイスの先頭から読み出します。
    .fio-kib = 元の記事では kB/s と表記されていますが、fio 2.0 は 1 kB を 1,024 バイトと数えていました。
    .fio-mib = 元の記事では MB/s と表記されていますが、fio 2.0.7 は 1 MB を 2^20 バイトと数えていました。
    .iozone-kib = iozone は 1 kB を 1,024 バイトと数えます。
    .reviews-passes = 元のレビューの sequential は 2 回目の書き込みと読み出し (rewrite と reread) のことです。1 MB は 2^20 バイトです。
    .server-ssd-mkfs = 元の条件: mkfs.xfs -f -b size=4096 -i size=512 -l size=64m、mount -t xfs -o noatime,logbufs=8。
    .yabs-units = 元のスクリプトは KiB を 1,000 で割るため、その MB/s は 2.4 % 小さい値です。
note-server-ssd =
    .file-system = ここでの条件: { $made }、マウントオプション -o { $options }。
    .no-file-system = ここでの条件: ファイルシステムを確認できません。
note-dramble =
    .simulated = 模擬ドライブにはページキャッシュがないため、dd のブロックは結合されずにそのまま届きます。
note-pibench =
    .score = (1024 dd + 4 fio read + 10 fio write + read + write + 4 random read + 10 random write) / 100。dd は MB/s、fio は IOPS、iozone は KiB/s です。元のスコアは dd の値を単位に関係なく使います。
note-rpdiags =
    .tries = 合格した時点で終了します (最大 { $tries } 回)。

## The suite quick.

note-quick =
    .too-little = スイート quick にも足りません。
    .file = 読み出すファイルの大きさは { $bytes } です。
    .small-region = 対象範囲が { $bytes } しかないため、ドライブ内のキャッシュが応答している可能性があります。
    .nothing-filled = 時間内に 1 MiB も書き込めなかったため、読み出しとランダムライトを省きます。
    .partly-filled = 時間内に書き込めたのは { $planned } のうち { $filled } で、読み出しはこの範囲に限ります。
    .precision = 速度を計測するステップは、精度が { $precision } に達した時点で終了します (最長 { $most })。持続ライトは書き込み量または所定の時間で終了します。

## The suite apps.

note-apps =
    .page-cache = アプリケーションは通常どおりページキャッシュを経由し、必要なデータの永続化を要求します。
    .unknown = --set load={ $load }: 不明なアプリケーションです。使えるのは { $known } です。
    .mbit = --set mbit: 上限は { $most } Mbit/s です。
    .too-little = { $load } には { $needed } の書き込みが必要ですが、割り当ては { $share } です。
    .alone = --set load={ $load } だけなら実行できます。

## The suite capacity.

note-capacity =
    .buffered = スイート capacity はページキャッシュではなくドライブから読み戻します。--buffered を外してください。
    .claim-unknown = ドライブの公称容量が不明です。
    .size = --set size={ $size }: 小さすぎてドライブを判定できません。{ $least } 以上を指定してください。
    .small-device = スイート capacity には { $needed } のデバイス領域が必要ですが、ここで使えるのは { $usable } です。
    .little-space = スイート capacity には { $needed } の空きが必要ですが、ここで使えるのは { $usable } です。
    .time-of-full = --set time={ $time } は抜き取り検査だけに使えます。全体の検査は空き領域すべてに書き込むため、外してください。--set size=サイズ で使う量を減らせ、中断した検査は自動的に再開します。
    .no-sample = 抜き取り検査は書き込む前に空き領域全体を確保する必要がありますが、{ $file_system } ではできません。空き領域全体を書き込む --set proof=full なら実行できます。
    .takes-space = 実行中は { $bytes } の空き領域を占有し、その間はほかから使えません。
    .sample = { $places } か所に { $block } ずつ、最長 { $most } 書き込み、読み戻します (読み戻しはそれより長くかかりません)。
    .saved = これらの位置の元の内容は、先に別のドライブに退避し (最大 { $bytes }、所要時間は同程度)、最後に復元します。容量を偽るドライブでは、それでも一部が失われる可能性があります。
    .overwrites = デバイス全体を上書きし、復元しません。既定の --set proof=sample なら復元します。
    .resumed = 中断した診断が書き込み済みの { $bytes } は、再び書き込みません。
    .other-files = { $claimed } のうち検査できる空きは { $free } で、ほかのファイルがある部分は検査できません。先頭に戻って書き込む容量偽装品では、通常の書き込みと同じく、ほかのファイルが壊れます。

## The suite cliff.

note-cliff =
    .tenth = 書き込みは最大 { $bytes } です ({ $capacity } の 10 分の 1)。--set max=サイズ で変更できます。
    .capacity-unknown = ドライブの容量が不明のため、書き込みは最大 { $bytes } です。--set max=サイズ で変更できます。
    .device = 書き込みは最大 { $bytes } です (ドライブの 8 分の 1 には書き込みません)。
    .longest-file = 書き込みは最大 { $bytes } です ({ $file_system } には { $longest } より大きなファイルを置けません)。
    .too-little = 速度の低下を見るには少なくとも { $least } が必要で、足りません。
    .life = ドライブのこれまでの記録によれば、定格寿命の約 { $share } に当たります。
    .life-unknown = 定格寿命に占める割合は、ドライブからの報告がなく不明です。

## The suite durability.

note-durability =
    .too-little = { $steps } ステップには { $needed } が必要で、足りません。
    .cut-off = { $steps } ステップには少なくとも { $least } かかり、収まらない分は打ち切ります。
note-dsync =
    .simulated = O_DSYNC: 模擬ドライブには FUA がないため、書き込みとフラッシュ命令になります。
    .write-through = O_DSYNC: ドライブがキャッシュにデータを溜めない (write through) と報告しているため、通常の書き込みになります。
    .page-cache = O_DSYNC: ページキャッシュを経由するため、書き込みとフラッシュ命令になります。
    .no-fua = O_DSYNC: ドライブに FUA がないため、書き込みとフラッシュ命令になります。
    .unknown = O_DSYNC: FUA ライト 1 回か、書き込みとフラッシュ命令ですが、どちらかは確認できません。
    .fua = O_DSYNC: FUA ライト 1 回になります。
    .other-file-system = O_DSYNC: { $file_system } が要求すれば、ドライブが対応する FUA ライト 1 回に、しなければ書き込みとフラッシュ命令になります。
    .unknown-file-system = O_DSYNC: ファイルシステムが要求すれば、ドライブが対応する FUA ライト 1 回に、しなければ書き込みとフラッシュ命令になります。
    .same = RWF_DSYNC (pwritev2) もカーネルにとっては同じです。

## The suite gnome-disks.

note-gnome-disks =
    .bare-drive = スイート gnome-disks はドライブ全体を読み出しますが、ファイルはその一部にしかありません。ドライブのデバイスを指定してください (一覧は cardiograph drive。読み出しには root またはデバイスのグループの権限が必要です)。
    .capacity-unknown = ドライブの容量が不明です。
    .too-small = ドライブの容量は { $holds } ですが、サンプルには合計 { $samples } が必要です。

## The suite open-units.

note-open-units =
    .unit = アロケーションユニット: { $unit }。
    .writes = 書き込みは、探索が最も長い場合で { $bytes } です。
    .too-little = 2 ユニット分にも足りません。
    .fewer = 交互に書き込むのは { $wanted } ではなく最大 { $most } ユニットです。
    .part = 各ユニットの先頭 { $bytes } だけに書き込みます。

## The suite sd-class.

note-sd-class =
    .too-little = クラスの判定には少なくとも { $least } が必要で、足りません。
    .smaller-range = ランダムテストの範囲は { $wanted } ではなく { $range } です。
    .no-registers = SD カードのレジスターを確認できません。カードリーダーが隠しているか、SD カード以外のドライブです。すべてのクラスを判定します。

## The suite steady.

note-steady =
    .one-in-flight = --set { $setting }={ $value }: テスト latency のキュー深さは 1 です。外すか、別のテストを選んでください。
    .cut-off = { $limit } に収まらない分は打ち切るため、定常状態に達しない可能性があります。
    .bare-drive = スイート { $suite } は規格に従ってドライブ全体を数回書き込むため、ディレクトリは使えません。
    .short-fits = --suite steady-short なら実行できます。
    .writes-all = 最初のラウンドの前にドライブ全体を { $passes } 回、合計 { $bytes } 書き込みます。さらに各ラウンドで { $time } 書き込みます。
    .range = 使用範囲は { $range } で、各計測の書き込みは { $bytes } で終了します。
    .not-the-standard = 定常状態の判定規則は SNIA のものですが、範囲と時間は異なり、規格の試験ではありません。
    .too-little = { $rounds } ラウンドには { $needed } が必要で、足りません。

## The suite sweep.

note-sweep =
    .nothing-to-read = --set state={ $states }: 新しいファイルには読み出すデータがありません。--set mix=write または randwrite で計測するか、読み出しを含む比率では --set state=filled を使ってください。
    .too-many = { $combinations } 通りの組み合わせは上限の { $most } を超えています。一度に変える軸を減らしてください。
    .simulated-trim = 模擬ドライブには TRIM する空き領域がありません。最も近いのは --set state=fresh です。
    .simulated-place = 模擬ドライブにはディレクトリもスケジューラーもありません。指定を外してください。
    .cut-off = { $limit } に収まらない分は打ち切ります。
    .resumable = { $limit } に収まらない分は打ち切ります。--resume で続きを計測できます。
    .size-too-short = --set size={ $size }: 小さすぎます。この計測には { $least } 以上のファイルが必要です。
    .too-little = この計測には { $least } のファイルが必要で、足りません。
    .no-room = { $needed } のファイルは入りません。--set size=サイズ で小さくできます。
    .filling = ファイルの書き込みに { $bytes } が必要です。
    .shorter-files = --set size=サイズ でファイルを小さくできます。
    .too-little-each = 書き込みを伴う { $measurements } 件の計測に、それぞれ { $least } も残りません。
    .measurements = { $size } のファイルで { $measurements } 件の計測を行います。
    .writes-end = 書き込みを伴う計測は、{ $bytes } または時間で終了します。
    .new-files = 新しいファイルには読み出すデータがないため、書き込みだけを計測します。
    .trims = TRIM 済みの状態の計測では、毎回その前にファイルシステムの空き領域全体を TRIM (fstrim) します。数分かかることがあります。

## Results of other programs.

## Stored checkups.

## What went otherwise than planned.
