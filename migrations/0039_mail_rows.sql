-- A claim reads the first due jobs of each kind, and searches the schools of one kind where these have to wait.
create index jobs_kind_due_at on jobs (kind, due_at);
create index jobs_kind_school on jobs (kind, school_id, due_at);
drop index jobs_due_at;

-- References to files of the school and small texts, until the mail is sent or parked.
alter table mails add column attachments jsonb not null default '[]';

-- The mails that a person turned off, by their name in `notifications` of the account; those that are off by default have
-- columns of their own.
alter table members add column muted_mails text[] not null default '{}';
