alter table uploads
  -- Whether the bytes stay as they were sent, so that no page may show the file as a picture.
  add column keep_original boolean not null default false,
  -- Null for what is no picture, and for pictures that were stored before this was known.
  add column is_animated boolean;

-- Removes the metadata of the pictures that are there already.
insert into jobs (school_id, kind, id, due_at) select id, 'image_metadata', id, stoa.now() from schools;
