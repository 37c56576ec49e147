### 値がドライブのものではない、または疑わしい理由。コロンの後、括弧の中、または「。」を付けて使う語句。

doubt-contradicted = カーネルの集計でドライブに届いたのは要求の { $share } のみ、残りはキャッシュ、ファイルの穴、圧縮のいずれかが応答
doubt-above-link = ドライブの接続の上限を超える速度、ドライブより手前で応答
doubt-paused = プログラムが { $paused } 停止
    .of-step = { $duration } のうち { $paused } はプログラムが停止
doubt-failed = ステップが失敗: { $error }
    .named = 「{ $step }」が失敗: { $error }
doubt-hung = ステップの途中でドライブが応答を停止
    .named = 「{ $step }」の途中でドライブが応答を停止
doubt-memory = ファイルシステムがドライブではなくメモリ上にある
doubt-no-page-cache = 模擬ドライブの手前にはページキャッシュがない
doubt-page-cache = バッファー付き I/O のため、ページキャッシュが代わりに応答した可能性あり
doubt-controller-cache = 書き込みをコントローラーのキャッシュが吸収
doubt-cache-unknown = ページキャッシュを迂回したかどうか、出典に記載なし
doubt-one-at-a-time = エンジンの同時 I/O 数が { $depth } ではなく 1
doubt-few-samples = 上のサンプルが { $above } 個だけ
doubt-interrupted = ステップが途中で中断
    .named = 「{ $step }」が途中で中断
doubt-not-proved = 未確認: { $ended }
doubt-of-step = 「{ $step }」: { $doubt }
