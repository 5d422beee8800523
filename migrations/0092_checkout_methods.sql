-- How the buyer of a checkout pays, as they chose in its form; null where nothing is paid.
alter table checkouts add column provider text check (provider ~ '^[a-z][a-z0-9-]{1,30}$' and provider <> 'free');
