-- When a person joined, if that was before they were added to this school: an import says so.
alter table members add column joined_at timestamptz;

-- An import that is undone ends what it gave; the same list can then be imported again.
alter table entitlements drop constraint entitlements_revoked_by_check,
  add constraint entitlements_revoked_by_check check (revoked_by in ('member', 'school', 'undo')) not valid;
alter table entitlements validate constraint entitlements_revoked_by_check;

-- What was learned elsewhere is no activity here.
alter table lesson_completions drop constraint lesson_completions_completed_by_check,
  add constraint lesson_completions_completed_by_check
  check (completed_by in ('self', 'staff', 'quiz', 'assignment', 'import')) not valid;
alter table lesson_completions validate constraint lesson_completions_completed_by_check;
drop trigger lesson_completions_activity on lesson_completions;
create trigger lesson_completions_activity after insert on lesson_completions
  for each row when (not stoa.is_loading() and new.completed_by not in ('staff', 'import'))
  execute function stoa.completion_activity();

-- Those of some members to whom a row of any table refers, whichever tables there are, besides what an import and an invitation
-- leave behind: entitlements that an undo ended, what was sent, and tags and notes, which are compared one by one.
create function stoa.referred_members(of_school uuid, of_ids uuid[]) returns setof uuid
language plpgsql stable as $$
declare
  referring text;
begin
  select string_agg(format('select %1$I from %2$s where school_id = $1 and %1$I = any ($2)%3$s', a.attname, c.conrelid::regclass,
    case when c.conrelid = 'entitlements'::regclass then ' and revoked_by is distinct from ''undo''' end), ' union all ')
  into referring
  from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey) and a.attname <> 'school_id'
  where c.contype = 'f' and c.confrelid = 'members'::regclass and c.conrelid <> all (array['member_tags', 'member_notes',
    'marketing_consents', 'mails', 'address_codes', 'past_group_members', 'enrollments']::regclass[]);
  return query execute 'select distinct r.id from (' || referring || ') as r (id)' using of_school, of_ids;
end $$;
