-- A session ends when it was not used for a while, and in any case some time after its sign-in; sooner for those who manage the school.
create function stoa.session_end(role text, is_remembered boolean, started_at timestamptz, used_at timestamptz)
returns timestamptz language sql immutable parallel safe as $$
  select case
    when not is_remembered then started_at + interval '12 hours'
    when role in ('admin', 'owner') then least(used_at + interval '7 days', started_at + interval '30 days')
    else least(used_at + interval '14 days', started_at + interval '90 days')
  end
$$;

alter table sessions
  add column started_at timestamptz,
  add column is_remembered boolean not null default true,
  -- Until when the last proof of who the person is counts as recent.
  add column recent_until timestamptz,
  -- The secret before the last proof, which requests under way and other tabs still send.
  add column previous_hash bytea,
  add column previous_until timestamptz;

update sessions set started_at = auth_time, recent_until = auth_time + interval '2 hours';

alter table sessions alter column started_at set not null, alter column recent_until set not null;

create unique index sessions_previous on sessions (school_id, previous_hash) where previous_hash is not null;
