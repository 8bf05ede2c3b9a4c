/** What people on call say in Spanish; how a line is read stands in `../languages.ts`. */
export const spanish = `
  stop-words  el los las unos unas y o no es son con en por para desde se su del al lo que
  disk-full  disco ~ llen*, espacio en disco, sin espacio, no queda espacio, espacio libre, particion ~ llen*, disco ~ 9x, disco ~ 100
  memory-killed  memoria ~ agota*, sin memoria, falta de memoria, kernel ~ mata*, nucleo ~ mata*, falta de memoria, sin ram
  connections-exhausted  demasiadas conexiones, demasiados clientes, conexiones ~ agota*
  certificate-expired  certificado*
  crash-loop  pod ~ reinicia*, pods ~ reinician, contenedor ~ reinicia*, bucle ~ pod
  node-not-ready  nodo ~ listo, nodo ~ notready, nodo ~ cluster, nodo ~ responde
  volume-claim-full  volumen persistente
  consumer-lag  kafka ~ retraso, retraso ~ topic, grupo de consumidores, consumidor* ~ retras*, retraso ~ consumidor*
  queue-backlog  cola ~ crece, cola ~ mensajes, cola ~ consumidor*, cola ~ llena, colas, ningun consumidor, sin consumidores
  service-failed  servicio ~ arranca*, servicio ~ inicia*, servicio ~ fallo, servicio ~ fallido, servicio ~ failed, servicio ~ caido, servicio ~ parado
  scrape-failed  sin metricas, metricas, paneles ~ vac*, sin datos
  notifications-failing  notificaciones ~ lleg*, notificaciones, nadie ~ avisado, nadie ~ recibio, nadie ~ aviso, alertas ~ lleg*, alertas ~ envia*, ninguna alerta
  no-leader  sin lider, sin quorum, perdio ~ quorum
  container-storage  docker ~ espacio, docker ~ lleno, imagenes ~ docker, docker ~ ocupa
  shards-unassigned  cluster ~ rojo, shards ~ asignad*, fragmentos ~ asignad*
  replication-broken  replicacion, replica ~ parad*, replica ~ detenid*, esclavo
  name-resolution  resuelven ~ nombres, resolver ~ nombres, nombres ~ resuel*, resolucion de nombres, dns ~ falla*
  runners-offline  runners ~ desconect*, workflows ~ cola, trabajos ~ cola, jobs ~ cola
  cache-memory-limit  redis ~ memoria, redis ~ llen*
  upstream-failing  puerta de enlace
  cpu-saturated  cpu ~ alta
  clock-skew  reloj ~ sistema
  backup-failed  copia de seguridad
  slow-queries  consultas lentas
  lock-contention  bloqueo ~ tabla, consultas ~ bloque*, sesiones ~ espera*
  inodes-exhausted  inodos
  disk-failing  disco ~ averiado, disco ~ danado
  network-loss  perdida de paquetes
  file-handles  archivos abiertos, descriptores
  image-pull  descargar ~ imagen
  rollout-stuck  rollout ~ atasc*
  payments-failing  pago* ~ rechaz*, tarjeta* ~ rechaz*
  no-primary  sin primario
  ssh-refused  ssh ~ denegado
  login-failing  iniciar sesion
  facility  oficina
  requests  seria bueno, propuesta, pregunta, como puedo, quien es, proximo trimestre, documentacion
`;
