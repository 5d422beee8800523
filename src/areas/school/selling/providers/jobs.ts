import type { JobParts } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { Checked } from '#src/contract/payments.ts'
import { recordFacts } from '#src/db/audit.ts'
import { getSchool } from '#src/db/schools.ts'
import { checkAtProvider, openProvider } from './checking.lookups.ts'
import { listProviders, type ProviderRow, storeCheck } from './queries.ts'
import { listNewMissing } from './rules.ts'

/** The kind of the job that checks the providers of a school. */
export const CHECK_JOB = 'provider_check'

const WEEK_SECONDS = 7 * 24 * 3600

type Found = { readonly row: ProviderRow; readonly checked: Checked }

const store = async (db: Db, schoolId: string, { row, checked }: Found): Promise<void> => {
  const stored = await storeCheck(db, schoolId, row, checked)
  if (stored === undefined) return
  const missing = checked.findings.filter(({ level }) => level === 'missing').length
  const new_missing = listNewMissing(row.findings ?? [], checked.findings).length
  await recordFacts(db, { schoolId, now: stored.checked_at }, [
    { type: 'payment_provider.checked', payload: { provider: row.name, missing, new_missing } },
  ])
}

/** Once a week: checks each provider of a school that can be called, and says in a fact what is missing that was not before. */
export const createCheck =
  ({ database, keyFor }: JobParts): JobHandler =>
  async ({ schoolId }) => {
    const school = await database.statements(schoolId, db => getSchool(db, schoolId))
    const rows = await database.statements(schoolId, db => listProviders(db, schoolId))
    const parts = { database, school, keyFor }
    const found: Found[] = []
    for (const { name } of rows) {
      const opened = await openProvider(parts, name)
      if (opened?.provider === undefined) continue
      // Without an answer there is nothing to keep; outages are reported when payments meet them.
      const checked = await checkAtProvider(parts, opened.provider).catch(() => undefined)
      if (checked !== undefined) found.push({ row: opened.row, checked })
    }
    return {
      againIn: WEEK_SECONDS,
      settle: async db => {
        for (const one of found) await store(db, schoolId, one)
      },
    }
  }
