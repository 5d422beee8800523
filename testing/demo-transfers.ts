import type { TestDatabase } from './database.ts'

type Queried = Pick<TestDatabase, 'query'>

const TEXT = 'Pay at the school.'

/**
 * Lets the schools of the tests that have no provider be paid by transfer, since most tests buy something and no school can be
 * paid by default.
 */
export const setDemoTransfers = ({ query }: Queried): Promise<unknown> =>
  query(
    `insert into payment_providers (school_id, name, instructions, created_at, updated_at)
     select id, 'manual', jsonb_build_object('account_holder', null, 'iban', null, 'text', $1::text), stoa.now(), stoa.now()
     from schools s where not exists (select from payment_providers p where p.school_id = s.id)`,
    [TEXT],
  )

/** Takes that away from a school, unless a test has changed it. */
export const removeDemoTransfers = ({ query }: Queried, schoolId: string): Promise<unknown> =>
  query(`delete from payment_providers where school_id = $1 and name = 'manual' and instructions ->> 'text' = $2`, [
    schoolId,
    TEXT,
  ])
