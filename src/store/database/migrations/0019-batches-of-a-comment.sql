-- A comment sets several batches going where each passkey it is asked for makes another of its numbers complete. That nothing goes
-- twice is the action's own: it leaves `proposed` once.
alter table batch drop constraint batch_comment_id_key;
