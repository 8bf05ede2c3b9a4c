/** What people on call say in Japanese; how a line is read stands in `../languages.ts`. */
export const japanese = `
  disk-full  ディスク, 空き容量
  memory-killed  メモリ不足, メモリ
  crash-loop  再起動を繰り返
  node-not-ready  ノード
  volume-claim-full  永続ボリューム
  consumer-lag  コンシューマ*
  queue-backlog  キュー
  service-failed  サービス ~ 起動, サービス ~ 失敗
  scrape-failed  メトリクス
  notifications-failing  アラート ~ 通知
  no-leader  リーダー
  container-storage  docker ~ ディスク, docker ~ イメージ
  shards-unassigned  シャード
  replication-broken  レプリケーション, レプリカ
  runners-offline  ランナー, ジョブ ~ 待
  cache-memory-limit  redis ~ メモリ
  upstream-failing  ゲートウェイ, アップストリーム
  backup-failed  バックアップ
  lock-contention  デッドロック, ロック待ち
  requests  ドキュメント
`;
