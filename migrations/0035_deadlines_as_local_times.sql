-- A deadline is a local time in a time zone; its instant is computed when it is read.
alter table assignments
  drop column due_at,
  drop column due_zones,
  add check (num_nulls(due_local, due_time_zone) in (0, 2)),
  add check (due_local is null or due_days is null);
alter table assignment_extensions
  drop column due_at,
  drop column due_zones;
