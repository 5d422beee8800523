-- Who ended an entitlement early: the school, whose decision lasts until it gives access again, or the person, who may come back.
-- Null for what ended with its source (a group, an order line, an erasure), and for what was revoked before this column existed.
alter table entitlements
  add column revoked_by text check (revoked_by in ('member', 'school')),
  add check (revoked_by is null or revoked_at is not null);

-- A school has at most one host for its pages, and may give it up. Which school a host belongs to is looked up before a school is
-- known, so reading is open to the login.
create unique index hosts_pages on hosts (school_id) where purpose = 'pages';
alter table hosts enable row level security;
create policy found on hosts for select using (true);
create policy added on hosts for insert with check (school_id = stoa.school_id());
create policy given_up on hosts for delete using (school_id = stoa.school_id() and purpose = 'pages');
