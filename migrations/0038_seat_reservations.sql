-- Seats in a course that are taken for a while: until the purchase of a line is complete, fails, or the reservation expires.
-- A row that has expired takes no seat any more, whether or not it was deleted.
create table seat_reservations (
  school_id uuid not null,
  line_id uuid not null,
  course_id uuid not null,
  member_id uuid not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (school_id, line_id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check (expires_at > created_at)
);
create index seat_reservations_course on seat_reservations (school_id, course_id, expires_at);
create index seat_reservations_member on seat_reservations (school_id, member_id);
create index seat_reservations_expires_at on seat_reservations (school_id, expires_at);
select stoa.guard('seat_reservations');
