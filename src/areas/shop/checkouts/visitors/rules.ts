import type { Offer } from '#src/contract/offer.ts'
import { sha256 } from '#src/kit/crypto.ts'
import type { Quote } from '../checkout/lookups.ts'
import { canWaive, isForNothing } from '../checkout/rules.ts'
import { needsCountry } from '../checkout/tax.rules.ts'

/** How long a checkout waits for its buyer, in seconds. */
export const CHECKOUT_SECONDS = 3600

/** What a buyer agrees to: the page with the terms, and the sentence about withdrawal, with whether it is required. */
export const buildAgreements = ({ selling: { checkout }, wanted }: Quote) => {
  const { text, required } = checkout.withdrawal_waiver
  const waives = text !== null && canWaive(checkout, wanted)
  return { terms_page_id: checkout.terms_page_id, waiver: waives ? { text, required } : null }
}

/**
 * The hash of all that a buyer is shown and that decides what they pay: prices, quantities, discounts, tax, free days and
 * what they agree to. Names are left out, since a course that is renamed is the same course.
 */
export const computeQuoteHash = (quote: Quote): Buffer => {
  const { currency, lines, totals, taxation, wanted, applied, trialDays } = quote
  const shown = wanted.map(({ offer, quantity }, index) => [offer.priceId, quantity, offer.access, lines[index]])
  const codes = applied.map(({ codeId, amount }) => [codeId, amount])
  const taxed = [taxation.mode, taxation.rate, taxation.name, taxation.reverseCharge]
  return sha256(JSON.stringify([currency, shown, codes, taxed, totals, trialDays, buildAgreements(quote)]))
}

/** A line of an order of a member that waits for payment. */
export type WaitingLine = { readonly number: string; readonly item_type: string; readonly item_id: string }

type Named = { readonly item: Offer['item']; readonly name: string }

/** What of a purchase an order has that waits for payment, with the number of the newest such order. */
export const listWaitingItems = (things: readonly Named[], lines: readonly WaitingLine[]) =>
  things.flatMap(({ item, name }) => {
    const line = lines.find(one => one.item_type === item.type && one.item_id === item.id)
    return line === undefined ? [] : [{ item_type: item.type, name, order_number: line.number }]
  })

/** Whether the country and the tax id of the buyer matter: `required` where the tax depends on the country. */
export const decideBilling = ({ selling: { tax }, totals, trialDays }: Quote): 'none' | 'optional' | 'required' => {
  if (tax.mode === 'none' || isForNothing({ totals, trialDays })) return 'none'
  return needsCountry(tax) ? 'required' : 'optional'
}
