import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { agreementText, buildTable, type LineFacts, orderTable } from '#src/web/account/index.ts'
import { isOrdered } from './notes.ts'
import type { CheckoutContext } from './parts.ts'
import type { QuoteView } from './quote.ts'

const { common: text } = texts.checkout

/** The table of what is bought, with its codes, tax and total; empty where nothing can be bought. */
export const renderSummary = (
  quote: QuoteView,
  { language }: CheckoutContext,
  more: {
    /** What is said of the lines beside their names. */
    readonly items?: readonly LineFacts[]
    /** A button that takes a code away. */
    readonly renderRemoval?: (code: string) => Html
  } = {},
): Html => {
  if (quote.lines.length === 0) return html``
  const { items = [], renderRemoval } = more
  const table = buildTable(quote, {
    language,
    timeZone: quote.time_zone,
    describeLine: position => items[position] ?? {},
    ...(renderRemoval && { renderRemoval }),
  })
  const agreements = quote.lines.flatMap(({ payment }) => agreementText(payment, quote.trial_days, language) ?? [])
  return orderTable({ ...table, notes: [...agreements, ...(table.notes ?? [])] })
}

/** Whether a purchase can be ordered as it is shown. */
export const isOrderable = (quote: QuoteView): boolean => quote.lines.length > 0 && quote.can_sell && !isOrdered(quote)

/** The label of the button that orders. */
export const orderLabel = (
  { total, currency, trial_days: trialDays }: QuoteView,
  { t, money }: CheckoutContext,
  { pay, free }: { readonly pay: Phrase; readonly free: Phrase } = { pay: text.payButton, free: text.freeButton },
): string => {
  if (trialDays > 0) return t(text.trialButton)
  return total === 0 ? t(free) : t(pay, { total: money(total, currency) })
}
