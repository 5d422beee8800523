-- Whether the person themselves said what is stored: a withdrawal of theirs is undone by them alone.
alter table members add column marketing_by_person boolean not null default false;
update members set marketing_by_person = true where marketing_source in ('unsubscribe', 'account', 'form');

-- What a member was agreed to receive, from when on, and who said so; rows are added, and never changed but when members are merged.
create table marketing_consents (
  school_id uuid not null references schools (id),
  member_id uuid not null,
  at timestamptz not null,
  granted boolean not null,
  source text not null,
  by_person boolean not null,
  primary key (school_id, member_id, at),
  foreign key (school_id, member_id) references members (school_id, id)
);
select stoa.guard('marketing_consents');

insert into marketing_consents (school_id, member_id, at, granted, source, by_person)
select school_id, id, marketing_at, marketing_granted, coalesce(marketing_source, ''), marketing_by_person
from members where marketing_at is not null;
