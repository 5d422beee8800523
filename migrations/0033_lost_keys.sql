-- A school whose key for credentials was lost with the secret gives the key up and gets another one. The public half stays
-- published, so that what the key signed can still be verified.
alter table credential_keys add column given_up_at timestamptz;
drop index credential_keys_one;
create unique index credential_keys_one on credential_keys (school_id) where given_up_at is null;

-- The private keys of every school that are in use, sealed as they are stored: what a start tries to open with its secret.
create function stoa.sealed_keys() returns table (school_id uuid, kind text, kid text, private_sealed bytea)
language sql stable security definer set search_path = pg_catalog, public, stoa as $$
  select k.school_id, 'signing', k.kid, k.private_sealed from signing_keys k
  where k.retires_at is null or k.retires_at > (select stoa.now())
  union all
  select k.school_id, 'credentials', k.kid, k.private_sealed from credential_keys k where k.given_up_at is null
$$;
