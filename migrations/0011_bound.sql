-- Whoever writes what a token decision rests on, the database itself tells it, in the same transaction and once for each
-- school, since equal notifications of one transaction are one: the school's id and what changed, nothing of anybody.
create function stoa.tell_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('stoa_changes', coalesce(to_jsonb(old) ->> 'school_id', to_jsonb(old) ->> 'id') || ' ' || tg_table_name);
  return null;
end $$;

create trigger tell_change after update on grants for each row
  when ((old.revoked_at, old.expires_at, old.member_id, old.client_id)
    is distinct from (new.revoked_at, new.expires_at, new.member_id, new.client_id))
  execute function stoa.tell_change();
create trigger tell_change after update on access_tokens for each row
  when (old is distinct from new) execute function stoa.tell_change();
create trigger tell_end after delete on access_tokens for each row
  when (old.revoked_at is null and old.expires_at > stoa.now()) execute function stoa.tell_change();
create trigger tell_change after update on members for each row
  when ((old.role, old.status) is distinct from (new.role, new.status)) execute function stoa.tell_change();
create trigger tell_change after update on clients for each row
  when (old.blocked_at is distinct from new.blocked_at) execute function stoa.tell_change();
create trigger tell_change after update on schools for each row
  when (old.tokens_epoch is distinct from new.tokens_epoch) execute function stoa.tell_change();

-- How long what a school's authorization server gives out lives.
alter table schools
  add column code_seconds integer not null default 120 check (code_seconds between 30 and 600),
  add column access_token_seconds integer not null default 3600 check (access_token_seconds between 300 and 86400),
  add column refresh_idle_seconds integer not null default 2592000
    check (refresh_idle_seconds between 86400 and 7776000),
  add column refresh_family_seconds integer not null default 31536000
    check (refresh_family_seconds between 86400 and 31536000);

-- What is swept away by its age is found by it. Approvals and clients are walked over instead.
create index authorization_requests_ends on authorization_requests (school_id, expires_at);
create index access_tokens_ends on access_tokens (school_id, expires_at);
create index sessions_ends on sessions (school_id, least(expires_at, ended_at));
create index known_browsers_ends on known_browsers (school_id, expires_at);

-- Each school is swept once a day; those that are there already not all at once.
insert into jobs (school_id, kind, id, due_at)
select id, 'sweep', id, stoa.now() + random() * interval '1 day' from schools;
