/** What people on call say in Russian; how a line is read stands in `../languages.ts`. */
export const russian = `
  disk-full  диск* ~ заполн*, диск* ~ переполн*, места на диск*, нет места, свободн* мест*
  memory-killed  нехватк* памят*, памят* ~ законч*, памят* ~ убил*, ядро ~ убив*
  connections-exhausted  слишком много ~ подключени*, соединени* ~ исчерпан*, подключени* ~ исчерпан*
  certificate-expired  сертификат*
  crash-loop  под ~ перезапуск*, контейнер ~ перезапуск*
  node-not-ready  узел ~ кластер*, узел ~ готов, нода
  consumer-lag  отставан* ~ kafka, kafka ~ отста*, потребител* ~ отста*
  queue-backlog  очеред*
  service-failed  служб* ~ запуск*, сервис ~ запуск*, юнит
  scrape-failed  метрик*
  notifications-failing  уведомлени*, алерт* ~ приход*
  no-leader  лидер*, кворум*
  container-storage  docker ~ мест*, образ* ~ docker
  shards-unassigned  шард*
  replication-broken  репликац*, реплик*
  name-resolution  dns ~ не, разреш* имен*, резолв*
  runners-offline  раннер*
  cache-memory-limit  redis ~ памят*
  upstream-failing  шлюз*, апстрим*
  clock-skew  часы ~ отста*
  backup-failed  бэкап*, резервн* копи*
  lock-contention  взаимн* блокировк*, блокировк* ~ запрос*
  inodes-exhausted  айнод*
  heap-pressure  сборк* мусора
  payments-failing  оплат* ~ отклон*
  requests  предложени*, вопрос, хотелось бы
`;
