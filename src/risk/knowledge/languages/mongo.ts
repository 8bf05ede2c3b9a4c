/** What mongosh's methods and `runCommand` keys are known only to read; any other is medium. */
const wordsIn = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

export const readingMethods = wordsIn(`
  find findOne limit sort skip count countDocuments estimatedDocumentCount aggregate distinct explain pretty toArray forEach map filter reduce some every
  hint maxTimeMS batchSize comment readPref readConcern collation projection returnKey showRecordId size hasNext next tryNext itcount objsLeftInBatch isExhausted close
  stats serverStatus status conf config isMaster hello getIndexes getIndexKeys getCollectionNames getCollectionInfos getCollection getSiblingDB getDB getMongo getName
  getUsers getUser getRoles getRole currentOp printReplicationInfo printSecondaryReplicationInfo printSlaveReplicationInfo getReplicationInfo printShardingStatus printCollectionStats
  printjson print tojson EJSON stringify parse ObjectId ISODate Date NumberLong NumberInt NumberDecimal Long Int32 Decimal128 UUID BinData Timestamp RegExp Number String Array Object keys values entries from isArray
  getProfilingStatus getProfilingLevel getLogComponents hostInfo listCommands commandHelp version dataSize storageSize totalSize totalIndexSize indexStats latencyStats isCapped exists
  serverBuildInfo serverCmdLineOpts serverBits getLastError getReadPref getReadPrefMode getReadConcern getWriteConcern getShardDistribution getShardVersion getBalancerState isBalancerRunning
  isConfigShardEnabled balancerCollectionStatus listShards getShardedDataDistribution getPlanCache list getFreeMonitoringStatus adminCommand runCommand getDBs getDBNames listDatabases
  toString toISOString valueOf getTimestamp slice join split substring includes indexOf startsWith endsWith trim toLowerCase toUpperCase toFixed padEnd padStart push concat length test match replace
  floor round ceil max min abs now getTime setHours setDate help rs sh use show typeof function if for while return
`);

export const readingCommands = wordsIn(`
  serverStatus replSetGetStatus replSetGetConfig dbStats dbstats collStats collstats ping hello isMaster ismaster buildInfo buildinfo connPoolStats currentOp getLog hostInfo listDatabases
  listCollections listIndexes count distinct find aggregate explain top usersInfo rolesInfo getParameter getCmdLineOpts connectionStatus whatsmyuri dataSize listCommands lockInfo shardConnPoolStats
  balancerStatus listShards getShardMap features getDefaultRWConcern planCacheListFilters dbHash isdbgrid getDiagnosticData
`);
