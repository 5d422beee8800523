import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { listProviders } from './providers/queries.ts'
import { sellingWarnings } from './rules.ts'
import { getSelling, hasSelling } from './settings/queries.ts'
import type { SellingValues } from './settings/schema.ts'

/**
 * What keeps a school from selling, in words for its operator; undefined when it has not begun to sell: it has neither
 * changed its seller settings nor set a payment provider.
 */
export const findSellingWarnings = ({
  database,
  school,
}: {
  readonly database: Pick<Database, 'statements'>
  readonly school: School
}): Promise<string[] | undefined> =>
  database.statements(school.id, async db => {
    const [providers, hasSettings] = await Promise.all([listProviders(db, school.id), hasSelling(db, school.id)])
    if (providers.length === 0 && !hasSettings) return undefined
    const { legal } = await getSelling(db, school.id)
    return sellingWarnings({ school, legal, providers })
  })

/** Whether the amounts of a school contain the tax, it is added to them, or there is none; buyers see which. */
export const getTaxMode = async (db: Db, schoolId: string): Promise<SellingValues['tax']['mode']> =>
  (await getSelling(db, schoolId)).tax.mode
