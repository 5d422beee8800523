-- The set of providers is open: areas declare them. `free` and `manual` are declared by none, and keep their conditions.
alter table payment_providers
  drop constraint payment_providers_name_check,
  add check (name ~ '^[a-z][a-z0-9-]{1,30}$' and name <> 'free'),
  -- When its last genuine notice came, to the hour.
  add column heard_at timestamptz;
update payment_providers n set heard_at = (
  select max(e.received_at) from payment_events e where e.school_id = n.school_id and e.provider = n.name);

alter table payment_secrets
  drop constraint payment_secrets_name_check,
  add check (name ~ '^[a-z][a-z0-9_]{1,39}$');

alter table payments
  drop constraint payments_provider_check,
  add check (provider ~ '^[a-z][a-z0-9-]{1,30}$'),
  drop constraint payments_check6,
  add check (not saves or (provider not in ('free', 'manual') and method_ref is null)),
  -- What a notice said about an id at the provider, when none was known: nobody has confirmed that it is of this payment.
  add column noticed_ref text check (length(noticed_ref) between 1 and 255);

alter table payment_events
  drop constraint payment_events_provider_check,
  add check (provider ~ '^[a-z][a-z0-9-]{1,30}$' and provider not in ('free', 'manual'));

alter table payment_methods
  drop constraint payment_methods_provider_check,
  add check (provider ~ '^[a-z][a-z0-9-]{1,30}$' and provider not in ('free', 'manual'));

alter table payment_outages
  drop constraint payment_outages_provider_check,
  add check (provider ~ '^[a-z][a-z0-9-]{1,30}$' and provider not in ('free', 'manual'));

alter table subscriptions
  drop constraint subscriptions_provider_check,
  add check (provider ~ '^[a-z][a-z0-9-]{1,30}$' and provider <> 'free');
