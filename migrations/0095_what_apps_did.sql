-- For a person, what apps did in their name, newest first; what they did themselves is much more.
create index audit_log_apps on audit_log (school_id, member_id, id) where client_id is not null;
