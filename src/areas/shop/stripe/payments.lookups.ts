import type Stripe from 'stripe'
import type { FindInput, FoundPayment } from '#src/contract/payments.ts'
import { type Account, type Client, isMissing, openClient, unlessMissing } from './client.lookups.ts'
import { buildDispute, buildOutcome, buildRefund, type Known, PAYMENT } from './outcome.rules.ts'

const ofCharge = ['latest_charge.balance_transaction']
const ofSetup = ['payment_method', 'latest_attempt']
const ofSession = [...ofCharge.map(path => `payment_intent.${path}`), ...ofSetup.map(path => `setup_intent.${path}`)]

const readSession = (session: Stripe.Checkout.Session): Known => ({
  session,
  ...(typeof session.payment_intent === 'object' && session.payment_intent !== null
    ? { intent: session.payment_intent }
    : {}),
  ...(typeof session.setup_intent === 'object' && session.setup_intent !== null ? { setup: session.setup_intent } : {}),
})

// An intent of a page is over only when its page is.
const readIntent = async ({ stripe, options }: Client, id: string): Promise<Known | undefined> => {
  const [intent, sessions] = await Promise.all([
    unlessMissing(stripe.paymentIntents.retrieve(id, { expand: ofCharge }, options())),
    unlessMissing(stripe.checkout.sessions.list({ payment_intent: id, limit: 1 }, options())),
  ])
  return intent === undefined ? undefined : { intent, session: sessions?.data[0] }
}

const readKnown = async (client: Client, ref: string): Promise<Known | undefined> => {
  const { stripe, options } = client
  if (ref.startsWith('cs_')) {
    const session = await unlessMissing(stripe.checkout.sessions.retrieve(ref, { expand: ofSession }, options()))
    return session === undefined ? undefined : readSession(session)
  }
  if (ref.startsWith('pi_')) return readIntent(client, ref)
  if (!ref.startsWith('seti_')) return undefined
  const setup = await unlessMissing(stripe.setupIntents.retrieve(ref, { expand: ofSetup }, options()))
  return setup === undefined ? undefined : { setup }
}

// A notice may name what belongs to another payment.
const belongsTo = ({ session, intent, setup }: Known, paymentId: string): boolean =>
  (session ?? intent ?? setup)?.metadata?.[PAYMENT] === paymentId

const PAGE_SIZE = 100
const MOST_PAGES = 10
const MARGIN_SECONDS = 300
const WINDOW_SECONDS = 25 * 3600

type Search = { readonly id: string | undefined; readonly isComplete: boolean }

const listPage = (
  { stripe, options }: Client,
  { since, customerRef }: FindInput,
  after: string | undefined,
): Promise<Stripe.ApiList<Stripe.PaymentIntent>> => {
  const from = Math.floor(since.getTime() / 1000)
  return stripe.paymentIntents.list(
    {
      created: { gte: from - MARGIN_SECONDS, lte: from + WINDOW_SECONDS },
      limit: PAGE_SIZE,
      ...(customerRef === undefined ? {} : { customer: customerRef }),
      ...(after === undefined ? {} : { starting_after: after }),
    },
    options(),
  )
}

// Of several with one id, which only a key that was forgotten can make, the one that was paid is told.
const pick = (intents: readonly Stripe.PaymentIntent[]): string | undefined =>
  (
    intents.find(({ status }) => status === 'succeeded') ??
    intents.find(({ status }) => status === 'processing') ??
    intents[0]
  )?.id

const search = async (client: Client, input: FindInput): Promise<Search> => {
  const found: Stripe.PaymentIntent[] = []
  let after: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await listPage(client, input, after)
    found.push(...page.data.filter(({ metadata }) => metadata[PAYMENT] === input.paymentId))
    after = page.data.at(-1)?.id
    if (!page.has_more || after === undefined) return { id: pick(found), isComplete: true }
  }
  return { id: pick(found), isComplete: false }
}

const searchAnywhere = async (client: Client, input: FindInput): Promise<Search> => {
  try {
    return await search(client, input)
  } catch (error) {
    // A customer who was deleted at Stripe cannot be asked for; the intents remain.
    if (!isMissing(error) || input.customerRef === undefined) throw error
    const { customerRef: _, ...anybody } = input
    return search(client, anybody)
  }
}

// A refund that is not among them counts as one that Stripe has never heard of.
const MOST_MOVES = 1000

const listMoney = async ({ stripe, options }: Client, { id }: Stripe.PaymentIntent) => {
  const [refunds, disputes] = await Promise.all([
    stripe.refunds.list({ payment_intent: id, limit: PAGE_SIZE }, options()).autoPagingToArray({ limit: MOST_MOVES }),
    stripe.disputes.list({ payment_intent: id, limit: PAGE_SIZE }, options()).autoPagingToArray({ limit: MOST_MOVES }),
  ])
  return {
    refunds: refunds.map(buildRefund).toReversed(),
    disputes: disputes
      .map(buildDispute)
      .filter(one => one !== undefined)
      .toReversed(),
  }
}

const complete = async (client: Client, known: Known): Promise<FoundPayment> => {
  const { intent } = known
  const isCharged = intent !== undefined && intent.latest_charge !== null
  const money = isCharged ? await listMoney(client, intent) : { refunds: [], disputes: [] }
  return { ...buildOutcome(known), ...money }
}

const unknown: FoundPayment = { state: 'unknown', amount: 0, currency: 'XXX', refs: [], refunds: [], disputes: [] }

/** What Stripe knows of a payment: by an id of its own, or else among the intents of the hours in which it was begun. */
export const findStripePayment = async (account: Account, input: FindInput): Promise<FoundPayment | undefined> => {
  const client = await openClient(account)
  const known = input.ref === undefined ? undefined : await readKnown(client, input.ref)
  if (known !== undefined && belongsTo(known, input.paymentId)) return complete(client, known)
  const { id, isComplete } = await searchAnywhere(client, input)
  const found = id === undefined ? undefined : await readIntent(client, id)
  if (found !== undefined) return complete(client, found)
  return isComplete ? undefined : unknown
}
