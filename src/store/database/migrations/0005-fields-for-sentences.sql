-- What a batch waits for stood behind its note until now.
alter table batch add column waits_for text;
update batch set
    waits_for = substring(note from 'Waiting: (.*)\.$'),
    note = nullif(regexp_replace(note, ' ?Waiting: .*$', ''), '')
  where ended_at is null and note ~ 'Waiting: .*\.$';

-- That it was the operator who ended a command, and no login, was known by a space in `by`.
update run set ending = ending || '{"operator": true}'
  where ending ->> 'kind' = 'cancelled' and ending ->> 'by' like '% %';
update schedule_run set steps = (
    select jsonb_agg(
      case when step #>> '{ending,kind}' = 'cancelled' and step #>> '{ending,by}' like '% %'
        then jsonb_set(step, '{ending,operator}', 'true') else step end
      order by place)
    from jsonb_array_elements(steps) with ordinality as each (step, place))
  where steps @> '[{"ending": {"kind": "cancelled"}}]';
