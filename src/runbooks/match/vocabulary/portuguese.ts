/** What people on call say in Portuguese; how a line is read stands in `../languages.ts`. */
export const portuguese = `
  disk-full  disco ~ chei*, espaco em disco, sem espaco
  memory-killed  sem memoria, memoria ~ esgot*
  connections-exhausted  conexoes ~ esgot*, muitas conexoes
  consumer-lag  kafka ~ atras*
  queue-backlog  fila ~ mensagens
  service-failed  servico ~ inicia*
  no-leader  sem lider
  replication-broken  replicacao
  name-resolution  nomes ~ resol*
  clock-skew  relogio ~ sistema
  lock-contention  bloqueio ~ tabela
  file-handles  arquivos abertos, descritores
  image-pull  baixar ~ imagem
  payments-failing  pagamento* ~ recus*
`;
