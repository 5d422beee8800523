import type { OccurrenceRow } from '#src/areas/events/events/index.ts'
import type { TicketChoice, Unavailable } from '#src/contract/offer.ts'
import type { PriceValues } from '#src/contract/price.ts'
import { picked } from '#src/kit/patch.ts'
import type { TicketOfferRow } from './queries.ts'

type Reason = Unavailable['unavailable']

/** Whether people may register for an occurrence: it is scheduled and has not begun. */
export const isOpen = ({ status, starts_at }: Pick<OccurrenceRow, 'status' | 'starts_at'>, at: Date): boolean =>
  status === 'scheduled' && starts_at > at

/** The occurrence of a choice: the one that is named, or the only one to which people can come. */
export const chosenOccurrence = (
  occurrences: readonly OccurrenceRow[],
  wanted: string | undefined,
  at: Date,
): OccurrenceRow | Reason => {
  if (wanted !== undefined) {
    const named = occurrences.find(({ id }) => id === wanted)
    if (named === undefined) return 'not_published'
    return isOpen(named, at) ? named : 'ended'
  }
  const [first, ...others] = occurrences.filter(one => isOpen(one, at))
  if (first === undefined) return 'ended'
  return others.length === 0 ? first : 'occurrence_required'
}

/** Why a ticket is not on sale at an instant; undefined when it is. */
export const reasonOfSale = ({ status, sales_from, sales_until }: TicketOfferRow, at: Date): Reason | undefined => {
  if (status === 'retired') return 'retired'
  if (sales_from !== null && sales_from > at) return 'not_open_yet'
  return sales_until !== null && sales_until <= at ? 'ended' : undefined
}

/** What each seat costs: the price, what the buyer chose, or nothing for somebody to whom the event is open. */
export const computeAmount = (
  { amount, least_amount: least }: Pick<TicketOfferRow, 'amount' | 'least_amount'>,
  { amount: chosen }: TicketChoice,
  isEntitled: boolean,
): number | 'amount_wrong' => {
  if (isEntitled) return 0
  if (least === null) return chosen === undefined ? amount : 'amount_wrong'
  return chosen === undefined || chosen < least ? 'amount_wrong' : chosen
}

const PAYMENT = [
  'currency',
  'interval',
  'interval_count',
  'number_of_payments',
  'trial_days',
  'access_days',
  'access_until',
  'enrollment_cap',
] as const satisfies readonly (keyof PriceValues)[]

/** How a seat is paid for. */
export const buildPayment = (row: TicketOfferRow, amount: number): PriceValues => ({
  ...picked(row, PAYMENT),
  payment_type: amount === 0 ? 'free' : 'one_time',
  amount,
})
