import { type Fill, readId } from '../spine.ts'

// Every fourth comment is a reply to the one before it, which is about the same thing.
const COMMENTED = `(select s.*, s.n % 4 = 3 and earlier.n is not null as is_reply, earlier.id as parent,
    subject.type as subject_type, subject.id as subject_id
  from (select *, s.n / 16 % 3 as of_subject from spine s where s.n / 4 % 4 = 0) as s
  left join lateral (select e.n, ${readId('comment', 'e')} as id from spine e where e.n = s.n - 1) as earlier on true
  join (
    select 0 as place, 'course' as type, (select course_id from course_spine where k = 0) as id
    union all select 1, 'lesson', (select lesson_id from course_spine where k = 0)
    union all select 2, 'post', (select id from posts where school_id = $1 and status = 'published' order by id limit 1)
  ) as subject on subject.place = s.of_subject) as s`

/** Comments with replies, registrations for events, submissions of forms, and views of posts. */
export const community: readonly Fill[] = [
  {
    table: 'comments',
    like: `t.depth = 1 and t.status = 'published'`,
    from: COMMENTED,
    set: {
      id: readId('comment'),
      subject_type: 's.subject_type',
      subject_id: 's.subject_id',
      root_id: `case when s.is_reply then s.parent else ${readId('comment')} end`,
      parent_id: 'case when s.is_reply then s.parent end',
      depth: 'case when s.is_reply then 2 else 1 end',
      member_id: 's.member_id',
      author_role: `case when s.a % 50 = 0 then 'staff' else 'student' end`,
      body: `'Comment ' || s.n`,
      body_html: `'<p>Comment ' || s.n || '</p>'`,
      body_hash: `sha256(s.tail::bytea)`,
      status: `case when s.n % 4 < 2 and s.b % 100 = 0 then 'pending' when s.n % 4 < 2 and s.b % 100 = 1 then 'hidden' else 'published' end`,
      hidden_reason: `case when s.n % 4 < 2 and s.b % 100 = 1 then 'spam' end`,
      published_at: 's.at',
      reply_count: 'case when s.n % 4 = 2 and s.n < $2::bigint then 1 else 0 end',
      below_count: 'case when s.n % 4 = 2 and s.n < $2::bigint then 1 else 0 end',
      thread_size: '1',
      open_reports: 'case when s.b % 1000 = 5 then 1 else 0 end',
      digested_at: 's.at',
      changed_in: 's.changed_in',
      created_at: 's.at',
      updated_at: 's.at',
    },
  },
  {
    table: 'registrations',
    like: `t.status = 'confirmed' and t.line_id is null`,
    from: `(select *, case when s.b % 100 < 70 then 'confirmed' when s.b % 100 < 90 then 'checked_in' else 'cancelled' end as of_status
      from spine s where s.n % 4 = 0) as s`,
    set: {
      id: readId('registration'),
      member_id: 's.member_id',
      status: 's.of_status',
      attendee_name: 'initcap(s.name)',
      attendee_email: 's.email',
      name_folded: 's.name',
      words_folded: `s.name || ' ' || s.email`,
      code: `right(s.tail, 12)`,
      confirmed_at: 's.at',
      checked_in_at: `case when s.of_status = 'checked_in' then s.at end`,
      cancelled_at: `case when s.of_status = 'cancelled' then s.at end`,
      cancelled_by: `case when s.of_status = 'cancelled' then 'person' end`,
      changed_in: 's.changed_in',
      created_at: 's.at',
      updated_at: 's.at',
    },
  },
  {
    table: 'form_submissions',
    like: 'true',
    from: 'spine s where s.n % 4 = 1',
    set: {
      id: readId('form_submission'),
      member_id: 'case when s.a % 2 = 0 then s.member_id end',
      token_hash: 'null',
      status: `case when s.b % 100 < 2 then 'suspected' when s.b % 100 < 4 then 'spam' else 'received' end`,
      changed_in: 's.changed_in',
      submitted_at: 's.at',
    },
  },
  {
    table: 'view_counts',
    from: `(select distinct stoa.quarter(s.at) as quarter from spine s where s.n % 4 = 2) as s,
      (select id from posts where school_id = $1 and status = 'published' order by id limit 1) as p`,
    set: { at: 's.quarter', item_type: `'post'`, item_id: 'p.id', views: '3' },
  },
]
