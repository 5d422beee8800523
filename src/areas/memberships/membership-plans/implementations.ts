import { filesPublic, usesOf } from '#src/areas/files/index.ts'
import { bundleNames, revokeLine } from '#src/areas/learning/index.ts'
import { countInOtherCurrency, currencyUses } from '#src/areas/school/index.ts'
import { implement } from '#src/contract/hook.ts'
import { itemExists } from '#src/contract/items.ts'
import { fulfil, offerOf, reserve, unfulfil } from '#src/contract/offer.ts'
import { blockOf } from '#src/contract/page-blocks.ts'
import { toId } from '#src/kit/ids.ts'
import { planCards } from './plan/cards.lookups.ts'
import { planPrices } from './plan/conditions.ts'
import { listPlanNames, sharePlan } from './plan/queries.ts'
import { listImages } from './plan/references.queries.ts'
import { findPlanOffer } from './prices/lookups.ts'
import { fulfilPlan } from './prices/writes.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(currencyUses, async ({ currency }, { db, school }) => [
    { kind: 'plan_price', count: await countInOtherCurrency(db, school.id, planPrices, currency) },
  ]),
  implement(bundleNames, async ({ type, ids }, { db, school }) =>
    type === 'membership_plan' ? listPlanNames(db, school.id, ids) : new Map<string, string>(),
  ),
  implement(itemExists, async ({ type, id }, { db, school }) => {
    if (type !== 'membership_plan') return undefined
    // The lock prevents that a plan is deleted while a coupon or a post begins to name it.
    const name = await sharePlan(db, school.id, id)
    return name === undefined ? 'unknown' : { name }
  }),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).map(row => ({
      fileId: row.file_id,
      kind: 'membership_plan',
      id: toId('mpl', row.plan_id),
      name: row.name,
    })),
  ),
  implement(filesPublic, async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).filter(row => row.is_public).map(row => row.file_id),
  ),
  implement(offerOf, (price, context) => findPlanOffer(context, price)),
  implement(blockOf, async ({ block, keyFor }, context) =>
    block.type === 'plans' ? planCards({ ...context, keyFor }, block) : undefined,
  ),
  // Nothing of a plan is scarce, so only its deletion is prevented.
  implement(reserve, async ({ offer, until }, { db, school }) => {
    if (offer.item.type !== 'membership_plan') return undefined
    return (await sharePlan(db, school.id, offer.item.id)) === undefined ? undefined : { reservedUntil: until }
  }),
  implement(fulfil, async ({ now, ...line }, context) =>
    line.offer.item.type === 'membership_plan' ? fulfilPlan({ ...context, now }, line) : [],
  ),
  implement(unfulfil, ({ now, ...line }, context) => revokeLine({ ...context, now }, 'membership_plan', line)),
]
