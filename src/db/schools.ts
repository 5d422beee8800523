import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { sql } from './sql.ts'

type Row = {
  id: string
  base_url: string
  name: string
  locale: string
  signup_mode: School['signupMode']
  is_test: boolean
}

const schoolOf = (row: Row): School => ({
  id: row.id,
  baseUrl: row.base_url,
  name: row.name,
  locale: row.locale,
  signupMode: row.signup_mode,
  isTest: row.is_test,
})

/** The school that answers to a host such as `learn.example.org` or `127.0.0.1:3000`. */
export const findSchoolByHost = async (shared: Db, host: string): Promise<School | undefined> => {
  const row = await shared.first(
    sql<Row>`select s.id, s.base_url, s.name, s.locale, s.signup_mode, s.is_test
      from hosts h join schools s on s.id = h.school_id where h.host = ${host}`,
  )
  return row && schoolOf(row)
}

/** The school with this id; throws when there is none. */
export const getSchool = async (shared: Db, id: string): Promise<School> =>
  schoolOf(
    await shared.one(sql<Row>`select id, base_url, name, locale, signup_mode, is_test from schools where id = ${id}`),
  )

/** Every school with its base URL, in the order they were made. */
export const listSchools = async (shared: Db): Promise<School[]> =>
  (await shared.all(sql<Row>`select id, base_url, name, locale, signup_mode, is_test from schools order by id`)).map(
    schoolOf,
  )

/** The host under which a base URL is asked for: lower case, without the scheme's own port. */
export const hostOf = (baseUrl: string): string => new URL(baseUrl).host
