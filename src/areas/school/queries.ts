import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Settings } from './schema.ts'

/** A school as it is stored. */
export type SchoolRow = Settings & {
  readonly id: string
  readonly base_url: string
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`id, base_url, name, description, contact_email, locale, supported_locales, time_zone, currency, country,
  signup_mode, revision, created_at, updated_at`

/** The school's row. */
export const getSchoolRow = (db: Db, schoolId: string): Promise<SchoolRow> =>
  db.one(sql<SchoolRow>`select ${columns} from schools where id = ${schoolId}`)

/** The school's row, held until the transaction ends. */
export const lockSchoolRow = (db: Db, schoolId: string): Promise<SchoolRow> =>
  db.one(sql<SchoolRow>`select ${columns} from schools where id = ${schoolId} for update`)

/** Stores the settings as the next revision. */
export const storeSettings = (db: Db, schoolId: string, settings: Settings): Promise<SchoolRow> =>
  db.one(sql<SchoolRow>`
    update schools set
      name = ${settings.name}, description = ${settings.description}, contact_email = ${settings.contact_email},
      locale = ${settings.locale}, supported_locales = ${settings.supported_locales}, time_zone = ${settings.time_zone},
      currency = ${settings.currency}, country = ${settings.country}, signup_mode = ${settings.signup_mode},
      revision = revision + 1, updated_at = stoa.now()
    where id = ${schoolId}
    returning ${columns}`)
