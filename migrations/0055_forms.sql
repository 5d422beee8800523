-- Forms that anybody can answer: where each is and when it takes answers. What it asks is in its versions.
create table forms (
  school_id uuid not null references schools (id),
  id uuid not null,
  slug text collate "C" not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  -- A form whose closes_at has passed is closed too, by the clock.
  status text collate "C" not null check (status in ('draft', 'published', 'closed')),
  -- The newest version, which staff edit, and the one that people answer; the same while nothing was changed.
  version integer not null check (version >= 1),
  published_version integer check (published_version between 1 and version),
  published_at timestamptz,
  opens_at timestamptz,
  closes_at timestamptz,
  max_submissions integer check (max_submissions >= 1),
  one_per_member boolean not null,
  needs_sign_in boolean not null check (needs_sign_in or not one_per_member),
  -- The members who are told of submissions by mail.
  notify uuid[] not null,
  retention_days integer not null check (retention_days between 1 and 3650),
  -- How many submissions came since the last mail to them.
  pending_received integer not null default 0 check (pending_received >= 0),
  pending_suspected integer not null default 0 check (pending_suspected >= 0),
  deleted_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  check ((status = 'draft') = (published_version is null)),
  check ((published_version is null) = (published_at is null)),
  check (opens_at < closes_at)
);
-- Deleting a form frees its slug.
create unique index forms_slug on forms (school_id, slug) where deleted_at is null;
select stoa.guard('forms');

-- What a form asks. A version that was published never changes.
create table form_versions (
  school_id uuid not null,
  id uuid not null,
  form_id uuid not null,
  number integer not null check (number >= 1),
  title text not null,
  intro text not null,
  -- As text, so that the fields keep their order.
  fields json not null check (json_typeof(fields) = 'array'),
  submit_label text not null,
  done_text text not null,
  redirect_path text,
  -- What a submission of somebody who is signed in does: a tag, a group, which may be gone by then, and the field that
  -- stands for marketing consent.
  tag text,
  group_id uuid,
  marketing_consent_field text collate "C",
  words_folded text collate "C" not null,
  published_at timestamptz,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, form_id) references forms (school_id, id)
);
create unique index form_versions_number on form_versions (school_id, form_id, number);
select stoa.guard('form_versions');

-- What somebody answered. The network that it came from is not stored.
create table form_submissions (
  school_id uuid not null,
  id uuid not null,
  form_id uuid not null,
  form_version integer not null check (form_version >= 1),
  -- Who was signed in; null for everybody else.
  member_id uuid,
  -- The hash of the token of the page's form: a form that is sent twice is one submission.
  token_hash bytea,
  answers json not null check (json_typeof(answers) = 'array'),
  status text collate "C" not null check (status in ('received', 'suspected', 'spam')),
  source_page text,
  source_campaign text,
  revision integer not null default 1,
  changed_in bigint not null,
  submitted_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, form_id) references forms (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id)
);
create unique index form_submissions_token on form_submissions (school_id, form_id, token_hash) where token_hash is not null;
create index form_submissions_form on form_submissions (school_id, form_id, id);
create index form_submissions_status on form_submissions (school_id, form_id, status, id);
create index form_submissions_submitted on form_submissions (school_id, form_id, submitted_at);
create index form_submissions_member on form_submissions (school_id, member_id, id) where member_id is not null;
create index form_submissions_changed_in on form_submissions (school_id, form_id, changed_in, id);
select stoa.guard('form_submissions');

create trigger form_submissions_made before insert on form_submissions for each row execute function stoa.stamp_change();
create trigger form_submissions_changed before update on form_submissions for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

-- The files of a submission; each is the answer to one field.
create table form_submission_files (
  school_id uuid not null,
  file_id uuid not null,
  submission_id uuid not null,
  field_id text collate "C" not null,
  primary key (school_id, file_id),
  foreign key (school_id, submission_id) references form_submissions (school_id, id)
);
create index form_submission_files_submission on form_submission_files (school_id, submission_id);
select stoa.guard('form_submission_files');

-- What was sent to a form and is not used yet.
create index uploads_form_unused on uploads (school_id, form_id) where form_id is not null and unlinked_since is not null;
