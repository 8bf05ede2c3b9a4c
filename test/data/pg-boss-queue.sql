-- What a program with pg-boss 12.38.0 as its queue left on a server (pg_dump --schema=boss, without what no row of it needs).
CREATE SCHEMA boss;
CREATE TYPE boss.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);
CREATE FUNCTION boss.job_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
      SELECT pg_catalog.now();
    $$;
CREATE TABLE boss.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state boss.job_state DEFAULT 'created'::boss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    trace_context jsonb,
    upsert_by_key boolean
)
PARTITION BY LIST (name);
CREATE TABLE boss.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state boss.job_state DEFAULT 'created'::boss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    trace_context jsonb,
    upsert_by_key boolean,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);
CREATE TABLE boss.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    blocked_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    retained_count integer,
    retained_on timestamp with time zone,
    created_delta integer DEFAULT 0 NOT NULL,
    completed_delta integer DEFAULT 0 NOT NULL,
    failed_delta integer DEFAULT 0 NOT NULL,
    delta_on timestamp with time zone,
    delta_seconds integer,
    wait_bins integer[],
    run_bins integer[],
    ready_oldest_seconds integer,
    ready_history integer[] DEFAULT '{}'::integer[] NOT NULL,
    heartbeat_seconds integer,
    notify boolean DEFAULT false NOT NULL,
    singletons_active text[],
    monitor_claim_on timestamp with time zone,
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);
CREATE TABLE boss.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone,
    flow_on timestamp with time zone,
    reindex_on timestamp with time zone,
    monitor_backoff_on timestamp with time zone
);
ALTER TABLE ONLY boss.job ATTACH PARTITION boss.job_common DEFAULT;
INSERT INTO boss.job_common VALUES ('01a20a00-6544-70f1-a17a-b6dda41f04c7', 'delivery', 0, '{"guid": "g-2"}', 'created', 1000000, 0, 0, false, NULL, 900, 604800, 'issue:1:1', NULL, '7', NULL, '2026-11-23 20:02:07.809289+00', '2026-11-23 20:02:07.809289+00', NULL, NULL, '2076-11-10 20:02:07.809289+00', NULL, NULL, 'key_strict_fifo', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO boss.job_common VALUES ('01a20a00-6545-7090-b11c-c3472dd683a3', 'turn', 0, '{"n": 3}', 'created', 1000000, 0, 0, false, NULL, 900, 604800, 'later', NULL, 'later', NULL, '2100-01-01 00:00:00+00', '2026-11-23 20:02:07.809289+00', NULL, NULL, '2149-12-20 00:00:00+00', NULL, NULL, 'key_strict_fifo', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO boss.job_common VALUES ('01a20a00-6547-7079-a284-5b303a6738eb', 'execute', 0, '{"n": 5}', 'created', 1000000, 0, 0, false, NULL, 900, 604800, 'running', NULL, 'running', NULL, '2026-11-23 20:02:07.809289+00', '2026-11-23 20:02:07.809289+00', NULL, NULL, '2076-11-10 20:02:07.809289+00', NULL, NULL, 'key_strict_fifo', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO boss.job_common VALUES ('01a20a00-6548-70cf-a03c-6059225f7d2a', 'post', 0, '{"n": 6}', 'created', 1000000, 0, 0, false, NULL, 900, 604800, 'suspect', NULL, 'suspect', NULL, '2026-11-23 20:02:07.809289+00', '2026-11-23 20:02:07.809289+00', NULL, NULL, '2076-11-10 20:02:07.809289+00', NULL, NULL, 'key_strict_fifo', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO boss.job_common VALUES ('01a20a00-6541-70dd-908d-c263450c13b3', 'delivery', 0, '{"guid": "g-1"}', 'retry', 1000000, 2, 0, false, NULL, 900, 604800, 'issue:1:1', NULL, '7', NULL, '2026-01-01 00:00:00+00', '2026-11-23 20:02:07.809289+00', '2026-11-23 20:02:07.819366+00', NULL, '2076-11-10 20:02:07.809289+00', '{"deaths": 0, "failures": 2}', NULL, 'key_strict_fifo', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO boss.job_common VALUES ('01a20a00-6546-70cf-aba1-272be491b6af', 'execute', 0, '{"n": 4}', 'active', 1000000, 3, 0, false, NULL, 900, 604800, 'running', NULL, 'running', NULL, '2026-11-23 20:02:07.809289+00', '2026-11-23 20:02:07.809289+00', '2026-11-23 20:02:07.820417+00', NULL, '2076-11-10 20:02:07.809289+00', '{"deaths": 2, "failures": 1}', NULL, 'key_strict_fifo', '2026-01-01 00:00:00+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO boss.queue VALUES ('delivery', 'key_strict_fifo', 1000000, 0, false, NULL, 900, 1576800000, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 20:02:07.789738+00', '2026-11-23 20:02:07.789738+00');
INSERT INTO boss.queue VALUES ('turn', 'key_strict_fifo', 1000000, 0, false, NULL, 900, 1576800000, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 20:02:07.793597+00', '2026-11-23 20:02:07.793597+00');
INSERT INTO boss.queue VALUES ('execute', 'key_strict_fifo', 1000000, 0, false, NULL, 900, 1576800000, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 20:02:07.797046+00', '2026-11-23 20:02:07.797046+00');
INSERT INTO boss.queue VALUES ('schedule', 'key_strict_fifo', 1000000, 0, false, NULL, 900, 1576800000, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 20:02:07.799218+00', '2026-11-23 20:02:07.799218+00');
INSERT INTO boss.queue VALUES ('post', 'key_strict_fifo', 1000000, 0, false, NULL, 900, 1576800000, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 20:02:07.800546+00', '2026-11-23 20:02:07.800546+00');
INSERT INTO boss.version VALUES (46, NULL, '2026-11-23 20:02:07.796014+00', NULL, NULL, NULL);
ALTER TABLE ONLY boss.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY boss.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY boss.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);
CREATE INDEX job_common_i10 ON boss.job_common USING btree (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE ((state < 'active'::boss.job_state) AND (NOT blocked) AND (policy = 'key_strict_fifo'::text));
CREATE UNIQUE INDEX job_common_i8 ON boss.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::boss.job_state, 'retry'::boss.job_state, 'failed'::boss.job_state])) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_share ON boss.job_common USING btree (name, COALESCE(group_id, ''::text), created_on, id) WHERE ((state < 'active'::boss.job_state) AND (NOT blocked) AND (policy = 'key_strict_fifo'::text));
ALTER TABLE ONLY boss.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES boss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY boss.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES boss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
