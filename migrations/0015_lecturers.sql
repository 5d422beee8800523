create table lecturers (
  school_id uuid not null references schools (id),
  id uuid not null,
  member_id uuid,
  display_name text not null,
  -- The name without marks and case, for sorting and finding; folded by the application.
  name_folded text collate "C" not null,
  slug text collate "C" not null,
  bio text not null,
  avatar_file_id uuid,
  links jsonb not null,
  position integer not null,
  visibility text collate "C" not null check (visibility in ('visible', 'hidden')),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id)
);
create unique index lecturers_slug on lecturers (school_id, slug);
create unique index lecturers_member on lecturers (school_id, member_id) where member_id is not null;
create index lecturers_position on lecturers (school_id, position, id);
create index lecturers_name on lecturers (school_id, name_folded, id);
select stoa.guard('lecturers');

create function stoa.lecturer_search_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform stoa.drop_search_entry('lecturer', old.id);
  else
    perform stoa.put_search_entry(new.school_id, 'lecturer', new.id, new.name_folded);
  end if;
  return null;
end $$;
create trigger lecturers_found after insert or delete or update of name_folded on lecturers
  for each row execute function stoa.lecturer_search_entry();

-- Slugs that a profile had before, so that old addresses lead to it; one that is taken anew leaves this table.
create table lecturer_slugs (
  school_id uuid not null,
  slug text collate "C" not null,
  lecturer_id uuid not null,
  primary key (school_id, slug),
  foreign key (school_id, lecturer_id) references lecturers (school_id, id) on delete cascade
);
create index lecturer_slugs_lecturer on lecturer_slugs (school_id, lecturer_id);
select stoa.guard('lecturer_slugs');
