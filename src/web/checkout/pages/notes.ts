import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { Notice } from '#src/web/page/index.ts'
import type { Quoted, QuoteView } from '../quote.ts'
import { checkoutText as text } from './text.ts'

type RefusedLine = QuoteView['refused'][number]

const phraseIn = (phrases: Readonly<Record<string, Phrase>>, key: string): Phrase | undefined =>
  Object.hasOwn(phrases, key) ? phrases[key] : undefined

const link = (href: string, label: Phrase, language: Language): Html =>
  html`<a href="${href}">${fill(label, language)}</a>`

// Where to continue: to what somebody has, or to what else there is.
const nextStep = ({ reason, item_type: type }: RefusedLine, language: Language): Html => {
  const isProduct = type === 'digital_product'
  if (reason === 'already_has_access')
    return isProduct
      ? link('/account/downloads', text.downloads, language)
      : link('/account/courses', text.courses, language)
  return isProduct ? link('/products', text.allProducts, language) : link('/courses', text.allCourses, language)
}

const refusedItem = (line: RefusedLine, language: Language): Html => {
  const name = line.name ?? fill(text.something, language)
  const reason = fill(phraseIn(text.reasons, line.reason) ?? text.reasons.unknown, language)
  return html`<li><strong><bdi>${name}</bdi></strong> ${reason}. ${nextStep(line, language)}</li>\n`
}

const refusedCode = ({ code, reason }: QuoteView['refused_codes'][number], language: Language): Html =>
  html`<li>${fill(phraseIn(text.codes, reason) ?? text.codes.off, language, { code })}</li>\n`

// A second order of what is had once would be paid for nothing, and of tickets there may be more.
const waitingItem = ({ name, order_number: number }: QuoteView['waiting'][number], language: Language): Html =>
  html`<li><strong><bdi>${name}</bdi></strong> ${fill(text.waits, language)} <a href="/account/orders/${number}">${fill(text.toOrder, language, { number })}</a></li>\n`

/** Whether an order that waits for payment has something of a purchase that people have once. */
export const isOrdered = ({ waiting }: QuoteView): boolean => waiting.some(({ item_type: type }) => type !== 'ticket')

/** Why something of a purchase cannot be bought, why codes do not apply, and where to continue; empty when all is well. */
export const notesOf = ({ quote, isLimited }: Quoted, language: Language): Html => {
  const waitingNames = new Set(quote.waiting.map(({ name }) => name))
  const items = [
    ...quote.waiting.map(one => waitingItem(one, language)),
    // The order that waits may hold what is sold out.
    ...quote.refused
      .filter(({ name }) => name === null || !waitingNames.has(name))
      .map(line => refusedItem(line, language)),
    ...quote.refused_codes.map(code => refusedCode(code, language)),
    ...(isLimited ? [html`<li>${fill(text.errors.limited, language)}</li>\n`] : []),
    ...(quote.can_sell ? [] : [html`<li>${fill(text.errors.cannot_sell, language)}</li>\n`]),
  ]
  return items.length === 0
    ? html``
    : html`<div class="note" role="status" id="notes">
<ul>
${items}</ul>
</div>`
}

/** The sum that a buyer was shown, in minor units. */
export type ShownTotal = { readonly total: number; readonly currency: string }

/** The notice that a purchase is not what its buyer was shown. */
export const changedNotice = (before: ShownTotal, { total, currency }: QuoteView, language: Language): Notice => {
  const isSame = before.total === total && before.currency === currency
  const values = {
    before: formatMoney(before.total, before.currency, language),
    after: formatMoney(total, currency, language),
  }
  return { kind: 'refused', text: fill(isSame ? text.errors.changedOtherwise : text.errors.changed, language, values) }
}

const { order_waits, too_many_pending_orders } = text.errors
const placing = { order_waits, too_many_pending_orders }

/** The notice for a refusal of the order, by its code. */
export const refusedNotice = (code: string, language: Language): Notice => {
  return { kind: 'refused', text: fill(phraseIn(placing, code) ?? text.errors.refused, language) }
}
