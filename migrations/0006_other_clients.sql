-- Clients that did not register themselves: described by a document at their id, or arranged with the school.
alter table clients
  add column if not exists introspects text,
  add column arranged_at timestamptz,
  -- Of the document's HTTPS callbacks those the school arranged; null: every one.
  add column arranged_redirect_uris text[],
  add column document_expires_at timestamptz;

-- Rows of their own, so that after a rotation the secret before still works for a day.
create table client_secrets (
  school_id uuid not null,
  client_id text collate "C" not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (school_id, client_id, secret_hash),
  foreign key (school_id, client_id) references clients (school_id, id)
);
create unique index client_secrets_current on client_secrets (school_id, client_id) where expires_at is null;
select stoa.guard('client_secrets');

insert into client_secrets (school_id, client_id, secret_hash, created_at)
select school_id, id, secret_hash, created_at from clients where secret_hash is not null;
alter table clients drop column secret_hash;

-- Given without a consent page, because the person had agreed to as much before.
alter table grants add column is_silent boolean not null default false;
create index grants_consents on grants (school_id, member_id, client_id, created_at);

alter table authorization_requests add column may_skip boolean not null default false;
