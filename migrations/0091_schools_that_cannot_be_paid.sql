-- No way to be paid is set by default any more, and bank transfer without an account or a text is not offered. Until when it is
-- offered all the same, for schools that were paid in this way before.
alter table payment_providers add column offered_until timestamptz check (offered_until is null or name = 'manual');

-- Schools that had set no provider were paid by transfer, also for the periods that come.
insert into payment_providers (school_id, name, created_at, updated_at)
select s.id, 'manual', stoa.now(), stoa.now() from schools s
where not exists (select from payment_providers p where p.school_id = s.id)
  and (exists (select from payments y where y.school_id = s.id and y.provider = 'manual')
    or exists (select from subscriptions u where u.school_id = s.id and u.provider = 'manual'));

update payment_providers set offered_until = stoa.now() + interval '30 days'
where name = 'manual'
  and (instructions ->> 'account_holder' is null or instructions ->> 'iban' is null)
  and coalesce(btrim(instructions ->> 'text', E' \n\t\r'), '') = '';

alter table guide_steps
  drop constraint guide_steps_step_check,
  add check (step in ('name', 'appearance', 'seller', 'payments', 'course', 'price', 'publication', 'invitation'));

-- Schools that were there before these steps have no need of them.
insert into guide_steps (school_id, step, state, recorded_at)
select id, step, 'done', stoa.now() from schools, unnest(array['seller', 'payments', 'price', 'publication']) as step;
