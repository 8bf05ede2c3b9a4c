-- Since when an incident's comments are behind what is known of it: with it the operator's figures tell that drawing fails.
alter table incident add column undrawn_since timestamptz;
