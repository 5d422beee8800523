import type { NotifiedPayment, ProviderEvent, WebhookBytes } from '#src/contract/payments.ts'
import { JsonRefused, parseJson } from '#src/kit/json.ts'
import { type Account, loadStripe, openClient, unlessMissing } from './client.lookups.ts'
import { PAYMENT, readId } from './outcome.rules.ts'

const TOLERANCE_SECONDS = 300

const isGenuine = async (secret: string, { bytes, header, receivedAt }: WebhookBytes): Promise<boolean> => {
  const { signature } = (await loadStripe()).webhooks
  const signed = header('stripe-signature')
  if (signed === undefined || signature === null) return false
  try {
    return signature.verifyHeader(bytes, signed, secret, TOLERANCE_SECONDS, undefined, receivedAt.getTime())
  } catch {
    return false
  }
}

const parse = (bytes: Buffer): unknown => {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (error instanceof JsonRefused) return undefined
    throw error
  }
}

type Fields = Readonly<Record<string, unknown>>

const readFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const readString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const toPayment = (id: string | undefined, ref: string | undefined): NotifiedPayment | undefined => {
  if (id !== undefined) return ref === undefined ? { id } : { id, ref }
  return ref === undefined ? undefined : { ref }
}

const readLink = (value: unknown): string | undefined => readString(value) ?? readString(readFields(value).id)

// Refunds and disputes name the intent; the metadata of an intent is copied to its charge.
const readPayment = (object: Fields): NotifiedPayment | undefined => {
  const kind = readString(object.object)
  const id = readString(object.id)
  const paymentId = readString(readFields(object.metadata)[PAYMENT])
  if (kind === 'checkout.session' || kind === 'payment_intent' || kind === 'setup_intent')
    return toPayment(paymentId, id)
  if (kind !== 'charge' && kind !== 'refund' && kind !== 'dispute') return undefined
  return toPayment(paymentId, readLink(object.payment_intent) ?? readLink(object.charge) ?? id)
}

// A thin event has the kind and the id of an object alone, and a refund or a dispute is no id of a payment.
const readThin = async (account: Account, related: Fields): Promise<NotifiedPayment | undefined> => {
  const kind = readString(related.type)
  const id = readString(related.id)
  if (id === undefined || (kind !== 'refund' && kind !== 'dispute')) return readPayment({ id, object: kind })
  const { stripe, options } = await openClient(account)
  const asked =
    kind === 'refund' ? stripe.refunds.retrieve(id, {}, options()) : stripe.disputes.retrieve(id, {}, options())
  const found = await unlessMissing<{ readonly payment_intent: string | { readonly id: string } | null }>(asked)
  return toPayment(undefined, readId(found?.payment_intent))
}

/**
 * The event of a request, by the signature of its endpoint; undefined for one that is not genuine. Owners make endpoints by hand, so
 * both kinds are read: with the object as it was, and thin ones.
 */
export const readEvents = async (
  account: Account,
  request: WebhookBytes,
): Promise<readonly ProviderEvent[] | undefined> => {
  if (account.webhookSecret === undefined || !(await isGenuine(account.webhookSecret, request))) return undefined
  const event = readFields(parse(request.bytes))
  const id = readString(event.id)
  const type = readString(event.type)
  if (id === undefined || type === undefined) return []
  const payment =
    event.object === 'v2.core.event'
      ? await readThin(account, readFields(event.related_object))
      : readPayment(readFields(readFields(event.data).object))
  return [{ id, type, payment }]
}
