import { type Fill, readId } from '../spine.ts'

const buildLesson = (type: string): string =>
  `(select l.id from lessons l where l.school_id = $1 and l.course_id = (select course_id from course_spine where k = 0)
    and l.type = '${type}' order by l.id limit 1)`

/** Courses beside those of the demo data, each with a section, a lesson and a price. */
export const courses: readonly Fill[] = [
  {
    table: 'courses',
    like: `t.slug = 'sourdough-from-scratch'`,
    from: 'course_spine s where s.k > 0',
    set: {
      id: 's.course_id',
      name: `'Course ' || s.k`,
      name_folded: `'course ' || s.k`,
      words_folded: `'course ' || s.k`,
      body_words: `'course ' || s.k || ' baking with flour'`,
      slug: `'course-' || s.k`,
      external_id: 'null',
      changed_in: '1',
      published_at: 's.at',
      created_at: 's.at',
      updated_at: 's.at',
    },
  },
  {
    table: 'outlines',
    like: 'true',
    from: 'course_spine s where s.k > 0',
    set: { course_id: 's.course_id', created_at: 's.at', updated_at: 's.at' },
  },
  {
    table: 'sections',
    like: 't.archived_at is null',
    from: 'course_spine s where s.k > 0',
    set: { id: 's.section_id', course_id: 's.course_id', created_at: 's.at', updated_at: 's.at' },
  },
  {
    table: 'lessons',
    like: `t.type = 'text' and t.archived_at is null`,
    from: 'course_spine s where s.k > 0',
    set: {
      id: 's.lesson_id',
      course_id: 's.course_id',
      section_id: 's.section_id',
      created_at: 's.at',
      updated_at: 's.at',
    },
  },
  {
    table: 'course_prices',
    like: `t.payment_type = 'one_time'`,
    from: 'course_spine s where s.k > 0',
    set: { id: 's.price_id', course_id: 's.course_id', created_at: 's.at', updated_at: 's.at' },
  },
]

/** Enrollments with what gives access to them, progress, attempts, submissions, certificates and reviews. */
export const learning: readonly Fill[] = [
  {
    table: 'enrollments',
    from: 'spine s',
    set: {
      id: readId('enrollment'),
      member_id: 's.member_id',
      course_id: 's.course_id',
      source: `case when s.order_status = 'paid' and s.item_type = 'course' then 'order_line' else 'free' end`,
      completed_at: `case when s.b % 3 = 0 and s.at < stoa.now() - interval '20 days' then s.at + interval '20 days' end`,
      percent_complete: 'case when s.b % 3 = 0 then 100 else s.b % 100 end',
      last_activity_at: `case when s.b % 3 < 2 then least(s.at + interval '20 days', stoa.now()) end`,
      access_changed_at: 's.at',
      changed_in: 's.changed_in',
      created_at: 's.at',
      updated_at: `least(s.at + interval '20 days', stoa.now())`,
    },
  },
  {
    table: 'entitlements',
    from: 'spine s',
    set: {
      id: readId('entitlement'),
      member_id: 's.member_id',
      item_type: `'course'`,
      item_id: 's.course_id',
      source: `case when s.order_status = 'paid' and s.item_type = 'course' then 'order_line' else 'free' end`,
      source_id: `case when s.order_status = 'paid' and s.item_type = 'course' then ${readId('order_line')} end`,
      starts_at: 's.at',
      ends_at: `case when s.b % 20 = 1 then s.at + interval '1 year' end`,
      revoked_at: `case when s.a % 33 = 1 then least(s.at + interval '9 days', stoa.now()) end`,
      revoked_by: `case when s.a % 33 = 1 then 'school' end`,
      created_at: 's.at',
    },
  },
  {
    table: 'holds',
    from: 'spine s where s.a % 50 = 7',
    set: { id: readId('hold'), member_id: 's.member_id', reason: `'staff'`, starts_at: 's.at', created_at: 's.at' },
  },
  {
    table: 'lesson_completions',
    from: 'spine s where s.b % 3 < 2',
    set: {
      id: readId('completion'),
      member_id: 's.member_id',
      course_id: 's.course_id',
      lesson_id: 's.lesson_id',
      completed_at: 's.at',
      completed_by: `'self'`,
    },
  },
  {
    table: 'activity_hours',
    isKeptByTriggers: true,
    // A completion, an attempt and a submission of one person are of one instant.
    from: 'spine s where s.b % 3 < 2 or s.k = 0',
    set: {
      hour: `date_trunc('hour', s.at, 'UTC')`,
      course_id: 's.course_id',
      member_id: 's.member_id',
      quarters: '(1 << (extract(minute from s.at)::integer / 15))::smallint',
    },
  },
  {
    table: 'quiz_attempts',
    like: `t.status = 'started'`,
    from: `(select *, case when s.b % 100 < 3 then 'submitted' when s.b % 100 < 6 then 'started' else 'graded' end as of_status
      from spine s where s.k = 0 and s.b % 3 = 2) as s`,
    set: {
      id: readId('attempt'),
      member_id: 's.member_id',
      attempt_number: '1',
      status: 's.of_status',
      points: `case when s.of_status = 'graded' then s.b % 5 end`,
      percentage: `case when s.of_status = 'graded' then (s.b % 5) * 25 end`,
      passed: `case when s.of_status = 'graded' then s.b % 5 > 2 end`,
      started_at: 's.at',
      submitted_at: `case when s.of_status <> 'started' then s.at end`,
      graded_at: `case when s.of_status = 'graded' then s.at end`,
      changed_in: 's.changed_in',
      created_at: 's.at',
      updated_at: 's.at',
    },
  },
  {
    table: 'submissions',
    like: `t.status = 'submitted'`,
    from: `(select *, case when s.a % 100 < 3 then 'submitted' when s.a % 100 < 10 then 'returned' else 'graded' end as of_status,
        ${buildLesson('assignment')} as assignment
      from spine s where s.k = 0 and s.b % 3 = 1) as s`,
    set: {
      id: readId('submission'),
      member_id: 's.member_id',
      course_id: 's.course_id',
      lesson_id: 's.assignment',
      attempt_number: '1',
      status: 's.of_status',
      text: `'Folded ' || s.n || ' times.'`,
      submitted_at: 's.at',
      points: `case when s.of_status = 'graded' then 7 end`,
      max_points: `case when s.of_status = 'graded' then 10 end`,
      passing_points: `case when s.of_status = 'graded' then 5 end`,
      accepted: `case when s.of_status = 'graded' then true end`,
      decided_at: `case when s.of_status <> 'submitted' then s.at end`,
      changed_in: 's.changed_in',
      created_at: 's.at',
      updated_at: 's.at',
    },
  },
  {
    table: 'certificates',
    like: 'true',
    from: `spine s where s.b % 3 = 0 and s.at < stoa.now() - interval '20 days'`,
    set: {
      id: readId('certificate'),
      serial: `upper(lpad(to_hex(s.n), 20, '0'))`,
      course_id: 's.course_id',
      member_id: 's.member_id',
      name: 'initcap(s.name)',
      awarded_on: 's.at::date',
      source: `'completion'`,
      issued_at: `s.at + interval '20 days'`,
      revoked_at: `case when s.a % 200 = 3 then s.at + interval '30 days' end`,
      created_at: `s.at + interval '20 days'`,
      updated_at: `s.at + interval '20 days'`,
    },
  },
  {
    table: 'reviews',
    like: `t.status = 'pending'`,
    from: `(select *, case when s.b % 100 < 2 then 'pending' when s.b % 100 < 4 then 'hidden' else 'published' end as of_status
      from spine s where s.a % 5 = 0) as s`,
    set: {
      id: readId('review'),
      course_id: 's.course_id',
      member_id: 's.member_id',
      rating: '1 + s.b % 5',
      body: `'Review ' || s.n`,
      status: 's.of_status',
      hidden_reason: `case when s.of_status = 'hidden' then 'Off topic' end`,
      published_at: `case when s.of_status = 'published' then s.at end`,
      changed_in: 's.changed_in',
      created_at: 's.at',
      updated_at: 's.at',
    },
  },
]

/** The sums that `stoa.count_rating` keeps. */
export const RATINGS = `
  insert into course_ratings as r (school_id, course_id, count, sum)
  select v.school_id, v.course_id, count(*), sum(v.rating) from reviews v join spine s on ${readId('review')} = v.id
  where v.school_id = $1 and v.status = 'published' group by v.school_id, v.course_id
  on conflict (school_id, course_id) do update set count = r.count + excluded.count, sum = r.sum + excluded.sum`

/** The words of courses, as `stoa.course_search_entry` keeps them. */
export const COURSE_WORDS = `
  insert into stoa.search_entries (school_id, kind, id, words, body_words, listed_at)
  select c.school_id, 'course', c.id, stoa.search_vector(c.school_id, 'course', stoa.with_compounds(c.words_folded), 200),
    stoa.search_vector(c.school_id, 'course', stoa.with_compounds(c.body_words), 2000), date_trunc('milliseconds', c.published_at)
  from courses c join course_spine s on s.k > 0 and s.course_id = c.id where c.school_id = $1`

/** The words by which searches are corrected, as `stoa.put_search_entry` keeps them. */
export const COURSE_TERMS = `
  insert into stoa.search_terms (school_id, term, parts)
  select distinct c.school_id, word, stoa.term_parts(c.school_id, word)
  from courses c join course_spine s on s.k > 0 and s.course_id = c.id,
    stoa.words_of(stoa.with_compounds(c.words_folded), false, 200) as word
  where c.school_id = $1 and c.published_at is not null and stoa.is_term(word)
  on conflict (school_id, term) do nothing`
