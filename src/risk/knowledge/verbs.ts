/** Verbs and nouns of command lines, by what they do; see `cloud.ts`. */
import type { Levels } from "../program.ts";

/** The first of these decides, alone or as the first or last part of a word (`list-peers`, `pool-destroy`). */
export const knownVerbs: Levels = {
  low:
    "list ls list-all get show describe desc lookup inspect display whoami search find verify validate ping ps query explain " +
    "preview plan help version tail head count locate outdated lint can has lsl lsd lsf lsjson shortlist tree du read",
  medium:
    "create add new set put post patch update edit modify change apply replace start restart reload resume enable install " +
    "upgrade attach connect login logout refresh renew resize expand extend scale sync import push pull fetch download upload " +
    "rename move mv copy cp mount umount unmount annotate register publish send invoke trigger retry pause unpause lock unlock " +
    "grant assign associate bind allow deny approve reject accept ban unban mark pin hold write save store clone fork init bootstrap join " +
    "promote reconcile rotate sign issue generate submit dispatch merge rebalance repair fix heal optimize migrate transfer clear convert execute call " +
    "accept tag untag open close use select switch load dump insert append configure reconfigure sendto commit configure ack nack feed " +
    "activate deactivate subscribe unsubscribe thaw freeze bump cordon uncordon borrow release redeploy rerun relabel reindex truncate-log " +
    "unset prepend updatekeys",
  high:
    "delete remove rm rmdir rb destroy del drop purge terminate stop kill reset revoke disable detach deregister flush wipe " +
    "failover rollback cancel abort format erase prune forget drain evict reboot shutdown poweroff halt suspend unregister " +
    "undeploy uninstall leave force truncate trim expunge decommission switchover demote discard clean cleanup empty abandon deallocate " +
    "no disassociate dissociate disconnect revert seal undefine deny-all deleteall power-off mirror rmi rmp gc vacuum",
};

/** Words that are as often nouns: they decide where no other verb does. */
export const nouns: Levels = {
  low:
    "status stat info log logs event events metrics stats statistics health history usage check checks test audit report summary " +
    "diff top doctor size about state alarms capabilities facts identity overview topology dmesg uptime memory netstat stacktrace blockers",
  medium: "backup snapshot export deploy run build copy checkpoint scan test-run compact archive",
  high: "restore",
};

/** Options that are verbs, for tools that have no sub-commands. */
export const optionVerbs: Levels = {
  low: "list describe show get status info verify validate list-all ls members state",
  medium:
    "create alter add update enable disable fix repair apply install upgrade write overwrite clear execute elect reassign import " +
    "sync resume calibrate auto-tune unpack extract save share register unset webserver daemon daemonize",
  high:
    "delete remove purge prune destroy wipe reset kill uninstall rm reset-offsets delete-offsets delete-all remove-orphans force-delete with-decryption " +
    "depclean unregister unmerge erase",
};

/** Options that take a value in nearly all of these tools. */
export const usualOptions =
  "-n -o -f -N -H -p -P -u -U -l -t -L --namespace --region --profile --output --format --context --cluster --server --host --project " +
  "--endpoint --endpoints --address --addr --token --name --id --limit --port --user --url --cacert --cert --key --config --kubeconfig " +
  "--log-level --timeout --color";
