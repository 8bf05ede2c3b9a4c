import type { Risk } from "../../../base/risk.ts";

/** SQL and Redis words by what they do. */

const byRisk = (lists: Partial<Record<Risk, string>>): Readonly<Record<string, Risk>> =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([risk, list]) =>
      list.split(" ").map((word) => [word.replaceAll("_", " "), risk as Risk]),
    ),
  );

/** First word of a statement; any other word is medium. */
export const sqlVerbs: Readonly<Record<string, Risk>> = byRisk({
  low: "EXISTS SELECT SHOW DESCRIBE DESC EXPLAIN WITH VALUES TABLE PRAGMA HELP STATUS USE CHECKSUM",
  medium:
    "INSERT UPDATE ALTER CREATE GRANT REVOKE VACUUM ANALYZE REINDEX SET RESET CALL DO COPY MERGE REPLACE LOAD OPTIMIZE REPAIR KILL COMMENT LOCK UNLOCK FLUSH REFRESH CLUSTER CHECKPOINT LISTEN NOTIFY BEGIN START COMMIT ROLLBACK SAVEPOINT PREPARE EXECUTE DISCARD RENAME IMPORT INSTALL ATTACH CHANGE EXEC BACKUP DBCC",
  high: "DROP DELETE TRUNCATE SHUTDOWN RESTORE PURGE STOP UNINSTALL",
});

/** Procedures that only show something, with any plain arguments. */
export const readingProcedures =
  "sp_who sp_who2 sp_help sp_helpdb sp_helpfile sp_helpfilegroup sp_helpindex sp_helptext sp_helpuser sp_helplogins " +
  "sp_helprole sp_helprolemember sp_helpsrvrole sp_helpsrvrolemember sp_helpconstraint sp_helptrigger sp_helpstats " +
  "sp_helpserver sp_linkedservers sp_lock sp_spaceused sp_columns sp_tables sp_stored_procedures sp_databases " +
  "sp_server_info sp_pkeys sp_fkeys sp_statistics sp_depends sp_datatype_info sp_readerrorlog xp_readerrorlog " +
  "xp_fixeddrives xp_msver sp_help_job sp_help_jobactivity sp_help_jobhistory sp_help_jobschedule sp_help_jobstep " +
  "sp_helpreplicationdboption sp_helpextendedproc";

interface SqlPattern {
  readonly pattern: RegExp;
  readonly risk: Risk;
  readonly why: string;
}

/** What raises a statement behind any first word. */
// biome-ignore format: a risk, and its pattern
export const sqlPatterns: readonly SqlPattern[] = [
  { risk: "high", why: "destroys data", pattern:
    /\b(drop|truncate|delete)\s+(table|database|schema|from|user|role|index|view|column|only|[a-z_."]+$)/i },
  { risk: "high", why: "drops a part of a table", pattern: /^(alter)\b.*\b(drop|delete\s+where|clear\s+(column|index|projection))\b/i },
  { risk: "medium", why: "changes data", pattern: /\b(insert\s+into|update\s+[\w."]+\s+set|merge\s+into)\b/i },
  { risk: "medium", why: "writes a table or file", pattern: /\bselect\b.*\binto\s+(?!@)/i },
  { risk: "high", why: "writes a file on the database server", pattern: /\binto\s+(out|dump)file\b/i },
  { risk: "medium", why: "locks rows", pattern: /\bfor\s+(update|share|no key update|key share)\b|\block\s+in\s+share\s+mode\b/i },
  { risk: "medium", why: "ends sessions", pattern: /\bpg_(terminate|cancel)_backend\b|\bkill\s+(query|connection)\b/i },
  { risk: "medium", why: "changes the server's state", pattern:
    /\bpg_(reload_conf|rotate_logfile|switch_wal|create_\w+|advisory_lock|logical_emit\w*|backup_\w+|start_backup|stop_backup|wal_replay_\w+)\b|\b(setval|nextval|lo_import|lo_export|lo_unlink|dblink_exec|set_config|sp_configure|pg_stat_(\w+_)?reset\w*)\s*\(|\.nextval\b|\bnext\s+value\s+for\b/i },
  { risk: "high", why: "reaches beyond the database", pattern:
    /\bpg_(promote|drop_replication_slot|read_file|read_binary_file|ls_dir|file_write|replication_origin_drop)\b|\bload_file\s*\(|\bload_extension\s*\(|\bsys_(exec|eval)\b/i },
  { risk: "high", why: "reaches beyond the database", pattern:
    /\b(writefile|edit|fts3_tokenizer|eval|executable(pool)?|lo_from_bytea|lo_put)\s*\(/i },
  { risk: "medium", why: "reads or writes beyond the database", pattern:
    /\b(file|url|s3\w*|gcs|hdfs|remote\w*|mysql|postgresql|mongodb|sqlite|jdbc|odbc|azureblobstorage\w*|deltalake|iceberg|hudi|input|urlcluster|filecluster)\s*\(/i },
  { risk: "high", why: "shows password hashes", pattern:
    /\bpg_(shadow|authid|user_mapping)s?\b|\b(rolpassword|usename\s*,\s*passwd|authentication_string|password_hash|srvoptions)\b|\bmysql\.(user|global_priv)\b.*\b(password|authentication_string|\*)|\*\s+from\s+mysql\.(user|global_priv)\b|(\b(password|user_password|priv|salted_hash)\b|\*).*\bfrom\s+(mysql\.(user|global_priv|slave_master_info|servers)|system_auth\.roles)\b|\bshow\s+create\s+user\b|\b(subconninfo|umoptions|primary_conninfo)\b|\bsys\.(sql_logins|syslogins)\b|\bdba_users\b.*\bpassword\b|\bpassword\b.*\bfrom\s+(sys\.)?dba_users\b|\bspare4\b|(\*|\bpassword\b).*\bfrom\s+(sys\.)?user\$|\*.*\bfrom\s+(pg_catalog\.)?pg_subscription\b|\bpassword\b.*\bfrom\s+mysql\.(user|global_priv)\b/i },
  { risk: "medium", why: "resets what it shows", pattern: /\b(from|join|table)\s+\S*_reset\b|\bstats_\w+_reset\b/i },
  { risk: "high", why: "runs a program on the database server", pattern:
    /\bxp_cmdshell\b|\bfrom\s+program\b|\bto\s+program\b/i },
  { risk: "medium", why: "changes a setting", pattern:
    /\bpragma\s+\w+\s*=|^pragma\s+(wal_checkpoint|incremental_vacuum|optimize)/i },
  { risk: "high", why: "gives away all rights", pattern:
    /\b(grant|alter\s+(user|role))\b.*\b(superuser|all privileges)\b/i },
  { risk: "high", why: "throws replication state away", pattern: /\breset\s+(master|slave|replica|all)\b/i },
  { risk: "medium", why: "changes replication", pattern: /\b(stop|start)\s+(slave|replica|group_replication)\b/i },
];

/** Redis commands, some with their second word; any other is medium. */
export const redisCommands: Readonly<Record<string, Risk>> = {
  ...{ SORT_RO: "low", GEORADIUS_RO: "low", GEORADIUSBYMEMBER_RO: "low", "FT._LIST": "low" },
  ...byRisk({
    low: "PING INFO GET MGET EXISTS TTL PTTL TYPE STRLEN LLEN LRANGE LINDEX SCARD SMEMBERS SISMEMBER HGET HGETALL HKEYS HVALS HLEN HMGET HSCAN SSCAN ZSCAN ZCARD ZCOUNT ZRANGE ZREVRANGE ZSCORE ZRANK XLEN XRANGE XREVRANGE XINFO XPENDING DBSIZE SCAN KEYS RANDOMKEY TIME LASTSAVE ROLE ECHO COMMAND MEMORY OBJECT DUMP GETRANGE GETBIT BITCOUNT PFCOUNT GEOPOS GEODIST LATENCY SLOWLOG CLIENT_LIST CLIENT_INFO CLIENT_GETNAME CLIENT_ID CLUSTER_INFO CLUSTER_NODES CLUSTER_SLOTS CLUSTER_SHARDS CLUSTER_KEYSLOT CLUSTER_MYID CLUSTER_COUNTKEYSINSLOT CONFIG_GET PUBSUB ACL_LIST ACL_WHOAMI ACL_CAT ACL_USERS SENTINEL_MASTERS SENTINEL_MASTER SENTINEL_REPLICAS SENTINEL_SLAVES SENTINEL_GET-MASTER-ADDR-BY-NAME SENTINEL_CKQUORUM MODULE_LIST SCRIPT_EXISTS FUNCTION_LIST MONITOR EXPIRETIME READONLY WAIT PEXPIRETIME HTTL HPTTL HEXISTS HSTRLEN HRANDFIELD SMISMEMBER SRANDMEMBER SINTER SUNION SDIFF SINTERCARD ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX ZREVRANK ZMSCORE ZLEXCOUNT ZRANDMEMBER ZINTER ZUNION ZDIFF ZINTERCARD LPOS LCS SUBSTR BITPOS GEOSEARCH GEOHASH LOLWUT CLUSTER_LINKS CLUSTER_REPLICAS CLUSTER_SLAVES CLUSTER_COUNT-FAILURE-REPORTS CLUSTER_GETKEYSINSLOT CLUSTER_SLOT-STATS CLUSTER_MYSHARDID SENTINEL_SENTINELS SENTINEL_MYID SENTINEL_INFO-CACHE SENTINEL_PENDING-SCRIPTS ACL_LOG ACL_DRYRUN FUNCTION_STATS CLIENT_TRACKINGINFO CLIENT_GETREDIR CLIENT_HELP JSON.GET JSON.TYPE JSON.STRLEN JSON.OBJKEYS JSON.OBJLEN JSON.ARRLEN FT.INFO TS.INFO TS.GET BF.INFO CF.INFO TOPK.INFO",
    medium: "SET SLOWLOG_RESET CONFIG_SET MEMORY_PURGE LATENCY_RESET CLIENT_KILL",
    high: "FLUSHALL FLUSHDB DEL UNLINK SHUTDOWN SLAVEOF REPLICAOF SWAPDB MIGRATE RESTORE FAILOVER CLUSTER_RESET CLUSTER_FAILOVER CLUSTER_FORGET CLUSTER_FLUSHSLOTS CLUSTER_DELSLOTS SCRIPT_FLUSH FUNCTION_FLUSH FUNCTION_DELETE GETDEL XTRIM XDEL LTRIM MODULE_LOAD MODULE_UNLOAD DEBUG EVAL EVALSHA SENTINEL_RESET SENTINEL_REMOVE SENTINEL_FAILOVER ACL_DELUSER SPOP CONFIG_REWRITE ACL_LIST ACL_GETUSER",
  }),
};
