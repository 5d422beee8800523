-- What a lecturer checks says nothing of who has an account, so somebody of the staff has to check it again before they run it.
alter table imports add column is_fully_checked boolean not null default false;
update imports set is_fully_checked = true where checked_at is not null;

-- The rows about somebody whom an earlier row names are blanked with it.
create index import_rows_duplicate on import_rows (school_id, import_id, duplicate_of) where duplicate_of is not null;
