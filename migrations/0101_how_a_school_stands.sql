-- When a mail server last accepted a test message of the school, and from which address; null where that is not known.
alter table schools
  add column mail_accepted_at timestamptz,
  add column mail_accepted_from text,
  add check (mail_accepted_from is null or mail_accepted_at is not null);

-- What a server accepted before there were test messages proves as much.
update schools s set mail_accepted_at = m.sent_at
from (select school_id, max(sent_at) as sent_at from mails where sent_at is not null and not keeps_text group by school_id) m
where m.school_id = s.id;

-- Until when the school may answer the bank.
alter table disputes add column due_at timestamptz;

-- What is done is read from the state of the school: a step with a row is put off. A guide that was over stays over.
alter table guide_steps drop constraint guide_steps_step_check;
insert into guide_steps (school_id, step, state, recorded_at)
select school_id, step, 'skipped', stoa.now()
from (select school_id from guide_steps group by school_id having count(*) = 8) as ended,
  unnest(array['mail', 'domain']) as step;
update guide_steps g set state = 'skipped'
where exists (select from guide_steps m where m.school_id = g.school_id and m.step = 'domain');
delete from guide_steps where state = 'done' or step in ('name', 'course', 'invitation');
alter table guide_steps
  drop column state,
  add check (step in ('appearance', 'seller', 'payments', 'mail', 'domain', 'price', 'publication'));
