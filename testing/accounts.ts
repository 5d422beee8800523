import type { TestDatabase } from './database.ts'

/** Gives everybody of the tests' world a review that waits, of a course that is over, and an export that failed. */
export const furnishAccounts = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
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
}
