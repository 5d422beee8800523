import type { Database, Db } from '#src/contract/db.ts'
import { chargeable } from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { listUsableProviders } from './providers/lookups.ts'
import { listProviders } from './providers/queries.ts'
import { isSellerNamed, sellingWarnings } from './rules.ts'
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

/** What the last checks of the payment providers of a school found, in words for its operator. */
export const findProviderWarnings = async ({
  database,
  school,
}: {
  readonly database: Pick<Database, 'statements'>
  readonly school: School
}): Promise<string[]> => {
  const rows = await database.statements(school.id, db => listProviders(db, school.id))
  return rows.flatMap(({ name, findings }) =>
    (findings ?? [])
      .filter(({ level }) => level !== 'good')
      .map(({ text, how }) => `the check of ${name} found: ${[text.en, ...(how === null ? [] : [how.en])].join(' ')}`),
  )
}

// Providers of which no area knows how to charge are stored for later.
const hasWayToPay = async (db: Db, school: School): Promise<boolean> => {
  const answers = (await listUsableProviders(db, school)).map(async ({ name }) => {
    if (name === 'manual') return true
    const fits = await chargeable.call(
      { provider: name, amount: 1, currency: school.currency, purpose: 'once' },
      { db, school },
    )
    return fits.some(fit => fit !== undefined)
  })
  return (await Promise.all(answers)).includes(true)
}

/** Whether a school can be paid now: it says who it is where invoices need that, and has a way to pay. */
export const canSell = async (db: Db, school: School): Promise<boolean> => {
  const { legal } = await getSelling(db, school.id)
  return isSellerNamed(school, legal) && (await hasWayToPay(db, school))
}

/** What buyers are told beside prices. */
export type Offering = {
  /** Whether amounts contain the tax, it is added to them, or there is none. */
  readonly taxMode: SellingValues['tax']['mode']
  readonly canSell: boolean
}

/** What buyers of a school are told beside its prices. */
export const readOffering = ({
  database,
  school,
}: {
  readonly database: Pick<Database, 'statements'>
  readonly school: School
}): Promise<Offering> =>
  database.statements(school.id, async db => ({
    taxMode: (await getSelling(db, school.id)).tax.mode,
    canSell: await canSell(db, school),
  }))
