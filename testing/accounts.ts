import type { TestDatabase } from './database.ts'

/**
 * Adds to everybody in the demo data a pending review of a completed course, a failed export, a comment, and a report of a
 * comment by somebody else; and to the demo data a removed member, and one whom a lecturer enrolled by address.
 */
export const addAccountData = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  await query(`
    insert into reviews (school_id, id, course_id, member_id, rating, body, status, created_at, updated_at)
    select m.school_id, ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, c.id, m.id, 3,
      'Too sweet for me.', 'pending', stoa.now(), stoa.now()
    from members m join courses c on c.school_id = m.school_id and c.slug = 'winter-stollen'
    where m.status = 'active'`)
  await query(`
    insert into exports (school_id, id, member_id, status, created_at, updated_at)
    select m.school_id, ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, m.id, 'failed',
      stoa.now(), stoa.now()
    from members m where m.status = 'active'`)
  await query(`
    with gone as (
      insert into members (school_id, id, email, email_folded, name, name_folded, role, status, created_at, updated_at)
      select c.school_id, ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, 'former@crumb.example', 'former@crumb.example', 'Former', 'former',
        'member', 'deleted', stoa.now(), stoa.now()
      from courses c where c.slug = 'first-loaf'
      returning school_id, id)
    insert into enrollments (school_id, id, member_id, course_id, source, pending_email, access_changed_at, created_at,
      updated_at)
    select c.school_id,
      (select overlay(max(e.id::text) placing 'ffff' from 33) from enrollments e where e.school_id = c.school_id)::uuid, gone.id, c.id, 'staff', 'former@crumb.example', stoa.now(),
      stoa.now(), stoa.now()
    from gone join courses c on c.school_id = gone.school_id and c.slug = 'first-loaf'`)
  await addComments(query)
}

const COLUMNS = `school_id, id, subject_type, subject_id, root_id, depth, member_id, author_role, body, body_html, body_allowed,
  status, published_at, created_at, updated_at`

// The triggers count only what a connection of a school writes.
const addComments = async (query: TestDatabase['query']): Promise<void> => {
  // A comment is edited for 15 minutes, and this one as long as a run of the tests takes.
  await query(`
    insert into comments (${COLUMNS})
    select school_id, id, 'course', course_id, id, 1, member_id, 'student', 'My first loaf rose.', '<p>My first loaf rose.</p>',
      1, 'published', stoa.now(), stoa.now() + interval '1 day', stoa.now()
    from (
      select m.school_id, ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid as id,
        c.id as course_id, m.id as member_id
      from members m join courses c on c.school_id = m.school_id and c.slug = 'first-loaf'
      where m.status = 'active') as written`)
  await query(`
    insert into comments (${COLUMNS})
    select school_id, id, 'course', course_id, id, 1, member_id, 'member', 'Somebody was here.', '<p>Somebody was here.</p>',
      1, 'published', stoa.now(), stoa.now(), stoa.now()
    from (
      select m.school_id, ('00000000-0000-7000-8001-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid as id,
        c.id as course_id, m.id as member_id
      from members m join courses c on c.school_id = m.school_id and c.slug = 'sourdough-from-scratch'
      where m.email = 'former@crumb.example') as written`)
  await query(`
    with made as (
      insert into comment_reports (school_id, id, comment_id, member_id, reason, note, created_at, updated_at)
      select m.school_id, ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, c.id, m.id, 'spam',
        '', stoa.now(), stoa.now()
      from members m join comments c on c.school_id = m.school_id and c.body = 'Somebody was here.'
      where m.status = 'active'
      returning school_id, comment_id)
    update comments c set open_reports = (select count(*) from made where school_id = c.school_id)
    where c.body = 'Somebody was here.'`)
}
