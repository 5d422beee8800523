-- A bundle of files that a static page can show. The live one is named by the page.
create table page_deployments (
  school_id uuid not null,
  id uuid not null,
  page_id uuid not null,
  -- The archive as it was uploaded.
  file_id uuid not null,
  status text collate "C" not null check (status in ('uploaded', 'checked', 'refused')),
  -- Why it was refused: codes and names of entries.
  problems jsonb not null default '[]' check (jsonb_typeof(problems) = 'array'),
  -- What the archive contains, once it is checked.
  file_count integer check ((file_count is not null) = (status = 'checked')),
  byte_size bigint check ((byte_size is not null) = (status = 'checked')),
  ignored_count integer check ((ignored_count is not null) = (status = 'checked')),
  root_folder text,
  checked_at timestamptz check ((checked_at is null) = (status = 'uploaded')),
  promoted_at timestamptz check (promoted_at is null or status = 'checked'),
  superseded_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  unique (school_id, page_id, id),
  foreign key (school_id, page_id) references pages (school_id, id)
);
create index page_deployments_file on page_deployments (school_id, file_id);
select stoa.guard('page_deployments');

-- A page shows a deployment of its own, which cannot be deleted meanwhile.
alter table pages add constraint pages_live_deployment
  foreign key (school_id, id, live_deployment_id) references page_deployments (school_id, page_id, id) deferrable;
create index pages_live on pages (school_id, id, live_deployment_id) where live_deployment_id is not null;

-- The contents of files of deployments, once for each hash, in the store at sites/{school}/{hash}. The row comes before the
-- object and goes after it: one without `stored_at` may have no object yet, and one that is being removed is not used again.
create table page_objects (
  school_id uuid not null references schools (id),
  sha256 bytea not null check (octet_length(sha256) = 32),
  byte_size bigint not null check (byte_size >= 0),
  stored_at timestamptz,
  removing_since timestamptz,
  primary key (school_id, sha256)
);
create index page_objects_removing on page_objects (school_id, removing_since) where removing_since is not null;
select stoa.guard('page_objects');

-- What a deployment has at each path.
create table page_deployment_files (
  school_id uuid not null,
  deployment_id uuid not null,
  path text collate "C" not null,
  sha256 bytea not null,
  primary key (school_id, deployment_id, path),
  foreign key (school_id, deployment_id) references page_deployments (school_id, id),
  foreign key (school_id, sha256) references page_objects (school_id, sha256)
);
create index page_deployment_files_object on page_deployment_files (school_id, sha256);
select stoa.guard('page_deployment_files');
