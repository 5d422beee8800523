-- Whom somebody of the staff sees the school as in a session, until when; decision 273.
alter table sessions
  add column viewed_member_id uuid,
  add column viewed_until timestamptz,
  add constraint sessions_view check (viewed_until is null or viewed_member_id is not null),
  add constraint sessions_viewed_member foreign key (school_id, viewed_member_id) references members (school_id, id);
create index sessions_viewed_member on sessions (school_id, viewed_member_id) where viewed_member_id is not null;
