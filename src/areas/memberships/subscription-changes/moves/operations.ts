import { lockPlan, PlanPriceRef, planPrices } from '#src/areas/memberships/membership-plans/index.ts'
import { findOfferedPrice } from '#src/areas/school/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Fact } from '#src/contract/fact.ts'
import { fillEach } from '#src/contract/language.ts'
import { offerOf } from '#src/contract/offer.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { countMovable, insertMove, type MoveRow } from './queries.ts'
import { firstPayment, moveUnderWay } from './rules.ts'
import { NewPriceMove, PriceMove } from './schema.ts'
import { MOVE_JOB } from './writes.ts'

const announced = (move: MoveRow, planId: string, count: number): Fact => ({
  type: 'price.move_announced',
  payload: {
    plan_id: toId('mpl', planId),
    price_id: toId('prc', move.price_id),
    to_price_id: toId('prc', move.to_price_id),
    subscription_count: count,
  },
  effects: {
    money: fillEach(texts.memberships.subscriptionChanges.moves.operations.money, { n: count }),
    mail: fillEach(texts.memberships.subscriptionChanges.moves.operations.mail, { n: count }),
  },
})

const readTarget = async (context: WriteContext, planId: string, priceId: string) => {
  const answers = await offerOf.call({ priceId, memberId: undefined, at: context.now }, context)
  const offer = answers.find(one => one !== undefined)
  const isPossible =
    offer !== undefined &&
    !('unavailable' in offer) &&
    offer.item.id === planId &&
    offer.payment.payment_type === 'subscription'
  if (isPossible) return offer
  refuseInvalid([{ pointer: '/to_price_id', code: 'unknown', message: 'is not a price of this plan that is on sale' }])
  throw new Error('an unknown price was refused')
}

const movePlanPriceHolders = declareFor('staff', 'membership_plans', {
  id: 'movePlanPriceHolders',
  route: 'POST /membership-plans/:plan_id/prices/:price_id/moves',
  summary: 'Move holders to another price',
  description:
    'Moves the subscriptions at a price of a plan to another price of it, each with its first period that begins in 14 days or later, and mails it to everybody now. Whoever cancels before is never charged the new price, and whoever has chosen another price keeps that. `dry_run` returns how many subscriptions that would be.',
  proof: 'recent',
  confirm: 'person',
  params: PlanPriceRef,
  body: NewPriceMove,
  returns: PriceMove,
  fails: [invalidState, moveUnderWay],
  example: {
    params: {
      plan_id: exampleFrom('mpl', 'listMembershipPlans', { having: { plan_type: 'recurring' } }),
      price_id: exampleFrom('prc', 'listPlanPrices', { having: { interval: 'month' } }),
    },
    body: { to_price_id: exampleFrom('prc', 'listPlanPrices', { having: { interval: 'year' } }) },
  },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const plan = await lockPlan(context, params.plan_id)
    const price = await findOfferedPrice(db, school.id, planPrices, params.price_id)
    if (price?.item_id !== plan.id) throw new Refusal(notFound, 'There is no such price.')
    if (price.payment_type !== 'subscription')
      throw new Refusal(invalidState, 'Only prices of the payment type subscription have holders who can be moved.')
    if (body.to_price_id === price.id)
      refuseInvalid([{ pointer: '/to_price_id', code: 'same', message: 'is the price that they have' }])
    const offer = await readTarget(context, plan.id, body.to_price_id)
    const count = await countMovable(db, school.id, price.id)
    const wanted = { price_id: price.id, to_price_id: offer.priceId, offer, not_before: firstPayment(now) }
    const move = await insertMove(db, school.id, now, wanted)
    if (move === undefined) throw new Refusal(moveUnderWay, 'The holders of this price are being moved already.')
    await putJob(db, school.id, { kind: MOVE_JOB, id: move.id, dueAt: now })
    changed({ ids: [toId('mpl', plan.id), toId('prc', price.id)], fields: ['moves'], revision: plan.revision })
    record(announced(move, plan.id, count))
    const { price_id: from_price_id, to_price_id, not_before, created_at } = move
    return { from_price_id, to_price_id, subscription_count: count, not_before, created_at }
  },
})

/** The operations that move holders of a price. */
export const moveOperations = [movePlanPriceHolders]
