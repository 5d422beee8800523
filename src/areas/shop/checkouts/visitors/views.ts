import { getPrefix } from '#src/areas/shop/orders/index.ts'
import type { Offer, OfferedAccess } from '#src/contract/offer.ts'
import { toId } from '#src/kit/ids.ts'
import { percentText } from '#src/kit/money.ts'
import type { PartialQuote, RefusedItem } from '../checkout/lookups.ts'
import { isForNothing } from '../checkout/rules.ts'
import type { CheckoutInput } from '../checkout/schema.ts'
import { buildAgreements, computeQuoteHash, decideBilling, listWaitingItems, type WaitingLine } from './rules.ts'
import type { CheckoutQuoteValues } from './schema.ts'

const accessView = (access: OfferedAccess): CheckoutQuoteValues['lines'][number]['access'] => {
  if (access === null || 'days' in access || 'months' in access) return access
  return 'until' in access ? { until: access.until } : { subscription: true }
}

const paymentView = ({ payment }: Offer): CheckoutQuoteValues['lines'][number]['payment'] => {
  const { payment_type, amount, currency, interval, interval_count, number_of_payments } = payment
  return { payment_type, amount, currency, interval, interval_count, number_of_payments }
}

const linesView = ({ quote: { wanted, lines } }: PartialQuote): CheckoutQuoteValues['lines'] =>
  wanted.flatMap(({ offer, quantity }, index) => {
    const amounts = lines[index]
    if (amounts === undefined) return []
    const { unit_amount, discount_amount, tax_rate, tax_amount, amount } = amounts
    return [
      {
        price_id: offer.priceId,
        item_type: offer.item.type,
        item_id: toId(getPrefix(offer.item.type), offer.item.id),
        name: offer.name,
        quantity,
        most_per_order: offer.mostPerOrder,
        unit_amount,
        discount_amount,
        tax_percent: percentText(tax_rate),
        tax_amount,
        amount,
        access: accessView(offer.access),
        payment: paymentView(offer),
        occurrence_id: offer.ticket?.occurrenceId ?? null,
      },
    ]
  })

const refusedView = ({ items }: CheckoutInput, { index, refusal, about }: RefusedItem) => ({
  price_id: items[index]?.price_id ?? '',
  reason: refusal.extras.errors?.[0]?.code ?? refusal.problem.code,
  name: about?.name ?? null,
  item_type: about?.item.type ?? null,
})

/** What decides a quote beside the purchase: the school, and the orders of the buyer that wait for payment. */
type Around = {
  readonly country: string | null
  readonly time_zone: string
  readonly canSell: boolean
  readonly waiting: readonly WaitingLine[]
}

const sellerView = ({ legal: { name, address } }: PartialQuote['quote']['selling']): string | null =>
  name === null ? null : [name, address?.city].filter(part => part != null && part !== '').join(', ')

/** A quote as the pages of the checkout read it. */
export const quoteView = (
  input: CheckoutInput,
  partial: PartialQuote,
  { country, time_zone, canSell, waiting }: Around,
): CheckoutQuoteValues => {
  const { quote, refusedItems, refusedCodes } = partial
  const { currency, totals, taxation, applied, selling } = quote
  return {
    quote: computeQuoteHash(quote).toString('hex'),
    currency,
    ...totals,
    trial_days: quote.trialDays,
    tax: { mode: taxation.mode, country: taxation.country, reverse_charge: taxation.reverseCharge },
    lines: linesView(partial),
    refused: refusedItems.map(item => refusedView(input, item)),
    waiting: listWaitingItems(
      [...quote.wanted.map(({ offer }) => offer), ...refusedItems.flatMap(({ about }) => about ?? [])],
      waiting,
    ),
    codes: applied.map(({ code, amount }) => ({ code, amount })),
    refused_codes: refusedCodes.map(({ code, reason }) => ({ code, reason })),
    billing: decideBilling(quote),
    country: selling.legal.address?.country ?? country,
    seller: sellerView(selling),
    ...buildAgreements(quote),
    can_sell: isForNothing(quote) || canSell,
    time_zone,
  }
}
