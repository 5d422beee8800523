-- A webhook whose secret was lost with that of the installation is disabled, since nothing can be signed for it.
alter table webhooks drop constraint webhooks_disabled_reason_check;
alter table webhooks add constraint webhooks_disabled_reason_check
  check (disabled_reason in ('by_person', 'gone', 'failing', 'access_ended', 'restored', 'secret_lost'));

-- Everything that is sealed with the installation's secret and in use, of every school, as it is stored.
create or replace function stoa.sealed_keys()
returns table (school_id uuid, kind text, kid text, private_sealed bytea)
language sql stable security definer set search_path = pg_catalog, public, stoa as $$
  select k.school_id, 'signing', k.kid, k.private_sealed from signing_keys k
  where k.retires_at is null or k.retires_at > (select stoa.now())
  union all
  select k.school_id, 'credentials', k.kid, k.private_sealed from credential_keys k where k.given_up_at is null
  union all
  select s.school_id, 'payments', s.provider || '/' || s.name, s.sealed from payment_secrets s
  union all
  select w.school_id, 'webhooks', w.id::text, w.secret_sealed from webhooks w where w.status <> 'disabled'
$$;
