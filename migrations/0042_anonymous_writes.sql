-- Who made an entry without a member; null: the worker. The request id does not say it, since an anonymous caller chooses it.
alter table audit_log
  add column actor text check (actor in ('anonymous', 'operator')),
  add check (member_id is null or actor is null);
