import type { Database } from '#src/contract/db.ts'
import type {
  BeginInput,
  BegunPage,
  ChargeInput,
  FoundPayment,
  Outcome,
  Provider,
  RefundInput,
} from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { checkAccount } from './checking.lookups.ts'
import { readClock } from './queries.ts'
import { type Api, MollieRefused, openApi } from './requests.writes.ts'
import { buildAmount, buildFound, buildOutcome, buildRefund, chooseMethods, findLocale, readOurId } from './rules.ts'
import { Customer, MadeRefund, MethodList, type MolliePayment, Payment, PaymentList } from './schema.ts'
import { readNotice, type Signing, signAddress } from './webhook.rules.ts'

/** What the provider of a school is made from. */
type Place = Signing & {
  readonly database: Database
  readonly school: School
  readonly origin: string
  /** Whether Mollie can call an address; it refuses payments with one that it cannot. */
  readonly reaches: (url: string) => boolean
  readonly apiKey: string
}

const buildWebhook = (place: Place, webhookUrl: string, paymentId: string): { readonly webhookUrl?: string } =>
  place.reaches(webhookUrl) ? { webhookUrl: signAddress(place, webhookUrl, paymentId) } : {}

// The key makes a repeated call return the same customer.
const findCustomer = async (api: Api, input: BeginInput): Promise<string> => {
  if (input.customerRef !== undefined) return input.customerRef
  const { name, email } = input.buyer
  const body = { name, email, metadata: { stoa_member: input.memberId } }
  return (await api.post(Customer, '/customers', body, `${input.paymentId}-customer`)).id
}

const listMethods = async (api: Api, input: BeginInput): Promise<string[]> => {
  const query = new URLSearchParams({ sequenceType: input.saves ? 'first' : 'oneoff', includeWallets: 'applepay' })
  const isSetup = input.amount === 0
  const { currency, value } = buildAmount(input.amount, input.currency)
  // A payment of nothing is below the smallest amount of most methods, which is not what is asked.
  if (!isSetup) {
    query.set('amount[currency]', currency)
    query.set('amount[value]', value)
  }
  const { methods } = (await api.get(MethodList, `/methods?${query}`))._embedded
  const chosen = chooseMethods(
    methods.map(({ id }) => id),
    { isSetup, delays: input.delays },
  )
  if (chosen.length === 0) throw new Error('no method of payment is enabled at Mollie for this')
  return chosen
}

const begin = async (place: Place, api: Api, input: BeginInput): Promise<BegunPage> => {
  const { paymentId, amount, currency, description, reference, returnUrl, cancelUrl, saves } = input
  const customerId = saves ? await findCustomer(api, input) : undefined
  const locale = findLocale(input.locale)
  const payment = await api.post(
    Payment,
    '/payments',
    {
      amount: buildAmount(amount, currency),
      description: `${reference}: ${description}`.slice(0, 255),
      redirectUrl: returnUrl,
      cancelUrl,
      ...buildWebhook(place, input.webhookUrl, paymentId),
      metadata: { stoa_payment: paymentId },
      method: await listMethods(api, input),
      sequenceType: saves ? 'first' : 'oneoff',
      ...(customerId === undefined ? {} : { customerId }),
      ...(locale === undefined ? {} : { locale }),
    },
    paymentId,
  )
  const redirect = payment._links.checkout?.href
  if (redirect === undefined) throw new Error('Mollie opened no page')
  const expiresAt = payment.expiresAt == null ? input.endsAt : new Date(payment.expiresAt)
  return { redirect, ref: payment.id, expiresAt, ...(customerId === undefined ? {} : { customerRef: customerId }) }
}

const gone: readonly number[] = [404, 410]

const unless = async <T>(work: Promise<T>, statuses: readonly number[]): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof MollieRefused && statuses.includes(error.status)) return undefined
    throw error
  }
}

const getPayment = (api: Api, ref: string): Promise<MolliePayment | undefined> =>
  unless(api.get(Payment, `/payments/${encodeURIComponent(ref)}?embed=refunds,chargebacks`), gone)

const belongsTo = ({ metadata }: MolliePayment, paymentId: string): boolean =>
  readOurId(metadata, 'stoa_payment') === paymentId

// By so much the clocks may differ.
const MARGIN_MS = 3600 * 1000
const MOST_PAGES = 100

const findRef = async (api: Api, paymentId: string, since: Date): Promise<string | undefined> => {
  let from = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const list = await api.get(PaymentList, `/payments?limit=250${from}`)
    const { payments } = list._embedded
    const found = payments.find(one => belongsTo(one, paymentId))
    if (found !== undefined) return found.id
    const isPast = payments.some(({ createdAt }) => Date.parse(createdAt) < since.getTime() - MARGIN_MS)
    const next = list._links.next
    const id = next == null || isPast ? null : new URL(next.href).searchParams.get('from')
    if (id === null) return undefined
    from = `&from=${encodeURIComponent(id)}`
  }
  throw new Error('Mollie has too many payments to find one')
}

type FindInput = { readonly paymentId: string; readonly since: Date; readonly ref?: string }

const findPayment = async (api: Api, { paymentId, since, ref }: FindInput): Promise<MolliePayment | undefined> => {
  const known = ref === undefined ? undefined : await getPayment(api, ref)
  if (known !== undefined && belongsTo(known, paymentId)) return known
  const found = await findRef(api, paymentId, since)
  return found === undefined ? undefined : getPayment(api, found)
}

const find = async ({ database, school }: Place, api: Api, input: FindInput): Promise<FoundPayment | undefined> => {
  const payment = await findPayment(api, input)
  if (payment === undefined) return undefined
  return buildFound(payment, await database.statements(school.id, readClock))
}

const ofMethod = ['customerId', 'mandateId']

// A refusal says nothing about an earlier request with the same key, so what Mollie has is looked up first.
const settleRefused = async (
  { database, school }: Place,
  api: Api,
  { paymentId, amount, currency }: ChargeInput,
  error: MollieRefused,
): Promise<Outcome> => {
  const since = await database.statements(school.id, readClock)
  const found = await findPayment(api, { paymentId, since })
  if (found !== undefined) return buildOutcome(found)
  const isLost = gone.includes(error.status) || ofMethod.includes(error.field ?? '')
  const failure = { code: isLost ? 'no_such_method' : 'refused', mayRetry: !isLost }
  return { state: 'failed', refs: [], amount, currency, failure }
}

const charge = async (place: Place, api: Api, input: ChargeInput): Promise<Outcome> => {
  const { paymentId, amount, currency, customerRef, methodRef, description } = input
  const body = {
    amount: buildAmount(amount, currency),
    description: description.slice(0, 255),
    ...buildWebhook(place, `${place.school.baseUrl}/webhooks/mollie`, paymentId),
    metadata: { stoa_payment: paymentId },
    sequenceType: 'recurring',
    customerId: customerRef,
    mandateId: methodRef,
  }
  try {
    return buildOutcome(await api.post(Payment, '/payments', body, paymentId))
  } catch (error) {
    if (error instanceof MollieRefused) return settleRefused(place, api, input, error)
    throw error
  }
}

const refundRefused = async (api: Api, { refundId, paymentRef, currency }: RefundInput): Promise<Outcome> => {
  const refunds = (await getPayment(api, paymentRef))?._embedded?.refunds ?? []
  const found = refunds.find(({ metadata }) => readOurId(metadata, 'stoa_refund') === refundId)
  if (found !== undefined) return buildRefund(found)
  return { state: 'failed', refs: [], amount: 0, currency, failure: { code: 'refused', mayRetry: false } }
}

const refund = async (api: Api, input: RefundInput): Promise<Outcome> => {
  const { refundId, paymentRef, amount, currency } = input
  const body = { amount: buildAmount(amount, currency), metadata: { stoa_refund: refundId } }
  const path = `/payments/${encodeURIComponent(paymentRef)}/refunds`
  try {
    return buildRefund(await api.post(MadeRefund, path, body, refundId))
  } catch (error) {
    if (error instanceof MollieRefused) return refundRefused(api, input)
    throw error
  }
}

// What cannot be canceled may be paid late. That it was paid or has ended meanwhile is what Mollie refuses with.
const end = async (api: Api, ref: string): Promise<void> => {
  const payment = await getPayment(api, ref)
  if (payment?.isCancelable === true) await unless(api.remove(`/payments/${encodeURIComponent(ref)}`), [...gone, 422])
}

/** The provider of a school with its key. */
export const createMollieProvider = (place: Place): Provider => {
  const open = () => openApi(place.origin, place.apiKey)
  return {
    name: 'mollie',
    begin: input => begin(place, open(), input),
    charge: input => charge(place, open(), input),
    refund: input => refund(open(), input),
    find: input => find(place, open(), input),
    end: ref => end(open(), ref),
    forget: async ref => unless(open().remove(`/customers/${encodeURIComponent(ref)}`), gone),
    read: async request => readNotice(place, request),
    check: input => checkAccount(open(), input),
  }
}
