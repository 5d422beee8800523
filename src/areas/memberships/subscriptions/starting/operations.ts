import type { Static } from 'typebox'
import { findMember } from '#src/areas/people/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { itemExists } from '#src/contract/items.ts'
import { type Offer, offerOf } from '#src/contract/offer.ts'
import { declareFor } from '#src/contract/operation.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { lockMember } from '#src/identity/index.ts'
import { fromId, isUuid, toId } from '#src/kit/ids.ts'
import { periodStart, secondAt, subscribedPrefixes, zonesEdition } from '../rules.ts'
import { buildCaller } from '../subscription/access.ts'
import { readSchool } from '../subscription/queries.ts'
import { NewSubscriptionInput, Subscription } from '../subscription/schema.ts'
import { subscriptionView } from '../subscription/views.ts'
import { giveAccess, noteChange, subscriptionFact } from '../subscription/writes.ts'
import { addSubscription, keptOffer } from './writes.ts'

/** Another subscription has this external id. */
export const subscriptionExternalIdTaken = problem(
  409,
  'subscription_external_id_taken',
  'Another subscription has this external_id',
  'An external_id names one subscription of the school. Find which at /subscriptions/external:{value}.',
)

type Input = Static<typeof NewSubscriptionInput>

const fail = (pointer: string, code: string, message: string): never => {
  const error: FieldError = { pointer, code, message }
  refuseInvalid([error])
  throw new Error('a refusal was thrown')
}

const offered = async (context: SchoolContext, priceId: string, at: Date): Promise<Offer> => {
  const answers = await offerOf.call({ priceId, memberId: undefined, at }, context)
  const offer = answers.find(one => one !== undefined)
  return offer === undefined || 'unavailable' in offer || offer.item.type === 'ticket'
    ? fail('/price_id', 'unknown', 'is not a price at which one can subscribe')
    : offer
}

const isRecurring = ({ payment: { payment_type: type } }: Offer): boolean =>
  type === 'subscription' || type === 'payment_plan'

const ofPrice = async (context: SchoolContext, input: Input, priceId: string, at: Date) => {
  const offer = await offered(context, priceId, at)
  if (input.collection === 'manual' && !isRecurring(offer))
    return fail('/price_id', 'recurring', 'is paid once; a subscription is paid again and again')
  return keptOffer(offer)
}

const ofItem = async (context: SchoolContext, item: NonNullable<Input['item']>) => {
  const id = isUuid(item.id) ? item.id : (fromId(subscribedPrefixes[item.type], item.id) ?? '')
  const answers = isUuid(id) ? await itemExists.call({ type: item.type, id }, context) : []
  const found = answers.find(one => one !== undefined)
  if (found === undefined || found === 'unknown') return fail('/item/id', 'unknown', 'is not known')
  return { item_type: item.type, item_id: id, name: found.name, tax_class: 'standard' as const }
}

const resolveKept = (context: SchoolContext, input: Input, at: Date) => {
  const { price_id: priceId, item } = input
  if (priceId !== undefined && item === undefined) return ofPrice(context, input, priceId, at)
  if (priceId !== undefined || item === undefined) return fail('/item', 'one_of', 'send either price_id or item')
  if (input.collection === 'manual') return fail('/price_id', 'required', 'says what is paid')
  return ofItem(context, item)
}

const checkTimes = ({ starts_at: starts, ends_at: ends }: Input, now: Date): void =>
  refuseInvalid([
    ...(starts !== undefined && starts <= now
      ? [{ pointer: '/starts_at', code: 'future', message: 'must be later than now' }]
      : []),
    ...(ends !== undefined && ends <= (starts ?? now)
      ? [{ pointer: '/ends_at', code: 'after_start', message: 'must be after the start' }]
      : []),
  ])

const createSubscription = declareFor('staff', 'subscriptions', {
  id: 'createSubscription',
  route: 'POST /subscriptions',
  summary: 'Create a subscription',
  description:
    'Gives a member a subscription that is paid by transfers which staff confirm, or that costs nothing. Access begins with it, and the first period of a paid one is due then.',
  idempotency: 'required',
  body: NewSubscriptionInput,
  returns: Subscription,
  status: 201,
  fails: [subscriptionExternalIdTaken],
  example: {
    body: {
      member_id: exampleFrom('mem', 'listMembers', { having: { name: 'Ben Okafor' } }),
      item: { type: 'course', id: exampleFrom('crs', 'listCourses') },
      collection: 'complimentary',
    },
  },
  async handle(context) {
    const { db, school, body, now, changed, record } = context
    const member = await findMember(db, school.id, body.member_id)
    if (member === undefined || member.status === 'deleted') return fail('/member_id', 'unknown', 'is not a member')
    await lockMember(db, school.id, member.id)
    checkTimes(body, now)
    const kept = await resolveKept(context, body, now)
    const starts = body.starts_at ?? now
    const { time_zone: zone } = await readSchool(db, school.id)
    const anchor = { anchor_local: secondAt(starts, zone), anchor_zone: zone, anchor_number: 1, zones: zonesEdition }
    const isPaid = body.collection === 'manual' && 'price' in kept
    const row = await addSubscription(context, {
      ...kept,
      ...anchor,
      member_id: member.id,
      status: 'active',
      collection: body.collection,
      source: 'staff',
      started_at: starts,
      provider: isPaid ? 'manual' : null,
      next_charge_at: isPaid ? periodStart(anchor, kept.price, 1) : null,
      ends_at: body.ends_at ?? null,
      external_id: body.external_id ?? null,
    })
    const facts = await giveAccess(context, row, body.starts_at)
    await noteChange(context, row.id, 'created', buildCaller(context), { collection: row.collection })
    const { revision, member_id: memberId } = row
    changed({ ids: [toId('sub', row.id)], fields: Object.keys(body), revision, memberId })
    for (const fact of [subscriptionFact(row, 'started'), subscriptionFact(row, 'activated'), ...facts]) record(fact)
    return subscriptionView(context, row)
  },
})

/** The operations of starting subscriptions. */
export const startingOperations = [createSubscription]
