import type { Database, Db } from '#src/contract/db.ts'
import { chargeable } from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { buildLack, type Warning } from '#src/contract/warning.ts'
import { listProviders, type ProviderRow } from './providers/queries.ts'
import { findProviderLack, isUsedFor, type ProviderLack } from './providers/rules.ts'
import { isSellerNamed, sellingWarnings } from './rules.ts'
import { type SaleState, saleLacks } from './sale.schema.ts'
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
    const [{ legal }, { missing }] = await Promise.all([getSelling(db, school.id), readSaleState(db, school)])
    return sellingWarnings({ school, legal, providers, missing })
  })

// Of a provider that an area declares, another part of it may not know how to charge the currency.
const findLack = async (db: Db, school: School, row: ProviderRow): Promise<ProviderLack | undefined> => {
  const lack = findProviderLack(row, school)
  if (lack !== undefined || row.name === 'manual') return lack
  const fits = await chargeable.call(
    { provider: row.name, amount: 1, currency: school.currency, purpose: 'once' },
    { db, school },
  )
  return fits.some(fit => fit !== undefined) ? undefined : 'provider_incomplete'
}

/** Whether a school can be paid now, and what it lacks: a way to be paid, or, where invoices need that, who it is in law. */
export const readSaleState = async (db: Db, school: School): Promise<SaleState> => {
  const [{ legal }, providers] = await Promise.all([getSelling(db, school.id), listProviders(db, school.id)])
  const rows = providers.filter(row => isUsedFor(row, 'offer'))
  const lacks = await Promise.all(rows.map(row => findLack(db, school, row)))
  const found = new Set<(typeof saleLacks)[number]>([
    ...(rows.length === 0 ? (['no_provider'] as const) : []),
    ...(lacks.includes(undefined) ? [] : lacks.filter(lack => lack !== undefined)),
    ...(isSellerNamed(school, legal) ? [] : (['seller_unknown'] as const)),
  ])
  return { can_sell: found.size === 0, missing: saleLacks.filter(lack => found.has(lack)) }
}

const unpaid = 'The school cannot be paid yet, so nobody can buy this: `sale_state` of GET /school/selling says why.'

/** The warning about what is published at a price while the school cannot be paid. */
export const listSaleWarnings = async (
  { db, school }: { readonly db: Db; readonly school: School },
  prices: readonly { readonly payment_type: string }[],
): Promise<Warning[]> => {
  const isPriced = prices.some(({ payment_type: type }) => type !== 'free')
  return buildLack(isPriced && !(await readSaleState(db, school)).can_sell, 'cannot_be_paid', unpaid)
}

/** What buyers are told beside prices. */
export type Offering = {
  /** Whether amounts contain the tax, it is added to them, or there is none. */
  readonly taxMode: SellingValues['tax']['mode']
  readonly canSell: boolean
  /** What keeps the school from being paid; only staff are told. */
  readonly missing: SaleState['missing']
}

/** What buyers of a school are told beside its prices. */
export const readOffering = ({
  database,
  school,
}: {
  readonly database: Pick<Database, 'statements'>
  readonly school: School
}): Promise<Offering> =>
  database.statements(school.id, async db => {
    const [{ tax }, { can_sell: canSell, missing }] = await Promise.all([
      getSelling(db, school.id),
      readSaleState(db, school),
    ])
    return { taxMode: tax.mode, canSell, missing }
  })
