-- What a batch waits for stood behind its note until now.
alter table batch add column waits_for text;
update batch set
    waits_for = substring(note from 'Waiting: (.*)\.$'),
    note = nullif(regexp_replace(note, ' ?Waiting: .*$', ''), '')
  where ended_at is null and note ~ 'Waiting: .*\.$';
