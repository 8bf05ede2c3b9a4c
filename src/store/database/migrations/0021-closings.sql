-- Whoever takes an issue in asks whether it was closed before.
create index delivery_closing on delivery (line) where event = 'issues' and action = 'closed';
