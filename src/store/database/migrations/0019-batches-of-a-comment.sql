-- A comment sets several batches going where each passkey that it is asked for makes another of its numbers complete; the same numbers
-- never twice.
alter table batch drop constraint batch_comment_id_key;
alter table batch add constraint batch_comment_once unique (comment_id, numbers);
