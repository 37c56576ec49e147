### What a checkup says while it works and when it fails. Errors are phrases without a capital or a full stop; notes are sentences.

with-advice = { $error }。{ $advice }

several-errors = { $errors }

advice =
    .failing = ドライブ、ケーブル、リーダーのいずれかが故障しかけています。中のデータを退避してください
    .full = ファイルシステムがいっぱいです。空きを作ってください
    .file-limit = ファイルサイズの上限 (ulimit -f) に達しました
    .gone = ドライブが取り外されました
    .read-only = ファイルシステムが読み出し専用に切り替わりました (エラー時のカーネルの動作)
    .block-size = ドライブまたはファイルシステムが、このブロックサイズのダイレクト I/O を拒否しています
    .other-place = 別の場所を指定してください

io-failed = I/O に失敗しました ({ $direction }): { $error }

io-failed-at = テストファイルのオフセット { $offset } からの I/O に失敗しました ({ $direction }、{ $length }): { $error }

verify-failed = 照合: { $blocks } ブロックのうち { $bad } ブロックが不正です

verify-failed-first = 照合: { $blocks } ブロックのうち { $bad } ブロックが不正です。最初は { $target } のオフセット { $offset } から { $length } バイト: { $kind }: 期待値: { $expected }、実際: { $found }

verify-pattern =
    .offsets = verify=pattern: 同じブロックへの書き込みはすべて同じ内容なので、上書きが失われても検出できません。pattern_hdr かチェックサムなら書き込みを区別できます
    .equal = verify=pattern: %o がないとすべてのブロックが同じ内容なので、失われた書き込みや別のブロックへの書き込みを検出できません。pattern_hdr かチェックサムなら書き込みを区別できます

engine-failed = エンジンでエラーが発生しました

drive-hung =
    .saved = ドライブが応答しなくなりました。それまでの計測結果は保存しました
    .shown = ドライブが応答しなくなりました。それまでの計測結果を表示します

drive-hung-held =
    .saved = ドライブが応答しなくなりました。それまでの計測結果は保存しました。I/O を行ったプロセスのスレッド { $threads } 個がカーネル内で待っています。ドライブが応答するか取り外されると、プロセスはテストファイルを削除して終了します
    .shown = ドライブが応答しなくなりました。それまでの計測結果を表示します。I/O を行ったプロセスのスレッド { $threads } 個がカーネル内で待っています。ドライブが応答するか取り外されると、プロセスはテストファイルを削除して終了します

drive-silent = ドライブが応答しなくなりました。I/O を行ったプロセスはカーネル内で待っています。ドライブが応答するか取り外されると終了します

drives-silent = このマシンのドライブについて、カーネルから 5 秒以内に報告がありませんでした。応答しないドライブがあります。カーネルログ (dmesg) を確認し、1 台だけを指定してください (cardiograph drive /dev/名前)
    .named = { $path } について、カーネルから 5 秒以内に報告がありませんでした。応答しないドライブがあります。カーネルログ (dmesg) を確認し、1 台だけを指定してください (cardiograph drive /dev/名前)

job-file-not-opened = { $path } を開けません: { $error }。別のファイルを指定してください
    .not-permitted = { $path } を開けません: { $error }。root になるか、所有グループに加わってください

agent-not-started = I/O を行うプロセスを開始できません: { $error }。プロセス数とメモリの上限 (ulimit -u、ulimit -v) を確認してください
    .by-another = このプログラムは I/O を行うプロセスを開始できません。開始できるのは cardiograph 本体だけです

agent-killed = I/O を行ったプロセスがシグナル { $signal } で終了しました
    .bus = I/O を行ったプロセスが SIGBUS で終了しました。マップしたファイルが切り詰められたか、ドライブが故障しました
    .kill = I/O を行ったプロセスが SIGKILL で終了しました。誰かが終了させたか、メモリ不足でカーネルが終了させました (dmesg を確認してください)
    .abort = I/O を行ったプロセスが SIGABRT で終了しました。メモリ不足などで自ら異常終了しました
    .segmentation = I/O を行ったプロセスが SIGSEGV で終了しました。このプログラムの不具合です。報告をお願いします

agent-left = I/O を行ったプロセスが状態 { $status } で自ら終了しました。このプログラムの不具合です。報告をお願いします

agent-panicked = I/O を行ったプロセスが失敗しました。このプログラムの不具合です。報告をお願いします ({ $said })

agent-nonsense = I/O を行ったプロセスの送信内容が不正なため、終了させました: { $sent }

frame =
    .too-long = フレームが { $length } バイトで、上限の { $most } バイトを超えています
    .content = フレームの内容が不正です: { $error }
    .version = { $program } のフレームはバージョン { $theirs } で、こちらは { $ours } です
    .not-due = 送られるはずのないフレームです

agent-died-after = { $how }。値はその { $figures } 前、パーセンタイルは { $latencies } 前のものです

agent-no-place = 開かれているパスがありません

agent-no-set = セット { $set } として準備されたジョブはありません

logs-late = 制限時間内にログを書き終えられませんでした。ログが同じドライブにある可能性があります

logs-lost = ジョブのログはそのプロセスとともに失われました。以前の実行のログはそのままです

save-late = 制限時間内に保存できませんでした。保存先が同じドライブにある可能性があります

signals-not-heard = シグナルを受け取れません: { $error }

step-failed = { $step }: { $error }

step-file-unknown = ステップが、要求していないファイルを指定しています

checkup-target-missing = { $path } がありません。ドライブ上のディレクトリを指定してください

checkup-target-not-permitted = { $path } を参照する権限がありません。書き込めるディレクトリを指定してください

checkup-target-unusable = { $path }: { $error }

checkup-target-not-a-directory = { $path } はディレクトリではありません。ドライブ上のディレクトリを指定してください

checkup-target-is-a-device = { $path } はブロックデバイスですが、スイート { $suite } が書き込むのはファイルだけです。ファイルシステムをマウントし、その中のディレクトリを指定してください。デバイスで使えるもの: { $suites }

checkup-target-too-small = { $path } の容量は { $length } で、必要な { $needed } に足りません。ドライブの報告する容量がデバイスより大きくなっています。カーネルログ (dmesg) を確認してください

checkup-target-no-model = '{ $model }' という模擬ドライブはなく、ファイルとしても読めません ({ $error })。{ $hint }

checkup-target-bad-model = { $model }: { $error }

checkup-target-no-room = { $path } の空きは { $available } です。診断にはテストファイル用に { $needed } が必要で、{ $margin } は空けておきます。空きを作るか、ドライブ上の別のディレクトリを指定してください

checkup-target-no-room-beforehand = { $path } のファイルシステムは書き込む前に領域を確保できないため、抜き取りではドライブ全体に届きません。--set proof=full ではすべてに書き込みます

checkup-target-memory = { $path } はドライブではなくメモリ ({ $kind }) にあります。ドライブ上のディレクトリを指定してください

checkup-target-unidentified = { $error }
    .list = { $error }。このマシンのドライブは `cardiograph drive` で一覧できます

checkup-target-no-trim = TRIM できるのはファイルシステムの空き領域だけです。その中のディレクトリを指定してください

create-device = { $path } はデバイスです。マウントし、その中のディレクトリを指定してください

create-not-permitted = { $path } にファイルを作成する権限がありません。書き込めるディレクトリを指定してください

create-read-only = { $path } のファイルシステムは読み出し専用でマウントされています。書き込み可能にするか、別のディレクトリを指定してください

create-no-room = { $path } に { $length } のテストファイルを作る空きがありません。空きを作るか、ドライブ上の別のディレクトリを指定してください

create-too-long = { $path } に { $length } のテストファイルを作れません: { $reason }

create-failed = { $path } にテストファイルを作れません: { $call }: { $error }

file-limit =
    .vfat = ファイルシステム vfat には 4 GiB 以上のファイルを置けません。size を小さくするか、複数のファイル (nrfiles) に分けるか、別のファイルシステム (exfat、ext4) にしてください
    .other = ファイルサイズの上限 (ulimit -f、またはファイルシステム) を超えています。size を小さくしてください

suite-unknown = '{ $suite }' というスイートはありません。{ $hint }

suite-no-precision = --precision: スイート { $suite } のステップは、精度にかかわらず時間か容量で終わります。精度で終わるのは --suite { $suites } のステップです

suite-unfit = スイート { $suite } は { $path } では実行できません

resume-not-possible = --resume: スイート { $suite } の結果は直前に行ったことに左右されるため、再開できません。再開できるのは sweep です (capacity は自動的に再開します)

resume-not-found = --resume: このドライブとこの設定で中断した診断 { $suite } は { $path } にありません。--resume を外してください

resume-note =
    .failed = 失敗した診断から { $measurements } 件の計測を引き継ぎました。
    .interrupted = 中断した診断から { $measurements } 件の計測を引き継ぎました。

begin-note =
    .buffered = ページキャッシュ経由で計測しました (--buffered)。ドライブではなくシステムの値です。
    .no-counters = カーネルのドライブ別カウンターを読めないため、値の照合は行っていません。

app-not-recorded = 負荷 { $load } は記録がないため、模擬ドライブでは実行できません

app-failed = { $load } でエラーが発生しました: { $error }

app-stays = テストディレクトリが残っています: { $error }。次にここで診断すると残りを削除します。手で削除してもかまいません。

cleaned-removed = 強制終了された実行が残した { $path } を削除しました。

cleaned-stays = { $path } ({ $reason })
    .unseen = { $path } の中にあるもの (読めません: { $reason })

cleaned-by-hand = 削除できませんでした: { $stays }。確認して手で削除してください。

cleaned-all = テストファイルは残っていません。

cleaned-left = 残っているもの: { $stays }。次にここで実行するとまた削除を試みます。手で削除してもかまいません。

not-removed = 削除できませんでした: { $stays }

files-not-removed = { $path }: 削除できませんでした: { $error }

parts-resumed = 中断した診断を { $length } の続きから再開します。

parts-others = 中断した容量検査が { $length } を残しています。check --suite capacity --set leftovers=remove で削除できます。

parts-stay = 書き込み済みのファイル { $files } 個 ({ $length }) が残っています。同じコマンドで続きから再開し、--set leftovers=remove で削除できます。

parts-stay-on-device = デバイスの { $length } は書き込んだままです。同じコマンドで続きから再開します。

leftovers-none = 中断した診断が残したものはここにはありません。

leftovers-would-remove = 中断した診断が残した { $length } を削除します (実際には削除していません)。

leftovers-removed = 中断した診断が残したファイル { $files } 個 ({ $length }) を削除しました。

leftovers-would-restore = 中断した診断が上書きし、その後書き換えられていない部分を復元します (実際には復元していません)。

leftovers-would-forget = 中断した全体検査が書き込んだ部分の記録を破棄します (実際には破棄していません)。

leftovers-forgotten = 中断した全体検査が書き込んだ部分の記録を破棄しました。内容は上書きされるまでデバイスに残ります。

originals-no-room = デバイスの内容は { $path } に保存しますが、空きは { $free } です。{ $needed } が必要で、{ $margin } は空けておきます。空きを作るか、XDG_DATA_HOME で別のディレクトリを指定してください。デバイスには何も書き込んでいません

originals-in-memory = デバイスの内容はメモリ ({ $path }) に保存するため、電源が切れると失われます。

originals-not-saved = デバイスの内容を { $path } に保存できません: { $error }。デバイスには何も書き込んでいません (XDG_DATA_HOME で別のディレクトリを指定できます)

originals-not-read = デバイスの内容を保存できません: { $error }。デバイスには何も書き込んでいません

originals-no-place = デバイスの内容を保存できません。XDG_DATA_HOME も HOME も設定されていないか、カーネルの報告だけではデバイスを再び特定できません。デバイスには何も書き込んでいません

originals-ended = { $error }。抜き取りは { $places } か所で終了しました

originals-kept = 上書きした内容は { $path } に保存してあり、次にこのデバイスを check --suite capacity で診断すると復元します。

proof-not-noted = 書き込んだ部分を記録できないため、この検査は再開できません: { $error }

restoring =
    .own = デバイスの内容を復元中
    .interrupted = 中断した診断が上書きした内容を復元中

restoring-ends-first = { $what }: 終わってからプログラムを終了します ({ $share } 完了)

restoring-begins = デバイスの内容を復元しています。中断しても { $path } に保存してあり、次の診断で復元します。

restored-none = 復元するものはありませんでした。

restored = { $places } か所の内容を復元し、読み戻して確認しました。

restored-not-held = { $places } か所は復元した内容を保持していません。

restored-foreign = その後ほかから書き込まれた { $places } か所はそのままです。

restore-stopped = 上書きした内容の復元中にデバイスが応答しなくなりました。

restore-device-failed = 上書きした内容の復元中にデバイスでエラーが発生しました。

restore-failed = 上書きした内容を復元できませんでした ({ $error })。

restore-again = 元の内容は { $path } に保存してあり、次にこのデバイスを check --suite capacity で診断するとまた復元を試みます。

restore-file-stays = { $path } を削除できませんでした: { $error }。

restore-kept =
    .device-gone = 元の内容は { $path } に保存してあります。対象のデバイスがもうなければ、このファイルを削除してください。
    .forget = 元の内容は { $path } に保存してあります。--set leftovers=remove で破棄できます。
    .other-device = 元の内容は { $path } に保存してあります。同じ容量の別のデバイスのものかもしれません。

journal-originals = { $device } の元の内容 ({ $length }): { $file }
    .command = 復元するコマンド: { $command }
journal-parts = { $device } の中断した全体検査が書き込んだ部分 ({ $length }): { $file }
    .command = 破棄するコマンド: { $command }
journal-absent = 接続されていないか、ID が変わったデバイス: { $id }

trim-not-installed = fstrim (パッケージ util-linux) を起動できません (インストールされていません)。最も近い代替は --set state=fresh です

trim-not-started = fstrim (パッケージ util-linux) を起動できません ({ $error })。最も近い代替は --set state=fresh です

trim-failed = 空き領域を TRIM できません: { $said }。最も近い代替は --set state=fresh です
    .as-user = 空き領域を TRIM できません: { $said }。root で実行してください。それができなければ、最も近い代替は --set state=fresh です

trim-silent = 理由は示されていません

scheduler-not-read = スケジューラーを読めません: { $path }: { $error }

scheduler-unknown = { $path } に '{ $name }' というスケジューラーはありません。使えるもの: { $known }

scheduler-needs-root = スケジューラーを変えられるのは root だけです: { $path }: { $error }。{ $option } を外すか、root で実行してください

scheduler-no-drive = スケジューラーを設定できるドライブがここにはありません。{ $option } を外してください

scheduler-not-changed = { $path }: スケジューラーを変えられませんでした: { $error }

scheduler-other = { $wanted } ではなく { $is } です

scheduler-no-drive-under = ioscheduler={ $name }: { $file } の下にドライブが見つかりません。ioscheduler を外してください

scheduler-conflict = ioscheduler={ $name }: 別のジョブが同じドライブ ({ $path }) に { $other } を設定しており、実行全体に適用されます。ジョブを順に実行してください

log-no-clock = ジョブ '{ $job }': log_alternate_epoch_clock_id={ $number }: このマシンにそのクロックはありません。0 はシステムのクロックです

log-trace-shared = ジョブ '{ $job }': { $path } は別のジョブまたはログがすでに書き込んでいます。write_iolog はジョブごとに変えてください

log-trace-name = ジョブ '{ $job }': write_iolog: '{ $file }' は記録できません: { $reason }。空白のない名前にしてください

log-refused = ログ: { $refused } (例: { $example })

log-not-written = ログファイル { $path }: { $error }。新しいファイルは不完全で、既存のファイルはそのままです

log-error = ジョブ '{ $job }'、クローン { $clone }: { $path }: { $error }: { $direction } offset={ $offset }, buflen={ $length }

command-no-file = ジョブ '{ $job }': { $option } の出力先のファイルを作成できません: { $refused }。別のディレクトリで起動してもかまいません

command-output-lost = { $path }: { $error }。コマンドの出力は失われました

command-failed = { $option }={ $line }: { $error }。出力は { $output } にあります
    .ended = 終了ステータス { $status } で終わりました
    .killed = シグナル { $signal } で強制終了しました

recording-unusable = 記録 { $path }: { $problem }

recording-problem = { $path }: { $problem }

verify-state =
    .not-read = { $file }: { $error }。先にこのディレクトリで、verify 付きで書き込むジョブを実行してください (verify_state_load=1)
    .no-lengths = { $file }: ジョブのファイルのサイズは開始時に決まります。create_serialize=0 を外してください (verify_state_load=1)
    .damaged = { $file }: バージョン 3 の照合状態ではないか、壊れています (verify_state_load=1)
    .other-job = { $file }: 記録されているのは別のジョブの書き込みか、fio のランダムな書き込みです。作成したときのプログラムとオプションで照合してください (verify_state_load=1)
    .foreign = { $file }: 照合状態ではありません。上書きせず、新しい照合状態は保存しません

job-looked-up = { $error } (ファイルのサイズはジョブの開始時に調べました: create_serialize=0)

jobs-more-errors = 表示したエラーは { $errors } 件までです。ほかにもある可能性があります

prepare-simulated = ジョブ '{ $job }': 模擬ドライブは仮想時間で動きます。実際のエンジンのジョブとは別に実行してください

prepare-no-target = ジョブ '{ $job }': 不明なファイルを指定しています

prepare-may-not-create = ジョブ '{ $job }': { $path } がなく、allow_file_create=0 のため作成できません。ファイルを作成するか、allow_file_create を外してください

prepare-nothing-to-read = ジョブ '{ $job }': { $path } の { $end } までを読み出しますが、サイズは { $length } で、ジョブの開始時に作成されます。create_on_open を外してください

prepare-not-a-file = { $path } は{ $kind }です。filename でファイルかブロックデバイスを指定してください

prepare-no-device = デバイス { $path } がありません。/dev にファイルを作るとメモリを使い切ります。正しい名前は lsblk で確認してください

prepare-not-permitted = { $path } への操作 ({ $call }) の権限がありません。書き込める場所を指定するか、root になってください

prepare-read-only = { $path } のファイルシステムは読み出し専用でマウントされています。書き込み可能にするか、別の場所を指定してください

prepare-no-room = { $path } にはあと { $needed } が必要ですが、空きは { $free } です。空きを作るか、size を小さくしてください

prepare-too-long = { $path } が { $length } になります: { $reason }

prepare-shared = ジョブ '{ $job }': unlink_each_loop は各ループの後に { $path } を削除しますが、ほかのクローンやジョブも使っています。ファイルを分ける (filename を外す) か、stonewall で順に実行してください

prepare-in-use =
    .swap = { $path } はスワップとして使われています。先に無効にしてください (swapoff)
    .program = { $path } は実行中のプログラムです。別のファイルを指定してください
    .loop-device = { $path } は使用中のループデバイスの実体です。先にアンマウントしてください

prepare-outside = ジョブ '{ $job }': { $path } の { $end } まで使いますが、サイズは { $length } です。size か offset を小さくしてください

prepare-misaligned =
    .direct = ジョブ '{ $job }': { $path } のダイレクト I/O は { $align } の倍数が必要です ({ $part }: { $bytes })。変更するか、direct=0 にしてください
    .trim = ジョブ '{ $job }': { $path } の TRIM は { $align } の倍数が必要です ({ $part }: { $bytes })。変更してください

prepare-misaligned-tool = { $path } のダイレクト I/O は { $align } の倍数が必要ですが、{ $bytes } は倍数ではありません。変更するか、direct を外してください

misaligned-part =
    .skip = 飛ばすバイト数
    .zone = ゾーンまたはその後の隙間のサイズ

prepare-device-in-use = { $path } には書き込めません: { $uses }。先に使用をやめるか、別のデバイスを指定してください
    .mounted-write = { $path } には書き込めません (allow_mounted_write を指定しても同じです): { $uses }。先に使用をやめるか、別のデバイスを指定してください

device-use-mounted = { $part } は { $path } にマウントされています

device-use-swap = { $part } はスワップとして使われています

device-use-holder = { $holder } が { $part } を使っています

device-use-member = { $part } は { $of } のメンバーです

device-use-open = 別のプログラムが排他的に開いています

device-use-read-only = カーネルが読み出し専用として扱っています

prepare-needs-consent =
    .lost = ジョブ '{ $job }': デバイス { $path } ({ $content }) に書き込むため、中身はすべて失われます。それでよければ --allow-erase={ $id } または { $variable }={ $id } を付けてください
    .restored = ジョブ '{ $job }': デバイス { $path } ({ $content }) に書き込み、上書きした内容を復元します。故障したドライブや容量を偽るドライブでは一部が失われることがあります。それでよければ --allow-erase={ $id } または { $variable }={ $id } を付けてください

consent-question =
    .lost = { $path } ({ $content }) の中身はすべて失われます。
    .restored = { $path } ({ $content }) の各所を上書きし、最後に復元します。故障したドライブや容量を偽るドライブでは一部が失われることがあります。

consent-prompt = 続けるには ID { $id } を入力してください。それ以外の入力では中止します:

device-part = { $name } ({ $length })
    .signed = { $name } ({ $length }、{ $signatures })

prepare-layout = { $path } の準備: { $error }

prepare-failed = { $path } への操作 ({ $call }) に失敗しました: { $error }

call =
    .open = オープン
    .open-for-writing = 書き込み用のオープン
    .read = 読み出し
    .look-at = 確認
    .find-length = サイズの確認
    .find-users = 使用者の確認
    .make = 作成
    .list = 一覧の取得
    .write = 書き込み
    .set-length = サイズの変更
    .make-room = 領域の確保
    .sync = 同期

prepare-note-made-before = ジョブ '{ $job }': { $all } 個のファイルのうち { $files } 個はすでにあります。それらについては、作成ではなくオープンを計測します。

prepare-note-unwritten = { $path } から読み出す { $read } のうち { $unwritten } は書き込まれたことがありません。その読み出しはドライブに届かず、実際より速く見えます。

prepare-note-continued = { $path } を { $from } から { $to } に延ばしました。元の内容はそのままです。

prepare-note-no-direct = { $path } のファイルシステムはキャッシュを迂回できません。direct=1 でもドライブではなくキャッシュの計測になることがあります。

prepare-note-others = ほかの { $others } 個のファイルも同じです。

output-late = 制限時間内に出力を書き終えられませんでした。出力先が同じドライブにある可能性があります

recording-missing = ファイルがありません
recording-not-regular = 通常のファイルではありません。2 回読むため、先に通常のファイルへコピーしてください
recording-line = { $line } 行目: { $problem }
