import type { Db } from '#src/contract/db.ts'
import { addLoopbackHosts } from '#src/db/schools.ts'
import { sql } from '#src/db/sql.ts'

/** The values of a new school. */
export type NewSchool = {
  readonly id: string
  readonly baseUrl: string
  readonly host: string
  readonly name: string
  readonly description: string
  readonly locale: string
  readonly timeZone: string
  readonly currency: string
  readonly country: string | undefined
}

/** Stores a school and its host; false when another school has the address or its host. */
export const insertSchool = async (db: Db, school: NewSchool): Promise<boolean> => {
  const written = await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into schools (id, base_url, name, description, locale, supported_locales, time_zone, currency, country, created_at, updated_at)
    select ${school.id}::uuid, ${school.baseUrl}, ${school.name}, ${school.description}, ${school.locale}, ${[school.locale]}::text[],
      ${school.timeZone}, ${school.currency}, ${school.country}, (select now from clock), (select now from clock)
    where not exists (select from hosts where host = ${school.host})
    on conflict (base_url) do nothing`)
  if (written === 0) return false
  await db.run(sql`insert into hosts (host, school_id, purpose) values (${school.host}, ${school.id}, 'school')`)
  await addLoopbackHosts(db, school.id)
  return true
}
