/**
 * Functions of databases that are known only to read or to reckon. Any other in a statement makes it medium, because it is unknown.
 * Names in lower case; a name that ends in `*` stands for all that begin so.
 */
const listed = `
  count sum avg mean min max total stddev* variance var_* covar* corr regr_* median mode percentile* any_value every bool_* bit_* array_agg* string_agg*
  group_concat* listagg json*agg xmlagg grouping row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  abs ceil* floor round trunc* sign sqrt cbrt power pow exp ln log log2 log10 mod div pi random rand uuid* gen_random_uuid newid greatest least width_bucket
  sin cos tan asin acos atan* degrees radians factorial gcd lcm scale hex unhex crc32 md5 sha* digest encode decode to_base64 from_base64 base64* bin oct conv
  length len char_length character_length octet_length bit_length datalength lower upper initcap trim ltrim rtrim btrim lpad rpad left right mid substr* substring*
  position strpos instr locate charindex patindex replace translate repeat replicate reverse concat* split_part string_* regexp_* rlike regexp* like ilike glob
  overlay ascii chr char unistr format format_* printf quote* ucase lcase space soundex difference levenshtein* similarity starts_with startswith endswith ends_with has* match* extract* empty notempty multi* splitby*
  coalesce ifnull nullif isnull nvl* iif if case cast try_cast convert try_convert to_char to_number to_date to_timestamp to_json* to_jsonb to_hex to_* parse* try_parse assumenotnull as_array as_char as_date as_decimal as_double as_integer as_object
  now sysdate systimestamp getdate getutcdate sysdatetime* current_* localtime* clock_timestamp statement_timestamp transaction_timestamp timeofday utc_* unix_timestamp from_unixtime* curdate curtime today yesterday
  date date_* dateadd datediff* datename datepart datetime* time timestamp* time_* timediff julianday strftime year month day hour minute second week quarter dayofweek dayofyear dayname monthname last_day add_months months_between age extract epoch make_date make_interval make_time* justify_* isfinite interval to_days from_days sec_to_time time_to_sec makedate maketime addtime subtime toStartOf* tostartof* tounix* todate* tostring* toint* tofloat* touint* totime* tohour* today* tomonday now64
  array* unnest cardinality generate_series generate_subscripts json_* jsonb_* json jsonb row_to_json jsonextract* simplejson* row values value openjson isjson json_value xpath* xmlelement xmlforest xmlserialize hstore* akeys avals map* tuple* length* arrayjoin
  pg_size_* pg_*_size pg_size_pretty pg_get_* pg_is_* pg_has_* has_*_privilege pg_stat_get_* pg_backend_pid pg_blocking_pids pg_conf_load_time pg_postmaster_start_time pg_current_wal* pg_last_* pg_wal_lsn_diff pg_walfile_name* pg_current_snapshot pg_snapshot_* pg_xact_* pg_table_is_visible pg_*_is_visible pg_column_* pg_typeof pg_collation_for pg_encoding_to_char pg_char_to_encoding pg_client_encoding pg_options_to_table pg_tablespace_* pg_relation_* pg_lock_status pg_locks pg_show_all_settings pg_settings pg_hba_file_rules pg_stat_* pg_control_* pg_available_* pg_timezone_* pg_prepared_* pg_cursor pg_safe_snapshot_blocking_pids pg_jit_available pg_trigger_depth pg_my_temp_schema pg_isolation_test* pg_index_* pg_indexam_* pg_describe_object pg_identify_object* pg_filenode_relation pg_lsn pgstat* pg_buffercache_pages pg_buffercache_summary pg_buffercache_usage_counts pg_freespace* pg_ls_waldir pg_ls_logdir pg_ls_archive_statusdir pg_current_logfile pg_logical_slot_peek_changes pg_logical_slot_peek_binary_changes pg_show_replication_origin_status bt_index_check get_raw_page heap_page_items heap_page_item_attrs page_header bt_metap bt_page_stats bt_page_items pg_visibility pg_visibility_map pg_visibility_map_summary gtid_subset gtid_subtract current_setting inet_* version txid_current_if_assigned txid_current_snapshot txid_snapshot_* txid_visible* obj_description col_description shobj_description format_type to_reg* regclass regtype regproc regrole oidvector* currval lastval
  database schema user session_user system_user connection_id last_insert_id found_rows row_count @@* variable sys.* performance_schema* information_schema* ps_* format_bytes format_pico_time is_free_lock is_used_lock bin_to_uuid uuid_to_bin name_const
  host_name db_name db_id object_name object_id objectproperty* schema_name schema_id suser_* user_name user_id serverproperty databasepropertyex columnproperty col_name col_length file_name filegroup_name fileproperty type_name index_col stats_date is_member is_srvrolemember has_perms_by_name rowcount_big error_* scope_identity ident_current sys.dm_* dm_* fn_*stats fn_xe_file* 
  typeof changes total_changes last_insert_rowid sqlite_version sqlite_source_id sqlite_compileoption* likely unlikely likelihood table_info table_xinfo index_list index_info index_xinfo foreign_key_list foreign_key_check integrity_check quick_check zeroblob quote instr subtype octet_length highlight snippet bm25 dbstat pragma_* fts* rtree*
  uniq* quantile* topk* argmin argmax sumif countif avgif sumarray grouparray* groupuniqarray* any anylast anyheavy bounding* histogram retention windowfunnel uptime hostname fqdn currentdatabase currentuser rowNumber* rownumber* runningdifference* neighbor formatreadable* bitmap* ip* tuple numbers zeros cluster* clusterallreplicas merge system.* ignore identity materialize greatcircle* geo* h3* s2* dictget* dicthas* joinget* getsetting visiblewidth bar transform modulo* intdiv* plus minus multiply divide negate
  st_* ewkt* geometry* point box circle polygon within intersects token writetime ttl dateof unixtimestampof mintimeuuid maxtimeuuid blobas* *asblob tounixtimestamp totimestamp
  read_csv read_csv_auto read_parquet read_json read_json_auto read_ndjson parquet_scan parquet_metadata parquet_schema duckdb_* pragma_*
  rpad nls_* sys_context userenv ora_* dbms_metadata.get_ddl dbms_xplan.display* decode rownum vsize dump rowid* wm_concat
`;

const keywords = `
  and or not in exists any all some on using as over partition by filter within values from join lateral where having when then else union
  except intersect select distinct order limit offset fetch group cube rollup sets table with recursive is between collate returning set
  index key primary unique foreign references check default constraint varchar char character numeric decimal float double precision
  int integer bigint smallint timestamp time interval bit varbit nvarchar nchar varbinary binary text enum datetime2 explain analyze format
  costs verbose buffers settings wal timing summary insert into columns if cross inner outer left right full natural rows range groups window
`;

const names = listed
  .split(/\s+/)
  .filter(Boolean)
  .map((name) => name.toLowerCase());
/** Functions, and words before a parenthesis, that are known only to read or to reckon, in lower case. */
export const readingFunctions: ReadonlySet<string> = new Set([
  ...names.filter((name) => !name.includes("*")),
  ...keywords.split(/\s+/).filter(Boolean),
]);
const patterns = names.filter((name) => name.includes("*"));
/** Families, by the part of the name that they share. */
export const readingPatterns: RegExp = new RegExp(
  `^(?:${patterns.map((name) => name.replace(/[.@]/g, "\\$&").replaceAll("*", "\\w*")).join("|")})$`,
);
