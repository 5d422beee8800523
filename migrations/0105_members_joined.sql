-- When a person joined, if that was before they were added to this school: an import says so.
alter table members add column joined_at timestamptz;
