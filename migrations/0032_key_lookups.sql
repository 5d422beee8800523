-- While a table is empty or has no statistics, every index that begins with `school_id` costs the planner the same, whatever
-- its other columns are, and a prepared statement keeps the plan that it got. An index that leaves out null values of a column
-- which has none is complete, and serves only statements that compare this column: it is no candidate for a lookup by the
-- primary key. Of candidates that cost the same, the index that was created last is taken.

drop index grants_client;
drop index grants_consents;
-- grants_consents begins with the same columns.
drop index grants_member;
alter table grants drop constraint grants_school_id_code_hash_key;
create index grants_client on grants (school_id, client_id) where client_id is not null;
create index grants_consents on grants (school_id, member_id, client_id, created_at) where member_id is not null;
create unique index grants_code on grants (school_id, code_hash) where code_hash is not null;

drop index access_tokens_grant;
drop index access_tokens_ends;
create index access_tokens_ends on access_tokens (school_id, expires_at) where expires_at is not null;
create index access_tokens_grant on access_tokens (school_id, grant_id) where grant_id is not null;

drop index authorization_requests_ends;
drop index authorization_requests_client;
drop index authorization_requests_browser;
create index authorization_requests_ends on authorization_requests (school_id, expires_at) where expires_at is not null;
create index authorization_requests_client on authorization_requests (school_id, client_id) where client_id is not null;
create index authorization_requests_browser on authorization_requests (school_id, browser_hash)
  where browser_hash is not null;

drop index sessions_ends;
drop index sessions_member;
alter table sessions drop constraint sessions_school_id_secret_hash_key;
create index sessions_ends on sessions (school_id, least(expires_at, ended_at))
  where least(expires_at, ended_at) is not null;
create index sessions_member on sessions (school_id, member_id, id desc) where member_id is not null;
create unique index sessions_secret on sessions (school_id, secret_hash) where secret_hash is not null;

drop index known_browsers_ends;
drop index known_browsers_secret;
create index known_browsers_ends on known_browsers (school_id, expires_at) where expires_at is not null;
create index known_browsers_secret on known_browsers (school_id, secret_hash) where secret_hash is not null;
