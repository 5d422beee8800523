import pg from 'pg'
import type { TestDatabase } from './database.ts'

/** A school and its number of members, all of whom hold one membership plan. */
export type SchoolWithHolders = { readonly schoolId: string; readonly holders: number }

/** The ids of the rows in such a school. */
export const holderIds = (schoolId: string) => ({
  course: toUuid(schoolId, 'course', 1),
  plan: toUuid(schoolId, 'plan', 1),
  member: (n: number) => toUuid(schoolId, 'member', n),
  entitlement: (n: number) => toUuid(schoolId, 'entitlement', n),
  source: (n: number) => toUuid(schoolId, 'source', n),
})

// The first digits of an id stand for the school and the kind, the last ones for the number of the row.
const KINDS = ['course', 'plan', 'member', 'entitlement', 'source', 'enrollment', 'hold', 'item'] as const

const toUuid = (schoolId: string, kind: (typeof KINDS)[number], n: number): string =>
  `${schoolId.slice(-1).repeat(8)}-000${KINDS.indexOf(kind)}-7000-8000-${String(n).padStart(12, '0')}`

const id = (kind: (typeof KINDS)[number], n = 'n'): string =>
  `(repeat(right($1::uuid::text, 1), 8) || '-000${KINDS.indexOf(kind)}-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`

const FROM = `from generate_series(1, $2::integer) as n, (select timestamptz '2025-01-01' as t) as at`

const FILLS = [
  `insert into members (school_id, id, email, email_folded, name, name_folded, status, created_at, updated_at)
   select $1::uuid, ${id('member')}, n || '@' || $1::uuid || '.example', n || '@' || $1::uuid || '.example', 'Holder', 'holder',
     'active', t, t ${FROM}`,
  `insert into courses (school_id, id, name, name_folded, words_folded, slug, subtitle, description, status, visibility,
     created_at, updated_at)
   select $1::uuid, ${id('course')}, 'Course ' || n, 'course ' || n, 'course ' || n, 'course-' || n, '', '', 'published', 'listed', t, t ${FROM} where n <= 50`,
  // Everybody holds the plan; every tenth also bought the course.
  `insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, created_at)
   select $1::uuid, ${id('entitlement')}, ${id('member')}, 'membership_plan', ${id('plan', '1')}, 'subscription',
     ${id('source')}, t, t ${FROM}`,
  `insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, created_at)
   select $1::uuid, ${id('entitlement', '1000000 + n')}, ${id('member')}, 'course', ${id('course', '1 + n % 50')},
     'order_line', ${id('source', '1000000 + n')}, t, t ${FROM} where n % 10 = 0`,
  // Other plans open other courses.
  `insert into bundle_items (school_id, id, bundle_type, bundle_id, item_type, item_id, opened_at)
   select $1::uuid, ${id('item')}, 'membership_plan', ${id('plan', '1 + n / 50')}, 'course', ${id('course', '1 + n % 50')}, t
   from generate_series(50, 499) as n, (select timestamptz '2025-01-01' as t) as at where $2::integer > 0`,
  `insert into holds (school_id, id, member_id, source, source_id, reason, starts_at, created_at)
   select $1::uuid, ${id('hold')}, ${id('member')}, 'subscription', ${id('source')}, 'past_due', t, t ${FROM} where n % 20 = 0`,
  `insert into holds (school_id, id, member_id, reason, starts_at, created_at)
   select $1::uuid, ${id('hold', '1000000 + n')}, ${id('member')}, 'staff', t, t ${FROM} where n % 40 = 1`,
  `insert into enrollments (school_id, id, member_id, course_id, source, access_changed_at, created_at, updated_at)
   select $1::uuid, ${id('enrollment')}, ${id('member')}, ${id('course', '1 + n % 50')}, 'subscription', t, t, t ${FROM}`,
]

const TABLES = ['members', 'courses', 'entitlements', 'bundle_items', 'holds', 'enrollments']

/** Creates the holders of one plan in schools, by SQL, since operations would take too long for so many. */
export const fillWithHolders = async (database: TestDatabase, schools: readonly SchoolWithHolders[]): Promise<void> => {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    await client.query('alter table members disable trigger members_found')
    for (const { schoolId, holders } of schools) for (const fill of FILLS) await client.query(fill, [schoolId, holders])
    await client.query('alter table members enable trigger members_found')
    // Statistics of every row, so that plans do not depend on a sample.
    for (const table of TABLES) await client.query(`alter table ${table} alter column school_id set statistics 10000`)
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
}
