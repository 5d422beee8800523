-- Whether what learners say of courses waits until staff have read it.
alter table schools add column review_mode text not null default 'approval' check (review_mode in ('approval', 'direct'));

-- What a learner says of a course; one of each.
create table reviews (
  school_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  member_id uuid not null,
  rating smallint not null check (rating between 1 and 5),
  title text,
  body text not null,
  status text collate "C" not null check (status in ('pending', 'published', 'hidden')),
  hidden_reason text,
  published_at timestamptz,
  reply_body text,
  reply_member_id uuid,
  replied_at timestamptz,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, reply_member_id) references members (school_id, id),
  check ((status = 'hidden') = (hidden_reason is not null)),
  check ((reply_body is null) = (replied_at is null) and (reply_body is null) = (reply_member_id is null))
);
create unique index reviews_member on reviews (school_id, member_id, course_id);
create index reviews_course on reviews (school_id, course_id, status, id);
create index reviews_rating on reviews (school_id, course_id, status, rating, id);
create index reviews_status on reviews (school_id, status, id);
create index reviews_reply on reviews (school_id, reply_member_id) where reply_member_id is not null;
create index reviews_changed_in on reviews (school_id, course_id, changed_in, id);
select stoa.guard('reviews');

create trigger reviews_made before insert on reviews for each row execute function stoa.stamp_change();
create trigger reviews_changed before update on reviews for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

-- What the published reviews of a course come to, so that a list of courses reads a row of each and not every review.
create table course_ratings (
  school_id uuid not null,
  course_id uuid not null,
  count integer not null check (count >= 0),
  sum bigint not null check (sum >= count),
  primary key (school_id, course_id),
  foreign key (school_id, course_id) references courses (school_id, id)
);
select stoa.guard('course_ratings');

create function stoa.add_rating(school uuid, course uuid, more integer, points integer) returns void language plpgsql as $$
begin
  -- In two steps: an insert that would be below zero is refused before it meets the row.
  update course_ratings set count = count + more, sum = sum + points where school_id = school and course_id = course;
  if not found then
    insert into course_ratings as r (school_id, course_id, count, sum) values (school, course, more, points)
    on conflict (school_id, course_id) do update set count = r.count + excluded.count, sum = r.sum + excluded.sum;
  end if;
end $$;

-- In the database, so that no way of writing a review can forget it; each write adds to what is there, and so none is lost.
create function stoa.count_rating() returns trigger language plpgsql as $$
begin
  -- A restore brings the sums along, and is of no school.
  if stoa.school_id() is null then
    return null;
  end if;
  if tg_op <> 'INSERT' and old.status = 'published' then
    perform stoa.add_rating(old.school_id, old.course_id, -1, -old.rating);
  end if;
  if tg_op <> 'DELETE' and new.status = 'published' then
    perform stoa.add_rating(new.school_id, new.course_id, 1, new.rating);
  end if;
  return null;
end $$;
create trigger reviews_counted after insert or delete or update of status, rating, course_id on reviews
  for each row execute function stoa.count_rating();
