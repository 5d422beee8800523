import type { TestDatabase } from './database.ts'

/** Adds an ungraded submission to everybody in the demo data. */
export const handInForAll = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  await query(`
    insert into submissions (school_id, id, member_id, course_id, lesson_id, attempt_number, status, text, submitted_at, late,
      created_at, updated_at)
    select m.school_id, ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, m.id,
      l.course_id, l.id, 1, 'submitted', 'It was flat, but we ate it.', t, false, t, t
    from members m join lessons l on l.school_id = m.school_id and l.name = 'Your own loaf', (select stoa.now() as t) as moment
    where m.status = 'active'`)
}
