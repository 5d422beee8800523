import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { agreementText, orderTable, tableOf } from '#src/web/account/index.ts'
import type { QuoteView } from '../quote.ts'
import { isOrdered } from './notes.ts'
import { checkoutText as text } from './text.ts'

/** The table of what is bought, with its codes, tax and total; empty where nothing can be bought. */
export const summaryOf = (quote: QuoteView, language: Language): Html => {
  if (quote.lines.length === 0) return html``
  const table = tableOf(quote, { language, timeZone: quote.time_zone })
  const agreements = quote.lines.flatMap(({ payment }) => agreementText(payment, quote.trial_days, language) ?? [])
  return orderTable({ ...table, notes: [...agreements, ...(table.notes ?? [])] })
}

/** Whether a purchase can be ordered as it is shown. */
export const isOrderable = (quote: QuoteView): boolean => quote.lines.length > 0 && quote.can_sell && !isOrdered(quote)

/** The label of the button that orders. */
export const orderLabel = (
  { total, currency, trial_days: trialDays }: QuoteView,
  language: Language,
  { pay, free }: { readonly pay: Phrase; readonly free: Phrase } = { pay: text.payButton, free: text.freeButton },
): string => {
  if (trialDays > 0) return fill(text.trialButton, language)
  return total === 0 ? fill(free, language) : fill(pay, language, { total: formatMoney(total, currency, language) })
}
