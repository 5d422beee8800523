alter table uploads
  -- What a picture shows, in words; empty until somebody has said it.
  add column alt text not null default '',
  -- How often the bytes were replaced, and once more.
  add column version integer not null default 1;
-- The files of staff, in the order of their list.
create index uploads_library on uploads (school_id, id)
  where status = 'ready' and purpose not in ('avatar', 'submission', 'form', 'export', 'invoice');
