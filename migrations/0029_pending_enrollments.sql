-- Somebody whom a lecturer enrolled by address, and who was no student of theirs: the address as it was typed, until the
-- person joins the school or begins to learn in the course; empty when there is nothing to show any more. Null: those who
-- teach the course may know who it is.
alter table enrollments add column pending_email text;
create index enrollments_pending on enrollments (school_id, member_id) where pending_email is not null;

-- Who reads on in the order of commits is told of somebody they may know of from now on.
drop trigger enrollments_changed on enrollments;
create trigger enrollments_changed before update on enrollments for each row
  when (new.revision <> old.revision or new.access_changed_at <> old.access_changed_at
    or (new.pending_email is null) <> (old.pending_email is null))
  execute function stoa.stamp_change();

-- Whoever accepts an invitation is known to those who teach them, whatever way they came in.
create function stoa.disclose_enrollments() returns trigger
language plpgsql set search_path = pg_catalog, stoa as $$
begin
  update public.enrollments set pending_email = null
  where school_id = new.school_id and member_id = new.id and pending_email is not null;
  return null;
end
$$;
create trigger members_joined after update of status on members for each row
  when (old.status = 'invited' and new.status = 'active')
  execute function stoa.disclose_enrollments();
