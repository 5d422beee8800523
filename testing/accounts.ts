import type { TestDatabase } from './database.ts'

/**
 * Adds to everybody in the demo data a pending review of a completed course and a failed export; and to the
 * demo data a removed member, and one whom a lecturer enrolled by address.
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
}
