create table clients (
  school_id uuid not null references schools (id),
  id text collate "C" not null,
  name text not null,
  redirect_uris text[] not null,
  auth_method text not null check (auth_method in ('none', 'client_secret_post')),
  secret_hash bytea,
  grant_types text[] not null,
  application_type text not null check (application_type in ('native', 'web')),
  scope_ceiling text[],
  id_token_alg text not null check (id_token_alg in ('RS256', 'ES256')),
  blocked_at timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (school_id, id),
  check ((auth_method = 'none') = (secret_hash is null))
);
select stoa.guard('clients');

create table authorization_requests (
  school_id uuid not null,
  handle_hash bytea not null,
  browser_hash bytea not null,
  client_id text collate "C" not null,
  redirect_uri text not null,
  scopes text[] not null,
  resources text[] not null,
  state text,
  nonce text,
  code_challenge text not null,
  fresh_after timestamptz,
  login_hint text,
  locale text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decision text check (decision in ('approve', 'approve_read', 'deny')),
  decided_at timestamptz,
  grant_id uuid,
  primary key (school_id, handle_hash),
  foreign key (school_id, client_id) references clients (school_id, id)
);
create index authorization_requests_browser on authorization_requests (school_id, browser_hash);
create index authorization_requests_client on authorization_requests (school_id, client_id);
select stoa.guard('authorization_requests');

-- One approval: what was allowed, its one code, and what the tokens say about the sign-in.
create table grants (
  school_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  client_id text collate "C" not null,
  scopes text[] not null,
  resources text[] not null,
  redirect_uri text not null,
  code_hash bytea not null,
  code_challenge text not null,
  code_expires_at timestamptz not null,
  code_used_at timestamptz,
  nonce text,
  session_id uuid not null,
  amr text[] not null,
  auth_time timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_for text,
  primary key (school_id, id),
  unique (school_id, code_hash),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, client_id) references clients (school_id, id)
);
create index grants_member on grants (school_id, member_id);
create index grants_client on grants (school_id, client_id);
select stoa.guard('grants');

create table access_tokens (
  school_id uuid not null,
  token_hash bytea not null,
  grant_id uuid not null,
  resource text not null,
  scopes text[] not null,
  cnf_jkt text,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (school_id, token_hash),
  foreign key (school_id, grant_id) references grants (school_id, id)
);
create index access_tokens_grant on access_tokens (school_id, grant_id);
select stoa.guard('access_tokens');

create table signing_keys (
  school_id uuid not null references schools (id),
  kid text not null,
  alg text not null check (alg in ('RS256', 'ES256')),
  public_jwk jsonb not null,
  private_sealed bytea not null,
  created_at timestamptz not null,
  activates_at timestamptz not null,
  retires_at timestamptz,
  primary key (school_id, kid)
);
create unique index signing_keys_one_current on signing_keys (school_id, alg) where retires_at is null;
select stoa.guard('signing_keys');
