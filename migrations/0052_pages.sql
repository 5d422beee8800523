-- The pages of a school's site: where each one is and who sees it. What it says is in its versions.
create table pages (
  school_id uuid not null references schools (id),
  id uuid not null,
  -- A content page is made of blocks; a static page shows the deployment that is live.
  kind text collate "C" not null check (kind in ('content', 'static')),
  path text collate "C" not null check (path ~ '^(/[a-z0-9-]{1,60}){1,4}$'),
  visibility text collate "C" not null check (visibility in ('listed', 'unlisted', 'members')),
  -- Its name in the navigation of the site; null: it is not there.
  nav_label text,
  position integer not null,
  -- The page at `/` once it is published.
  is_home boolean not null default false check (not is_home or visibility <> 'members'),
  status text collate "C" not null check (status in ('draft', 'scheduled', 'published')),
  publish_at timestamptz check ((publish_at is not null) = (status = 'scheduled')),
  published_at timestamptz,
  -- The newest version, which staff edit, and the one that visitors see.
  version integer not null check (version >= 1),
  published_version integer check ((published_version is not null) = (status = 'published')),
  live_deployment_id uuid check (live_deployment_id is null or kind = 'static'),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id)
);
create unique index pages_path on pages (school_id, path);
create unique index pages_home on pages (school_id) where is_home;
create index pages_position on pages (school_id, position, id);
select stoa.guard('pages');

-- What a page says. A version never changes.
create table page_versions (
  school_id uuid not null,
  id uuid not null,
  page_id uuid not null,
  number integer not null check (number >= 1),
  title text not null,
  -- As text, so that the fields keep their order.
  blocks json not null check (json_typeof(blocks) = 'array'),
  seo_title text,
  seo_description text,
  -- The files that the blocks name.
  files uuid[] not null default '{}',
  -- The words of the title, and every word of the page, without accents and case, for finding.
  words_folded text collate "C" not null,
  body_words text collate "C" not null,
  -- The number of the version of which this one is a copy.
  restores integer,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, page_id) references pages (school_id, id)
);
create unique index page_versions_number on page_versions (school_id, page_id, number);
select stoa.guard('page_versions');

-- Other paths that lead to a page: those that it had, and those that staff chose. Never the path of a page.
create table page_paths (
  school_id uuid not null,
  path text collate "C" not null check (path ~ '^(/[a-z0-9-]{1,60}){1,4}$'),
  page_id uuid not null,
  primary key (school_id, path),
  foreign key (school_id, page_id) references pages (school_id, id)
);
create index page_paths_page on page_paths (school_id, page_id);
select stoa.guard('page_paths');

-- Visitors find what is published, staff find drafts by what they say now.
create function stoa.page_search_entry() returns trigger language plpgsql as $$
declare
  found page_versions;
begin
  if tg_op = 'DELETE' then
    perform stoa.drop_search_entry('page', old.id);
    return null;
  end if;
  select v.* into found from page_versions v
  where v.school_id = new.school_id and v.page_id = new.id and v.number = coalesce(new.published_version, new.version);
  perform stoa.put_search_entry(new.school_id, 'page', new.id, coalesce(found.words_folded, ''),
    coalesce(found.body_words, ''),
    case when new.status = 'published' and new.visibility = 'listed' then new.published_at end);
  return null;
end $$;
create trigger pages_found
  after insert or delete or update of version, published_version, status, visibility on pages
  for each row execute function stoa.page_search_entry();
