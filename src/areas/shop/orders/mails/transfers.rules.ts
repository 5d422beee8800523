import type { TransferInstructions } from '#src/areas/school/index.ts'
import type { PaymentRow } from '#src/areas/shop/payments/index.ts'
import { fill, toLanguage } from '#src/contract/language.ts'
import type { MailRows } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'
import type { OrderRow } from '../order/list.conditions.ts'

/** How long before the end of an order its buyer is reminded. */
const AHEAD_MS = 24 * 3600_000

/** When the buyer of an order is reminded; undefined when it ends within a day. */
export const reminderAt = (endsAt: Date, now: Date): Date | undefined => {
  const at = new Date(endsAt.getTime() - AHEAD_MS)
  return at > now ? at : undefined
}

/** What is still to be paid of a transfer for which an order waits, in minor units; undefined when it does not. */
export const awaited = (
  { status, total, paid_total }: Pick<OrderRow, 'status' | 'total' | 'paid_total'>,
  payment: Pick<PaymentRow, 'provider' | 'state' | 'ending_at'> | undefined,
): number | undefined =>
  status === 'pending' && payment?.provider === 'manual' && payment.state === 'open' ? total - paid_total : undefined

const labels = texts.shop.orderMails.transfers.rules.labels

// As banks print it.
const spaced = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

/** How to transfer an amount, as rows of a label and a value; without instructions reference and amount alone. */
export const transferDetails = (
  instructions: TransferInstructions | null,
  { reference, amount, locale }: { readonly reference: string; readonly amount: string; readonly locale: string },
): MailRows => {
  const row = (label: keyof typeof labels, value: string | null | undefined): string[][] =>
    value === null || value === undefined ? [] : [[fill(labels[label], toLanguage(locale)), value]]
  const iban = instructions?.iban
  return [
    ...row('holder', instructions?.account_holder),
    ...row('iban', iban === null || iban === undefined ? null : spaced(iban)),
    ...row('reference', reference),
    ...row('amount', amount),
  ]
}

// Cells of a mail have one line of at most 200 characters.
const MAX_CELL = 200

const splitPieces = (line: string): string[] => {
  const pieces = ['']
  for (const word of line.split(' ')) {
    const longer = `${pieces.at(-1)} ${word}`.trim()
    if (longer.length <= MAX_CELL) pieces[pieces.length - 1] = longer
    else pieces.push(word)
  }
  return pieces
}

/** What else the school says about paying, one row for each line. */
export const transferNotes = (instructions: TransferInstructions | null): MailRows =>
  (instructions?.text ?? '')
    .split('\n')
    .filter(line => line.trim() !== '')
    .flatMap(line => splitPieces(line).map(piece => [piece]))
