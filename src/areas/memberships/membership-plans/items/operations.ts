import type { Static } from 'typebox'
import {
  closeInBundle,
  countBundleItems,
  type Item,
  listBundleItems,
  openInBundle,
  unknownItem,
} from '#src/areas/learning/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Phrase } from '#src/contract/language.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { getPlan, lockPlan } from '../plan/access.ts'
import { type PlanRow, touchPlan } from '../plan/queries.ts'
import { draftExample, goldExample, PlanRef } from '../plan/schema.ts'
import { namedRows } from './lookups.ts'
import { countReached } from './queries.ts'
import { closedEffect, type Difference, getPrefix, keptEffect, MAX_ITEMS, openedEffect, tooManyItems } from './rules.ts'
import { ClosingQuery, PlanItem, PlanItemPage, PlanItemRef, PlanItemsQuery } from './schema.ts'

const buildBundle = ({ id }: Pick<PlanRow, 'id'>) => ({ type: 'membership_plan', id }) as const

const itemIn = ({ item_type: type, item_id }: Static<typeof PlanItemRef>): Item => {
  const id = fromId(getPrefix(type), item_id)
  if (id === undefined) throw new Refusal(notFound, `The id is not one of a ${type}.`)
  return { type, id }
}

const listPlanItems = declareFor('anyone', 'membership_plans', {
  id: 'listPlanItems',
  route: 'GET /membership-plans/:plan_id/items',
  summary: "List a plan's items",
  description:
    'Lists what a plan opens, or with `at` what it opened at an instant. Without a role in the staff, only what everybody may see.',
  params: PlanRef,
  query: PlanItemsQuery,
  returns: PlanItemPage,
  example: { params: goldExample },
  async handle(context) {
    const { db, school, params, query } = context
    const { rows, after } = parsePage(context)
    const bundle = buildBundle(await getPlan(context, params.plan_id))
    const found = await listBundleItems(db, school.id, bundle, { at: query.at, rows, after: after?.[0] })
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: async shown =>
        (await namedRows(context, shown)).map(({ row, item }) => ({
          id: row.id,
          item,
          opened_at: row.opened_at,
          closed_at: row.closed_at,
          kept_by_earlier: row.kept_by_earlier,
        })),
      total: () => countBundleItems(db, school.id, bundle, query.at),
    })
  },
})

// Counted before the plan is locked, since those who buy it wait for the lock.
const countBefore = async (context: WriteContext, ref: string, item: Item): Promise<number> => {
  const { db, school } = context
  const { id } = await getPlan(context, ref)
  return (await countReached(db, school.id, id, item)).reached
}

type Changed = { readonly name: string; readonly effect: (difference: Difference) => Phrase }

// Records what a change of an item of a locked plan does to those who hold it.
const recordChange = async (
  context: WriteContext,
  {
    plan,
    item,
    type,
  }: { readonly plan: PlanRow; readonly item: Item; readonly type: 'plan.item_added' | 'plan.item_removed' },
  before: number,
  { name, effect }: Changed,
): Promise<void> => {
  const { db, school, changed, record } = context
  const { holders, reached } = await countReached(db, school.id, plan.id, item)
  const about = { plan_id: toId('mpl', plan.id), item_type: item.type, item_id: toId(getPrefix(item.type), item.id) }
  await touchPlan(db, school.id, plan.id)
  changed({ ids: [about.plan_id, about.item_id], fields: ['items'], revision: plan.revision + 1 })
  const difference = { plan: plan.name, item: name, holders, before, after: reached }
  record({ type, payload: about, ...(holders === 0 ? {} : { effects: { access: effect(difference) } }) })
}

const firstCourse = {
  ...goldExample,
  item_type: 'course' as const,
  item_id: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }),
}

const addPlanItem = declareFor('staff', 'membership_plans', {
  id: 'addPlanItem',
  route: 'PUT /membership-plans/:plan_id/items/:item_type/:item_id',
  summary: 'Open an item in a plan',
  description:
    'Gives everybody who holds a plan, now and later, access to a course, a digital product, an event or the paid posts of a category. A dry run says how many of the holders gain access.',
  params: PlanItemRef,
  returns: PlanItem,
  fails: [unknownItem, tooManyItems],
  example: {
    params: {
      ...draftExample,
      item_type: 'digital_product',
      item_id: exampleFrom('dpr', 'listDigitalProducts', { having: { slug: 'sourdough-workbook' } }),
    },
  },
  async handle(context) {
    const { db, school, params } = context
    const item = itemIn(params)
    const before = await countBefore(context, params.plan_id, item)
    const plan = await lockPlan(context, params.plan_id)
    const { row, name, isNew } = await openInBundle(context, { bundle: buildBundle(plan), item })
    if (isNew && (await countBundleItems(db, school.id, buildBundle(plan), undefined)) > MAX_ITEMS)
      throw new Refusal(tooManyItems, `The plan opens ${MAX_ITEMS} items already.`)
    if (isNew)
      await recordChange(context, { plan, item, type: 'plan.item_added' }, before, { name, effect: openedEffect })
    const [view] = await namedRows(context, [row])
    const { id, opened_at, closed_at, kept_by_earlier } = row
    const unnamed = { type: params.item_type, id: params.item_id, name, path: null }
    return { id, item: view?.item ?? unnamed, opened_at, closed_at, kept_by_earlier }
  },
})

const removePlanItem = declareFor('staff', 'membership_plans', {
  id: 'removePlanItem',
  route: 'DELETE /membership-plans/:plan_id/items/:item_type/:item_id',
  summary: 'Close an item in a plan',
  description:
    'Takes an item out of a plan. Access that holders have from elsewhere stays; with `keep_for_holders`, those who hold the plan now keep the item as long as they hold the plan. A dry run says how many lose access.',
  params: PlanItemRef,
  query: ClosingQuery,
  returns: undefined,
  example: { params: firstCourse },
  async handle(context) {
    const { params, query } = context
    const keptByEarlier = query.keep_for_holders === true
    const item = itemIn(params)
    const before = await countBefore(context, params.plan_id, item)
    const plan = await lockPlan(context, params.plan_id)
    const closed = await closeInBundle(context, { bundle: buildBundle(plan), item, keptByEarlier })
    if (closed === undefined) throw new Refusal(notFound, 'The plan has never opened this.')
    if (!closed.isNew) return
    const effect = keptByEarlier ? keptEffect : closedEffect
    await recordChange(context, { plan, item, type: 'plan.item_removed' }, before, { name: closed.name, effect })
  },
})

/** The operations of the items of plans, in the order of the documentation. */
export const planItemOperations = [listPlanItems, addPlanItem, removePlanItem]
