-- When a comment last waited long for GitHub's limit on writes, and which boards say so: those are drawn anew once it is over.
alter table write_budget add column late_at timestamptz;
alter table incident add column says_late boolean not null default false;
