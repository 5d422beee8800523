-- How the certificates of a course look, and what they say.
create table certificate_templates (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  title text not null,
  -- With placeholders such as {name}.
  body text not null,
  locale text not null,
  accent_color text not null,
  text_color text not null,
  background_color text not null,
  orientation text not null check (orientation in ('portrait', 'landscape')),
  page_size text not null check (page_size in ('A4', 'Letter')),
  -- What {hours} says; null: as long as the lessons are.
  hours integer check (hours > 0),
  signature_name text,
  signature_role text,
  image_file_id uuid,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id)
);
create index certificate_templates_image on certificate_templates (school_id, image_file_id) where image_file_id is not null;
select stoa.guard('certificate_templates');

alter table courses add column certificate_template_id uuid,
  add foreign key (school_id, certificate_template_id) references certificate_templates (school_id, id);
create index courses_certificate_template on courses (school_id, certificate_template_id)
  where certificate_template_id is not null;

-- What was awarded, as it was printed: nothing of it follows when the course, the template or a name changes.
create table certificates (
  school_id uuid not null,
  id uuid not null,
  -- What anybody can look it up by, and nobody guess: 100 random bits in Crockford's base32.
  serial text collate "C" not null check (serial ~ '^[0-9A-HJKMNP-TV-Z]{20}$'),
  course_id uuid not null,
  member_id uuid not null,
  -- Forgotten with the person.
  name text,
  course_name text not null,
  school_name text not null,
  awarded_on date not null,
  hours integer,
  -- The template as it was.
  design jsonb not null,
  image_file_id uuid,
  source text not null check (source in ('completion', 'staff')),
  issued_at timestamptz not null,
  replaced_by_id uuid,
  revoked_at timestamptz,
  revocation_reason text,
  withdrawn_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  -- The old one is marked before the new one is there, since a person has one at a time.
  foreign key (school_id, replaced_by_id) references certificates (school_id, id) deferrable initially deferred,
  check ((name is null) = (withdrawn_at is not null)),
  check (revocation_reason is null or revoked_at is not null)
);
create unique index certificates_serial on certificates (school_id, serial);
create unique index certificates_current on certificates (school_id, course_id, member_id)
  where replaced_by_id is null and withdrawn_at is null;
create index certificates_course on certificates (school_id, course_id, id);
create index certificates_member on certificates (school_id, member_id, id);
create index certificates_replaced_by on certificates (school_id, replaced_by_id) where replaced_by_id is not null;
create index certificates_image on certificates (school_id, image_file_id) where image_file_id is not null;
select stoa.guard('certificates');

-- The key a school signs credentials with. It is never rotated away: what it signed is verified for years.
create table credential_keys (
  school_id uuid not null references schools (id),
  kid text collate "C" not null,
  public_jwk jsonb not null,
  private_sealed bytea not null,
  created_at timestamptz not null,
  primary key (school_id, kid)
);
create unique index credential_keys_one on credential_keys (school_id);
select stoa.guard('credential_keys');
