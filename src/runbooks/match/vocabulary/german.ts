/** What people on call say in German; how a line is read stands in `../languages.ts`. */
export const german = `
  stop-words  der die das den dem des ein eine einen einem einer und oder nicht ist sind wird werden mit von vom bei auf aus nach seit wir ich sie es zu zum zur im am an wie
  disk-full  platte ~ voll*, *platte ~ voll*, *platte* ~ platz, speicherplatz, kein platz, platz mehr, dateisystem ~ voll, partition ~ voll*, partition ~ belegt, verzeichnis ~ voll, laufwerk ~ voll, datentrager ~ voll, kein speicher mehr, platte ~ 9x, platte ~ 100
  memory-killed  arbeitsspeicher, speicher ~ voll, kein speicher, kernel ~ beendet, kernel ~ schiesst, kernel ~ totet, kernel ~ abgeschossen, speichermangel, zu wenig speicher, sturzt ab ~ speicher, ram ~ voll
  connections-exhausted  zu viele verbindungen, verbindungen ~ erschopft, verbindungs* ~ erschopft, keine freien verbindungen, keine verbindungen ~ frei, verbindungen ~ belegt, verbindungsslots, maximale ~ verbindungen
  certificate-expired  zertifikat*
  crash-loop  pod ~ neu ~ startet, pod ~ startet, pod ~ sturzt, pods ~ starten, startet ~ neu ~ container, container ~ startet
  node-not-ready  kubelet ~ antwort*, knoten ~ notready, knoten ~ bereit, worker ~ bereit, knoten ~ cluster, node ~ bereit
  consumer-lag  kafka ~ ruckstand, konsument* ~ hinterher, topic ~ ruckstand, consumer ~ hinterher, consumer ~ ruckstand, verbrauchergruppe, verzogerung ~ topic, topic ~ verzogerung, nachrichten ~ ruckstand
  queue-backlog  warteschlange*, queue ~ wachst, queue ~ voll, queue ~ leer, queue ~ nachrichten, keine consumer
  service-failed  dienst ~ startet, dienst ~ fehlgeschlagen, dienst ~ failed, dienst ~ gestartet, dienst ~ tot, unit ~ startet, unit ~ fehlgeschlagen, dienst ~ abgesturzt, dienst ~ lauft nicht
  scrape-failed  keine metriken, metriken ~ fehlen, dashboard* ~ leer, target ~ erreichbar, exporter ~ erreichbar
  notifications-failing  keine benachrichtigung*, benachrichtigung*, niemand ~ alarmiert, niemand ~ geweckt, kein alarm, alarm* ~ zugestellt, alarme ~ kommen, keine alarme, alarm ~ nicht angekommen, keine pages
  no-leader  ohne leader, kein leader, keinen leader, kein quorum, quorum ~ verloren
  container-storage  docker ~ platz, docker ~ voll, alte images, image schichten, docker ~ belegt
  shards-unassigned  shards ~ zugewiesen
  replication-broken  replikation*, replikat*, replica ~ hinterher, sekundar* ~ hinterher, replikations*
  name-resolution  namensauflosung, namen ~ aufgelost, namen ~ auflosen, dns ~ aufl*, hostnamen
  runners-offline  runner ~ warten, jobs ~ warteschlange, jobs ~ hangen
  cache-memory-limit  redis ~ speicher*, redis ~ voll, schlussel ~ verdrangt
  upstream-failing  nginx ~ antwortet, upstream ~ antwortet
  cpu-saturated  cpu ~ auslastung
  clock-skew  zeitsynchron*, uhrzeit, uhr ~ falsch
  backup-failed  backup ~ fehlgeschlagen, sicherung ~ fehlgeschlagen
  slow-queries  langsame abfrag*
  lock-contention  verklemm*, abfragen ~ blockiert
  disk-failing  raid ~ ausgefallen, festplatte defekt, platte ~ defekt, platte ~ ausgefallen
  network-loss  paketverlust
  file-handles  dateideskriptor*, offene dateien
  image-pull  image ~ geladen
  rollout-stuck  rollout ~ hangt
  secrets-sealed  versiegelt
  state-locked  terraform ~ gesperrt
  payments-failing  zahlung* ~ fehl*, zahlung* ~ abgelehnt, kartenzahlung*
  no-primary  kein primary
  ssh-refused  ssh ~ abgelehnt
  login-failing  anmeldung
  facility  buro
  requests  wie kann ich, wer ist zustandig, wunsch, vorschlag, ware schon, ware gut, frage zu*, bitte hinzufugen, dokumentation, doku, geplant*, nachstes quartal
`;
