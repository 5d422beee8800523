import type { Db } from '#src/contract/db.ts'
import { isShownAt, type Look } from '#src/contract/look.ts'
import type { School, TokenLifetimes } from '#src/contract/school.ts'
import { sql } from './sql.ts'

type Row = {
  id: string
  base_url: string
  site_origin: string | null
  name: string
  locale: string
  time_zone: string
  currency: string
  signup_mode: School['signupMode']
  is_test: boolean
  code_seconds: number
  access_token_seconds: number
  refresh_idle_seconds: number
  refresh_family_seconds: number
  look: Look | null
  pages_host?: string | null
  /** The instant of the statement, where it reads one. */
  now?: Date
}

const columns = sql`s.id, s.base_url, s.site_origin, s.name, s.locale, s.time_zone, s.currency, s.signup_mode, s.is_test, s.code_seconds, s.access_token_seconds,
  s.refresh_idle_seconds, s.refresh_family_seconds, s.look, (select stoa.now()) as now,
  (select p.host from hosts p where p.school_id = s.id and p.purpose = 'pages') as pages_host`

// An announcement is part of the look while it is shown.
const readLook = ({ look, now }: Row): Look | null => {
  if (look === null || look.announcement === null || (now && isShownAt(look.announcement, now))) return look
  return { ...look, announcement: null }
}

const buildSchool = (row: Row): School => ({
  id: row.id,
  baseUrl: row.base_url,
  siteOrigin: row.site_origin ?? row.base_url,
  name: row.name,
  pagesHost: row.pages_host ?? null,
  locale: row.locale,
  timeZone: row.time_zone,
  currency: row.currency,
  signupMode: row.signup_mode,
  isTest: row.is_test,
  lifetimes: {
    code: row.code_seconds,
    access: row.access_token_seconds,
    idle: row.refresh_idle_seconds,
    family: row.refresh_family_seconds,
  },
  look: readLook(row),
})

/**
 * A school, and what one of its hosts is for: that of its base URL, its pages for people where they have another one,
 * another name of this computer on its port, or its uploaded pages alone.
 */
export type HostedSchool = { readonly school: School; readonly purpose: 'school' | 'site' | 'alias' | 'pages' }

/** The school that answers to a host such as `learn.example.org` or `127.0.0.1:3000`. */
export const findSchoolByHost = async (shared: Db, host: string): Promise<HostedSchool | undefined> => {
  const row = await shared.first(
    sql<Row & Pick<HostedSchool, 'purpose'>>`select ${columns}, h.purpose
      from hosts h join schools s on s.id = h.school_id where h.host = ${host}`,
  )
  return row && { school: buildSchool(row), purpose: row.purpose }
}

/** The school with this id; throws when there is none. */
export const getSchool = async (shared: Db, id: string): Promise<School> =>
  buildSchool(await shared.one(sql<Row>`select ${columns} from schools s where s.id = ${id}`))

/** Every school with its base URL, in the order of creation. */
export const listSchools = async (shared: Db): Promise<School[]> =>
  (await shared.all(sql<Row>`select ${columns} from schools s order by id`)).map(buildSchool)

/** Locks the row of a school until the transaction ends, also against rows that refer to it. */
export const lockSchool = (db: Db, schoolId: string): Promise<unknown> =>
  db.one(sql`select from schools where id = ${schoolId} for update`)

/** Makes a school a test school, in which no real money moves, or a real one. */
export const storeTest = (db: Db, schoolId: string, isTest: boolean) =>
  db.run(sql`update schools set is_test = ${isTest} where id = ${schoolId}`)

/** Stores what pages and mails show of the published appearance of a school. */
export const storeLook = (db: Db, schoolId: string, look: Look) =>
  db.run(sql`update schools set look = ${JSON.stringify(look)}::jsonb where id = ${schoolId}`)

/** Sets the lifetimes of a school's codes and tokens; those that are undefined stay. */
export const storeLifetimes = (db: Db, schoolId: string, lifetimes: Partial<TokenLifetimes>) =>
  db.run(sql`
    update schools set code_seconds = coalesce(${lifetimes.code}, code_seconds),
      access_token_seconds = coalesce(${lifetimes.access}, access_token_seconds),
      refresh_idle_seconds = coalesce(${lifetimes.idle}, refresh_idle_seconds),
      refresh_family_seconds = coalesce(${lifetimes.family}, refresh_family_seconds)
    where id = ${schoolId}`)

/** The hosts for uploaded pages, by the id of their school. */
export const listPagesHosts = async (shared: Db): Promise<ReadonlyMap<string, string>> => {
  const rows = await shared.all(
    sql<{ school_id: string; host: string }>`select school_id, host from hosts where purpose = 'pages'`,
  )
  return new Map(rows.map(({ school_id, host }) => [school_id, host]))
}

/** Sets the one host for the uploaded pages of a school, or none; false when the host is in use. */
export const storePagesHost = async (db: Db, schoolId: string, host: string | undefined): Promise<boolean> => {
  await db.run(sql`
    delete from hosts where school_id = ${schoolId} and purpose = 'pages' and host is distinct from ${host}::text`)
  if (host === undefined) return true
  await db.run(sql`
    insert into hosts (host, school_id, purpose) values (${host}, ${schoolId}, 'pages') on conflict (host) do nothing`)
  return (
    (await db.first(sql`
      select from hosts where school_id = ${schoolId} and purpose = 'pages' and host = ${host}`)) !== undefined
  )
}

/** Gives a school on loopback its further hosts, and the origin of its pages where its base URL is an address literal. */
export const addLoopbackHosts = (db: Db, schoolId: string): Promise<unknown> =>
  db.one(sql`select stoa.add_loopback_hosts(${schoolId})`)

/** The Host header of a base URL: lower case, without the default port. */
export const parseHost = (baseUrl: string): string => new URL(baseUrl).host
