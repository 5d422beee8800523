create table post_categories (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  slug text collate "C" not null,
  description text not null,
  position integer not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id)
);
create unique index post_categories_slug on post_categories (school_id, slug);
create index post_categories_position on post_categories (school_id, position, id);
select stoa.guard('post_categories');

-- What a post is called, what it says and what a locked post shows are in its versions.
create table posts (
  school_id uuid not null references schools (id),
  id uuid not null,
  -- The title of the current version without marks and case.
  title_folded text collate "C" not null,
  -- Title, subtitle and tags, and every word that anybody may find the post by, without marks and case: the words of a body
  -- only while anybody may read it.
  words_folded text collate "C" not null,
  body_words text collate "C" not null,
  slug text collate "C" not null,
  access text collate "C" not null check (access in ('public', 'members', 'paid')),
  -- The plans that open a paid post; none: every plan.
  plan_ids uuid[] not null default '{}' check (access = 'paid' or plan_ids = '{}'),
  cover_file_id uuid,
  -- Who wrote it; nobody once they were erased.
  author_id uuid,
  featured boolean not null,
  comments text collate "C" not null check (comments in ('open', 'closed', 'off')),
  canonical_url text,
  seo_title text,
  seo_description text,
  external_id text collate "C",
  status text collate "C" not null check (status in ('draft', 'scheduled', 'published', 'archived')),
  publish_at timestamptz check ((publish_at is not null) = (status = 'scheduled')),
  published_at timestamptz check (published_at is not null or status not in ('published', 'archived')),
  archived_at timestamptz,
  -- When it was mailed to members.
  mailed_at timestamptz,
  -- The order of lists: when it was published, or else created.
  listed_at timestamptz not null,
  version integer not null check (version >= 1),
  -- Comments refer to a post for good, so the row stays.
  deleted_at timestamptz,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, author_id) references members (school_id, id)
);
create unique index posts_slug on posts (school_id, slug) where deleted_at is null;
create unique index posts_external_id on posts (school_id, external_id)
  where external_id is not null and deleted_at is null;
create index posts_title on posts (school_id, title_folded, id);
create index posts_listed_at on posts (school_id, status, listed_at, id);
create index posts_changed_in on posts (school_id, changed_in, id);
create index posts_author on posts (school_id, author_id, id);
create index posts_cover on posts (school_id, cover_file_id) where cover_file_id is not null;
select stoa.guard('posts');

create trigger posts_made before insert on posts for each row execute function stoa.stamp_change();
create trigger posts_changed before update on posts for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

create function stoa.post_search_entry() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    perform stoa.drop_search_entry('post', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'post', new.id, new.words_folded, new.body_words,
      case when new.status = 'published' then new.published_at end);
  end if;
  return null;
end $$;
create trigger posts_found
  after insert or update of words_folded, body_words, status, published_at, deleted_at on posts
  for each row execute function stoa.post_search_entry();

-- What a post says. A version never changes.
create table post_versions (
  school_id uuid not null,
  id uuid not null,
  post_id uuid not null,
  number integer not null check (number >= 1),
  title text not null,
  subtitle text not null,
  -- As it was written; empty: it is made of the opening.
  excerpt text not null,
  -- The first visible characters of what is before the fold, or of the whole body where it has none.
  opening text not null,
  body text not null,
  body_format text collate "C" not null check (body_format in ('markdown', 'html')),
  body_html text not null,
  -- What is before the fold; null: the body has no fold.
  teaser_html text,
  -- The number of the profile by which both were sanitized.
  body_allowed integer not null,
  reading_minutes integer not null check (reading_minutes >= 1),
  -- The number of the version of which this one is a copy.
  restores integer,
  author_id uuid,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, post_id) references posts (school_id, id),
  foreign key (school_id, author_id) references members (school_id, id)
);
create unique index post_versions_number on post_versions (school_id, post_id, number);
create index post_versions_author on post_versions (school_id, author_id);
select stoa.guard('post_versions');

-- The files that the body of a version names.
create table post_files (
  school_id uuid not null,
  version_id uuid not null,
  file_id uuid not null,
  primary key (school_id, version_id, file_id),
  foreign key (school_id, version_id) references post_versions (school_id, id) on delete cascade
);
create index post_files_file on post_files (school_id, file_id);
select stoa.guard('post_files');

-- Slugs that a post had before, so that old addresses lead to it; one that is taken anew leaves this table.
create table post_slugs (
  school_id uuid not null,
  slug text collate "C" not null,
  post_id uuid not null,
  primary key (school_id, slug),
  foreign key (school_id, post_id) references posts (school_id, id)
);
create index post_slugs_post on post_slugs (school_id, post_id);
select stoa.guard('post_slugs');

create table post_tags (
  school_id uuid not null,
  post_id uuid not null,
  tag text collate "C" not null,
  primary key (school_id, post_id, tag),
  foreign key (school_id, post_id) references posts (school_id, id)
);
create index post_tags_tag on post_tags (school_id, tag, post_id);
select stoa.guard('post_tags');

create table post_category_links (
  school_id uuid not null,
  post_id uuid not null,
  category_id uuid not null,
  primary key (school_id, post_id, category_id),
  foreign key (school_id, post_id) references posts (school_id, id),
  foreign key (school_id, category_id) references post_categories (school_id, id)
);
create index post_category_links_category on post_category_links (school_id, category_id, post_id);
select stoa.guard('post_category_links');

-- The one mailing of a post, and how far it got.
create table post_mailings (
  school_id uuid not null,
  post_id uuid not null,
  audience text collate "C" not null check (audience in ('all', 'plans', 'tags')),
  plan_ids uuid[] not null default '{}',
  tags text[] not null default '{}',
  due_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- The last member for whom a mail was recorded.
  after_id uuid,
  recorded_count integer not null default 0,
  created_at timestamptz not null,
  primary key (school_id, post_id),
  foreign key (school_id, post_id) references posts (school_id, id)
);
select stoa.guard('post_mailings');
