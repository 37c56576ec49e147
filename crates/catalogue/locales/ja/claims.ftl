### ドライブの公称値と、その検証。

claim-said-by =
    .sd-status = カードの SD ステータスレジスター
    .drive-size = ドライブが報告する容量
    .every-drive = フラッシュ命令を受け付けるすべてのドライブ

claim-evidence =
    .sequential-read = シーケンシャルリード
    .sequential-write = シーケンシャルライト
    .random-read = ランダムリード
    .random-write = ランダムライト
    .write-median = 4K ライトの中央値
    .flush-median = その後のフラッシュ命令の中央値
    .read-back = 書いたとおりに読み出せた量

claim-doubt = ドライブ自体の値ではありません ({ $doubt })。

## SD カードのスピードクラスとアプリケーションクラス。

claim-mark =
    .speed = { $mark }: シーケンシャルライト { $write }
    .application = { $mark }: ランダムリード { $reads }、ランダムライト { $writes }、シーケンシャルライト { $write }
claim-class =
    .indication = ファイルシステム経由の計測なので目安であり、認証ではありません。
    .split = 満たす回と満たさない回があります。
    .incomplete = 一部が未計測です。
    .slowing = 計 { $written } のシーケンシャルライトで、回を追うごとに遅くなっています。速いのは最初だけかもしれません。--suite cliff ではさらに書き込みます。
    .unseen-cliff = シーケンシャルライトの試行は計 { $written } です。それより後で遅くなるカードは、ここでは良く見えます。--suite cliff ではさらに書き込みます。
claim-queue =
    .fails = このクラスはカードのコマンドキューとキャッシュを使うホストで成り立ちますが、ここではキューがときどき失敗します。
    .unused = このクラスはカードのコマンドキューとキャッシュを使うホストで成り立ちますが、このホストは使わないため、ここでは判定できません。
    .unknown = このクラスはカードのコマンドキューとキャッシュを使うホストで成り立ちますが、このホストが使うかどうかは不明です (root ならカーネルログで確認できます)。

## Raspberry Pi Diagnostics。

claim-rpdiags = Raspberry Pi Diagnostics: 10,000 KiB/s、ランダムライト毎秒 500 回、ランダムリード毎秒 1,500 回
    .pass = Raspberry Pi Diagnostics では 1 回目で PASS です。
    .late-pass = Raspberry Pi Diagnostics では 1 回通れば PASS ですが、通ったのは { $nth } 回目で、それまでは失敗しました。
    .fail = Raspberry Pi Diagnostics では FAIL です。3 回とも通りませんでした。
    .incomplete = 一部が実行されていません。

## フラッシュ命令。

claim-flush = フラッシュ命令は、それまでの書き込みを永続化する
    .too-few = サンプルが不足しています (4K ライト { $writes } 回、フラッシュ命令 { $flushes } 回)。中央値にはそれぞれ { $needed } 回必要です。
    .too-fast-flash = 書き込みとフラッシュ命令が、フラッシュメモリの保存時間より早く終わりました。1 ページの保存には、カードで 200 µs 以上、最速のフラッシュメモリでも 100 µs かかります。
    .too-fast-disk = 書き込みとフラッシュ命令が、ディスクの保存時間より早く終わりました。15,000 rpm でも 1 回転に 4 ms かかり、同じブロックは 1 回転に一度しかヘッドの下を通りません。
    .plausible = 書き込みとフラッシュ命令に、保存に必要なだけの時間がかかっています。確かめるには電源を抜くしかありません。
    .free = ドライブはライトバックキャッシュがあると報告していますが、そのフラッシュに時間がかかりません。電源断への保護があるか、フラッシュ命令を無視しています。どちらかは電源を抜くまで分かりません。
    .hidden = 応答しているのがバッテリー付きキャッシュか、コンデンサーか、媒体そのものかは、ここからは見えません。電源を抜くまで分かりません。

## 容量。

claim-capacity = 容量は { $capacity }
claim-fake =
    .limbo = 実容量を超えた書き込みを、受け付けたうえで捨てています。
    .wrap = 実容量を超えると先頭に戻り、その書き込みがほかのファイルを上書きします。
    .chain = 実容量を超えた書き込みは、一部が捨てられ、残りが先頭のデータを上書きします。
    .defect = 個々のブロックが失われています。容量偽装ではなく、ドライブ、リーダー、ケーブルのいずれかの不良です。
claim-real-capacity =
    .range = 実容量は約 { $likely } です ({ $least } 以上、{ $most } 以下)。
    .exact = 実容量は { $likely } です。
    .sample = 抜き取りによる実容量は約 { $likely } です。正確な値は --set proof=full で分かります。
    .unknown = すべてを読み出せなかったため、実容量は不明です。
claim-first-wrong =
    .device = 最初の誤りは、デバイスの先頭から { $offset } のブロックです。
    .files = 最初の誤りは、テストファイルの先頭から { $offset } のブロックです。
claim-wrong-blocks = 4 KiB のブロック { $checked } 個のうち { $wrong } 個が誤っています。
claim-intact-tail = 最後の { $tail } は正しく読み出せました。小さなキャッシュが直前の書き込みを保持するため、コピーは最初、完全に見えます。
claim-advice =
    .defect = 中のデータを退避し、再び使う前に別のリーダーやポートで試してください。
    .fake = 中のデータを退避して返品し、ここまで埋まった後に書いたファイルは信用しないでください。
claim-unread = すべてを読み出してはいません。
    .ended = すべてを読み出してはいません ({ $ended })。
    .defect = エラーが起きるドライブ、リーダー、ケーブルは、容量にかかわらず不良です。
claim-changed = 中断した検査が書いた { $changed } が、その後変わっています。ほかのプログラムが書き込んだ可能性があります。--set leftovers=remove の後に --set proof=full で最初からやり直してください。
claim-untested =
    .device = { $untested } は、指定の範囲外のため検査していません。
    .files = { $untested } は、ほかのファイル、ファイルシステム、余裕分が占めるため検査できませんでした。
claim-tested =
    .full = { $tested } のすべてのブロックに固有の印を書き、その後で読み出しました。
    .part = 実容量は { $tested } 以上です。それ以上は空きがないか、指定されていません。残りを検査するには空きを作ってください。
claim-sample =
    .places = 無作為に選んだ { $places } か所に 64 KiB ずつ書き、その後で読み出しました (計 { $written })。
    .cleared = 実容量が公称の半分未満のドライブを見逃す確率は、書き込みを捨てる場合も、先頭に戻る場合も、両方の場合も { $miss }です。半分以上あるもの、または直前の書き込みを { $front } より多くキャッシュするものは通ることがあり、--set proof=full で分かります。
    .doubtful = 問題なしとするには足りません。実容量が公称の半分未満のドライブを見逃す確率は、書き込みを捨てる場合に { $limbo }、先頭に戻る場合に { $wrap }です。
    .make-room = 空きが不足しています。空きを作るか、空のドライブで検査してください。
    .write-more = --set time={ $time } では十分な数の場所に、--set proof=full ではすべての場所に書きます。
    .write-all = --set proof=full ではすべての場所に書きます。
claim-probability =
    .below = 1/{ $count } 未満
    .one-in = 1/{ $count } 以下
    .share = { $share } 以下
