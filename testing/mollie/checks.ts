import { getExponent, isCurrency } from '#src/kit/money.ts'
import type { Books, Method, MollieAmount } from './books.ts'

/** What a request for a payment sends. */
export type SentPayment = {
  readonly amount: MollieAmount
  readonly description: string
  readonly sequenceType?: 'oneoff' | 'first' | 'recurring'
  readonly redirectUrl?: string
  readonly cancelUrl?: string
  readonly webhookUrl?: string
  readonly locale?: string
  readonly metadata?: unknown
  readonly customerId?: string
  readonly mandateId?: string
}

/** Why a request is refused, and the field that is wrong. */
type Refused = { readonly refusal: string; readonly field?: string }

type Sent = Readonly<Record<string, unknown>>

const VALUE = /^(\d{1,12})(?:\.(\d+))?$/

/** An amount in minor units; undefined for one that has another number of decimals than its currency. */
export const parseAmount = (amount: unknown): number | undefined => {
  if (typeof amount !== 'object' || amount === null) return undefined
  const { currency, value, ...rest } = amount as Record<string, unknown>
  if (typeof currency !== 'string' || typeof value !== 'string' || Object.keys(rest).length > 0) return undefined
  if (!isCurrency(currency)) return undefined
  const [matched, whole = '', decimals = ''] = VALUE.exec(value) ?? []
  return matched === undefined || decimals.length !== getExponent(currency) ? undefined : Number(whole + decimals)
}

const unknownName = (sent: Sent, names: readonly string[]): string | undefined =>
  Object.keys(sent).find(name => !names.includes(name))

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const LOCALES =
  'en_US en_GB nl_NL nl_BE de_DE de_AT de_CH fr_FR fr_BE es_ES ca_ES pt_PT it_IT nb_NO sv_SE fi_FI da_DK is_IS hu_HU pl_PL lv_LV lt_LT'.split(
    ' ',
  )

const MOST_METADATA = 1024

const fieldsOfPayment =
  'amount description redirectUrl cancelUrl webhookUrl locale metadata method sequenceType customerId mandateId'.split(
    ' ',
  )

const checkAddresses = (sent: Sent, reaches: (url: string) => boolean): Refused | undefined => {
  const isCharge = sent.sequenceType === 'recurring'
  if (!isCharge && !isText(sent.redirectUrl)) return { refusal: 'A redirect URL is required.', field: 'redirectUrl' }
  for (const field of ['redirectUrl', 'cancelUrl', 'webhookUrl'])
    if (sent[field] !== undefined && !URL.canParse(String(sent[field])))
      return { refusal: `The ${field} is no URL.`, field }
  if (sent.webhookUrl !== undefined && !reaches(String(sent.webhookUrl)))
    return {
      refusal: "The webhook URL is invalid because it is unreachable from Mollie's point of view",
      field: 'webhookUrl',
    }
  return undefined
}

const checkMethods = (sent: Sent, { methods: enabled }: Books, amount: number): readonly Method[] | Refused => {
  const { method = enabled } = sent
  const methods = Array.isArray(method) ? (method as Method[]) : [method as Method]
  const other = methods.find(one => !enabled.includes(one))
  if (other !== undefined) return { refusal: `The payment method ${other} is not enabled.`, field: 'method' }
  if (methods.length === 0) return { refusal: 'No suitable payment methods found.', field: 'method' }
  const isFree = sent.sequenceType === 'first' && methods.every(one => one === 'creditcard' || one === 'paypal')
  if (amount === 0 && !isFree) return { refusal: 'The amount is lower than the minimum.', field: 'amount' }
  return methods
}

/** Checks a payment as Mollie does, and that no name is sent that it does not know, which Mollie would ignore. */
export const checkPayment = ({
  sent,
  books,
  reaches,
}: {
  readonly sent: Sent
  readonly books: Books
  readonly reaches: (url: string) => boolean
}): Refused | { readonly sent: SentPayment; readonly methods: readonly Method[] } => {
  const other = unknownName(sent, fieldsOfPayment)
  if (other !== undefined) return { refusal: `There is no field ${other}.`, field: other }
  const amount = parseAmount(sent.amount)
  if (amount === undefined) return { refusal: 'The amount contains an invalid value.', field: 'amount' }
  if (!isText(sent.description)) return { refusal: 'A description is required.', field: 'description' }
  const { sequenceType = 'oneoff', locale, customerId } = sent
  if (!['oneoff', 'first', 'recurring'].includes(String(sequenceType)))
    return { refusal: 'The sequence type is invalid.', field: 'sequenceType' }
  if (locale !== undefined && !LOCALES.includes(String(locale)))
    return { refusal: 'The locale is invalid.', field: 'locale' }
  if (JSON.stringify(sent.metadata ?? null).length > MOST_METADATA)
    return { refusal: 'The metadata is too large.', field: 'metadata' }
  if (sequenceType !== 'oneoff' && !books.customers.has(String(customerId)))
    return { refusal: 'The customer does not exist.', field: 'customerId' }
  const refused = checkAddresses(sent, reaches)
  if (refused !== undefined) return refused
  const payment = sent as unknown as SentPayment
  if (sequenceType === 'recurring')
    return amount === 0
      ? { refusal: 'The amount is lower than the minimum.', field: 'amount' }
      : { sent: payment, methods: [] }
  const methods = checkMethods(sent, books, amount)
  return 'refusal' in methods ? methods : { sent: payment, methods }
}

/** Checks a refund in the same way. */
export const checkRefund = (
  sent: Sent,
  currency: string,
): Refused | { readonly amount: number; readonly description: string; readonly metadata: unknown } => {
  const other = unknownName(sent, ['amount', 'description', 'metadata'])
  if (other !== undefined) return { refusal: `There is no field ${other}.`, field: other }
  const amount = parseAmount(sent.amount)
  const isSame = Reflect.get(Object(sent.amount), 'currency') === currency
  if (amount === undefined || amount === 0 || !isSame)
    return { refusal: 'The amount contains an invalid value.', field: 'amount' }
  return { amount, description: String(sent.description ?? ''), metadata: sent.metadata ?? null }
}

/** What is wrong with a customer; undefined when nothing is. */
export const checkCustomer = (sent: Sent): string | undefined => {
  const other = unknownName(sent, ['name', 'email', 'metadata'])
  return other === undefined ? undefined : `There is no field ${other}.`
}
