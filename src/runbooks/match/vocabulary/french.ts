/** What people on call say in French; how a line is read stands in `../languages.ts`. */
export const french = `
  stop-words  le la les un une des du de et ou ne pas est sont avec dans sur pour par nous je il elle ce cette depuis au aux en que qui
  disk-full  disque ~ plein*, disque ~ sature*, espace disque, plus d espace, plus de place, partition ~ plein*, partition ~ saturee, disque ~ 9x, disque ~ 100
  memory-killed  memoire ~ satur*, plus de memoire, memoire insuffisante, manque de memoire, noyau ~ tue*, memoire vive, plus de ram
  connections-exhausted  trop de connexions, trop de clients, connexions ~ epuise*, connexions ~ satur*, plus de connexions
  certificate-expired  certificat ~ expir*, certificat*
  crash-loop  pod ~ redemarre*, pod ~ boucle, pods ~ redemarrent, conteneur ~ redemarre*
  node-not-ready  kubelet ~ repond*, noeud ~ pret, noeud*
  volume-claim-full  volume persistant
  consumer-lag  retard ~ topic, kafka ~ retard, consommateur* ~ retard, groupe de consommateurs
  queue-backlog  file d attente, files d attente, file ~ grossit, aucun consommateur
  service-failed  service ~ demarre*, service ~ echou*, service ~ echec, unite ~ echec, unite ~ demarre*, service ~ arrete
  scrape-failed  plus de metriques, metriques ~ manqu*, tableau* de bord ~ vide*, pas de donnees, metriques
  notifications-failing  alertes ~ envoye*, alertes ~ arriv*, personne ~ averti*, personne ~ reveille*, personne ~ prevenu*, aucune notification, notifications ~ envoye*, pas d alerte
  no-leader  sans leader, pas de leader, plus de leader, quorum ~ perdu
  container-storage  docker ~ plein, docker ~ occupe
  shards-unassigned  cluster ~ rouge
  replication-broken  replication ~ arret*, replication ~ cassee, esclave ~ retard, replique ~ retard
  name-resolution  resolution de nom*, noms ~ resol*, nom ~ resol*
  runners-offline  runner ~ hors ligne, jobs ~ attente, workflows ~ attente
  cache-memory-limit  redis ~ memoire, redis ~ plein
  upstream-failing  amont, nginx ~ repond, passerelle
  cpu-saturated  cpu ~ utili*
  clock-skew  horloge
  backup-failed  sauvegarde*
  slow-queries  requetes lentes
  lock-contention  verrou* ~ requete*, requetes ~ bloque*
  disk-failing  disque ~ defaillant
  network-loss  perte de paquets
  file-handles  fichiers ouverts, descripteurs
  image-pull  telecharger ~ image
  rollout-stuck  rollout ~ bloque, deploiement ~ bloque
  state-locked  terraform ~ verrou*, terraform ~ bloque*
  payments-failing  paiement* ~ refus*
  no-primary  sans primaire
  login-failing  connexion impossible
  facility  bureau
  requests  ce serait bien, proposition, question sur, comment faire, qui est responsable, prochain trimestre, il faudrait ajouter
`;
