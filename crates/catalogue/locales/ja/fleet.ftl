### 複数のホストでの測定

fleet-lost = ホスト { $rank } が応答しません。それまでの測定結果は、そのホストのストアにあります
fleet-host = ホスト { $rank }: { $error }
fleet-versions = このホストは { $theirs }、ホスト 0 は { $ours } です。すべてのホストに同じバージョンをインストールしてください
fleet-asked = このホストとホスト 0 の引数が異なります。すべてのホストで同じ引数を指定してください
fleet-no-resume = --resume は 1 台のホストでのみ使えます
