### `cardiograph dd`、`hdparm`、`iozone`

tool-note = 注: { $note }

tool-not-utf-8 = { $word }: UTF-8 ではありません。対象の名前を変えてください

## dd

dd-missing = if={ $path } がありません。ファイルかブロックデバイスを指定してください

dd-kind =
    .from = if={ $path } は{ $kind }です。ファイルかブロックデバイスを指定してください
    .to = of={ $path } は{ $kind }です。ファイルかブロックデバイスを指定してください

dd-nothing-left = if={ $path } のサイズは { $length } で、読み出す部分が残っていません。skip= を小さくするか、別のものを指定してください

dd-no-directory = of={ $path }: ディレクトリ { $directory } がありません。作成するか、別のものを指定してください

dd-would-cut = of={ $path } は存在し、サイズは { $found } です。dd なら { $left } に切り詰めますが、cardiograph は既存のファイルを切り詰めません。先に削除するか、conv=notrunc で残りを保ってください

dd-device-too-short = of={ $path } は { $end } バイトまでですが、{ $wanted } バイトが指定されています。count= か seek= を小さくしてください

dd-no-room = of={ $path } にはあと { $needed } が必要ですが、空きは { $free } です。空きを作るか、count= を小さくしてください

dd-note =
    .cached = ページキャッシュにある部分は、ドライブではなくメモリから読み出されます。iflag=direct で迂回できます
    .fdatasync = conv=fdatasync の最後は fsync で、ファイルの時刻も永続化されます
    .in-memory = 時間はデータがメモリに入るまでで、ドライブに書かれるまでではありません。conv=fsync はそれを待ちます
    .in-place = { $path } は存在し、その場で上書きされます。dd なら先に空にします

dd-too-many-blocks = { $operand }={ $value }: このブロック数はファイルサイズの上限を超えます

dd-operand =
    .no-blocks = count=0 では何もコピーしません。外すか、ブロック数を指定してください
    .too-far = count=、skip=、seek= がファイルサイズの上限を超えます。小さくしてください
    .no-count = count= がありません。なければ dd はドライブがいっぱいになるまで書き込みます。count=50k のように付けてください
    .block-sizes = ibs= と obs= が異なると、dd は読み出しと書き込みの間で全バイトをもう一度コピーし、それも計測されます。両方に bs= を使ってください
    .no-source = if= がありません。dd なら標準入力をコピーします。書き込みには if=/dev/zero か if=/dev/urandom、読み出しには if=ファイル を指定してください
    .no-sink = of= がありません。dd なら標準出力に書き出します。of=ファイル、読み出しには of=/dev/null を指定してください
    .no-names = if= と of= には名前が必要です
    .no-drive = if= も of= もドライブ上になく、計測するものがありません。どちらかにファイルを指定してください

dd-empty-block = { $operand }=0: ブロックは 1 バイト以上です

dd-value = { $operand }={ $value }: { $problem }

dd-number = '{ $number }' は数値ではありません。8k や 1M のように、dd の接尾辞 c (1)、w (2)、b (512)、kB (1,000)、K (1,024)、MB、M、GB、G を付けて書くか、2x512 のように積で書いてください

dd-status = status={ $value }: none、noxfer、progress のどれかを使ってください

dd-unknown-operand = { $word }: このオペランドはありません。if=、of=、bs=、count=、skip=、seek=、conv=、iflag=、oflag=、status= を使ってください (例: `cardiograph dd if=/dev/zero of=ファイル bs=8k count=50k conv=fsync`)

dd-unknown-flag = { $operand }={ $value }: 計測では使えません。使えるのは { $known } です。外すか、dd を使ってください

dd-copies-no-file = if={ $from } と of={ $to }: cardiograph はファイルをコピーしません。コピーには dd を使ってください。読み出しの速さは of=/dev/null、書き込みの速さは if=/dev/urandom で計測できます

dd-idle =
    .written = { $operand }= は効果がありません。データはメモリ内で作られます。外してください
    .read = { $operand }= は効果がありません。of=/dev/null はすべてを受け取ります。外してください

## hdparm

hdparm-no-device = デバイス { $path } がないか、見る権限がありません。デバイスの一覧は `cardiograph drive` で表示できます

hdparm-not-a-device = { $path } はブロックデバイスではありません。/dev/mmcblk0 のように指定してください。ファイルの読み出しは `cardiograph dd if=ファイル of=/dev/null`、ファイルシステムの診断は `cardiograph check` で行えます

hdparm-note-memory = -T はメモリから読み出します。ドライブの値ではありません

hdparm-too-small = { $path } は { $length } バイトまでですが、hdparm はバイト { $offset } から 2 MiB ずつ読み出します。それには小さすぎます

hdparm-option =
    .unknown = { $word }: 使えるのは hdparm の計測 (-t、-T、--direct、--offset、--rest) だけです。cardiograph はドライブの設定を変えません。ドライブの情報は `cardiograph drive` で表示できます。外してください
    .no-offset = --offset: GiB 数がありません
    .offset = { $word }: --offset には GiB の整数を指定してください
    .no-rest = --rest: 秒数がありません
    .rest = { $word }: --rest には 3600 までの整数の秒数を指定してください
    .no-timing = -t も -T もありません。`cardiograph hdparm -t /dev/mmcblk0` のように付けてください。ドライブの情報は `cardiograph drive` で表示できます
    .no-device = デバイスが指定されていません。/dev/mmcblk0 のように付けてください (一覧は cardiograph drive)
    .offset-alone = --offset は -t の開始位置ですが、-t がありません。付けるか、--offset を外してください

## iozone

iozone-note =
    .cached = -I がないと、書き込みも読み出しもページキャッシュが処理します。メモリの値かもしれません
    .left-alone = { $path } は存在しますが、そのままにします。同じディレクトリの名前のないファイルを使います

iozone-path =
    .device = -f { $path }: ブロックデバイスです。内容がすべて失われるため、その上のファイルシステムのファイルを指定してください
    .kind = -f { $path }: { $kind }です。その中のファイルを指定してください

iozone-option =
    .unknown = { $word }: 対応していません。使えるのは -a、-e、-I、-+n、-s、-r、-i 0、-i 1、-i 2、-f です (例: `cardiograph iozone -e -I -a -s 100M -r 4k -i 0 -i 1 -i 2`)。ほかのパターン、スレッド、レートは `cardiograph fio` のジョブで計測できます
    .no-value = { $option }: 値がありません
    .test = -i { $value }: テストは 0 (書き込み)、1 (読み出し)、2 (ランダム) です。ほかのパターンは `cardiograph fio` のジョブで計測できます
    .length = { $option } { $value }: サイズではありません。4k、100M、1g のように書いてください (単位なしは KiB)
    .no-test = -i がありません。iozone ならすべてのテストを実行しますが、使えるのは最初の 3 つです。-i 0 -i 1 -i 2 を付けてください
    .no-write = -i 0 がありません。ほかのテストはその書き込みを読み出します。付けてください
    .record = レコードがファイルより大きくなっています。-r を小さくするか、-s を大きくしてください
