-- What a provider of a school is used for, whose account its keys are of, the endpoint that was made for our webhook, and what the
-- last check found.
alter table payment_providers
  add column use text not null default 'everything' check (use in ('everything', 'renewals', 'nothing')),
  add column account jsonb check (jsonb_typeof(account) = 'object'),
  add column webhook_ref text check (length(webhook_ref) between 1 and 255),
  add column webhook_events jsonb check (jsonb_typeof(webhook_events) = 'array'),
  add column checked_at timestamptz,
  add column findings jsonb check (jsonb_typeof(findings) = 'array'),
  add check ((checked_at is null) = (findings is null)),
  add check ((webhook_ref is null) = (webhook_events is null));

-- Once a week the providers of a school are checked.
insert into jobs (school_id, kind, id, due_at)
select id, 'provider_check', id, stoa.now() + interval '7 days' from schools;
