import type { Static } from 'typebox'
import { fileViews } from '#src/areas/files/index.ts'
import { listItemPrices, type PriceRow } from '#src/areas/school/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { picked } from '#src/kit/patch.ts'
import { countPlanHolders, listHeldPlans } from '../holders/queries.ts'
import { monthlyRevenue } from '../hooks.ts'
import { readFirstItems } from '../items/lookups.ts'
import { planPriceView } from '../prices/views.ts'
import { planPrices } from './conditions.ts'
import type { PlanRow } from './queries.ts'
import { type MembershipPlan, shownSettings } from './schema.ts'

type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

type View = Static<typeof MembershipPlan>

// What only the staff of the school see.
const staffFigures = async ({ db, school, caller }: Showing, ids: readonly string[]) => {
  if (!isStaff(caller)) return () => ({})
  const [holders, revenues] = await Promise.all([
    countPlanHolders(db, school.id, ids),
    monthlyRevenue.call({ planIds: ids }, { db, school }),
  ])
  return (row: PlanRow) => ({
    external_id: row.external_id,
    holder_count: holders.get(row.id) ?? 0,
    mrr: revenues.reduce((sum, one) => sum + (one.get(row.id) ?? 0), 0),
  })
}

const accessFor = async ({ db, school, caller }: Showing, ids: readonly string[]) => {
  if (caller.member === undefined) return () => ({})
  const held = await listHeldPlans(db, school.id, caller.member.id, ids)
  return ({ id }: PlanRow) => ({ has_access: held.includes(id) })
}

const lengthView = ({ length_days: days, length_months: months }: PlanRow): View['length'] => {
  if (days !== null) return { days }
  return months === null ? null : { months }
}

const plainView = (row: PlanRow) => ({
  id: row.id,
  ...picked(row, shownSettings),
  benefits: [...row.benefits],
  length: lengthView(row),
  seo: { title: row.seo_title, description: row.seo_description },
  status: row.status,
  position: row.position,
  ends_at: row.ends_at,
  published_at: row.published_at,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const renderPrices = (row: PlanRow, prices: readonly PriceRow[]) => {
  const own = prices.filter(({ item_id }) => item_id === row.id).map(price => planPriceView(price, row))
  return { prices: own, primary_price: own.find(({ id }) => id === row.primary_price_id) ?? null }
}

/** The views of plans for a caller. */
export const planViews = async (context: Showing, rows: readonly PlanRow[]): Promise<View[]> => {
  const { db, school } = context
  const ids = rows.map(({ id }) => id)
  const [prices, items, files, access, figures] = await Promise.all([
    listItemPrices(db, school.id, planPrices, ids),
    readFirstItems(context, ids),
    fileViews(
      context,
      rows.map(row => row.image_file_id).filter(id => id !== null),
    ),
    accessFor(context, ids),
    staffFigures(context, ids),
  ])
  return rows.map(row => ({
    ...plainView(row),
    image: (row.image_file_id === null ? undefined : files.get(row.image_file_id)) ?? null,
    ...renderPrices(row, prices),
    ...(items.get(row.id) ?? { items: [], item_count: 0 }),
    ...access(row),
    ...figures(row),
  }))
}

/** The view of one plan for a caller. */
export const planView = async (context: Showing, row: PlanRow): Promise<View> => {
  const [view] = await planViews(context, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}
