/** What people on call say in Italian; how a line is read stands in `../languages.ts`. */
export const italian = `
  disk-full  disco ~ pieno, spazio su disco, spazio ~ esaurito
  memory-killed  memoria esaurita
  connections-exhausted  troppe connessioni
  certificate-expired  certificato
  queue-backlog  coda ~ messaggi
  service-failed  servizio ~ avvia*
  no-leader  senza leader
  replication-broken  replica ~ ferma
  name-resolution  risoluzione ~ nomi
  clock-skew  orologio
  file-handles  file aperti
  payments-failing  pagamenti ~ rifiut*
  ssh-refused  ssh ~ negato
`;
