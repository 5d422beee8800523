-- Which process claimed a job, by the number of the advisory lock that it holds, and until when. A job is claimed while it is due when its
-- claim ends: whatever moves it since, moves it to another time.
alter table jobs add column claimed_by integer, add column claimed_until timestamptz;
create index jobs_claimed_by on jobs (claimed_by) where claimed_by is not null;
