import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { Notice } from '#src/web/page/index.ts'
import type { CheckoutContext } from './parts.ts'
import type { Quoted, QuoteView } from './quote.ts'

const { common: text } = texts.checkout

type RefusedLine = QuoteView['refused'][number]

const phraseIn = (phrases: Readonly<Record<string, Phrase>>, key: string): Phrase | undefined =>
  Object.hasOwn(phrases, key) ? phrases[key] : undefined

// Where to continue: to what somebody has, or to what else there is.
const nextStep = ({ reason, item_type: type }: RefusedLine, { t }: CheckoutContext): Html => {
  const isProduct = type === 'digital_product'
  const isHad = reason === 'already_has_access'
  if (isProduct)
    return html`<a href="${isHad ? '/account/downloads' : '/products'}">${t(isHad ? text.downloads : text.allProducts)}</a>`
  return html`<a href="${isHad ? '/account/courses' : '/courses'}">${t(isHad ? text.courses : texts.words.seeAllCourses)}</a>`
}

const refusedItem = (line: RefusedLine, context: CheckoutContext): Html => {
  const { t } = context
  const name = line.name ?? t(text.something)
  const reason = t(phraseIn(text.reasons, line.reason) ?? text.reasons.unknown)
  return html`<li><strong><bdi>${name}</bdi></strong> ${reason}. ${nextStep(line, context)}</li>\n`
}

/** Why a code does not apply. */
export const describeRefusedCode = (
  { code, reason }: QuoteView['refused_codes'][number],
  { t }: CheckoutContext,
): string => t(phraseIn(text.codes, reason) ?? text.codes.off, { code })

// A second order of what is had once would be paid for nothing, and of tickets there may be more.
const waitingItem = ({ name, order_number: number }: QuoteView['waiting'][number], { t }: CheckoutContext): Html =>
  html`<li><strong><bdi>${name}</bdi></strong> ${t(text.waits)} <a href="/account/orders/${number}">${t(text.toOrder, { number })}</a></li>\n`

/** Whether an order that waits for payment has something of a purchase that people have once. */
export const isOrdered = ({ waiting }: QuoteView): boolean => waiting.some(({ item_type: type }) => type !== 'ticket')

// One that is still in its field leads there.
const refusedCode = (refused: QuoteView['refused_codes'][number], typed: string, context: CheckoutContext): Html => {
  const reason = describeRefusedCode(refused, context)
  return html`<li>${refused.code === typed ? html`<a href="#code">${reason}</a>` : reason}</li>\n`
}

/**
 * Why something of a purchase cannot be bought, why codes do not apply, and where to continue; empty when all is well. `typed` is the
 * code in the field of the page.
 */
export const renderNotes = ({ quote, isLimited }: Quoted, context: CheckoutContext, typed = ''): Html => {
  const { t } = context
  const waitingNames = new Set(quote.waiting.map(({ name }) => name))
  const items = [
    ...quote.waiting.map(one => waitingItem(one, context)),
    // The order that waits may hold what is sold out.
    ...quote.refused
      .filter(({ name }) => name === null || !waitingNames.has(name))
      .map(line => refusedItem(line, context)),
    ...quote.refused_codes.map(code => refusedCode(code, typed, context)),
    ...(isLimited ? [html`<li>${t(text.errors.limited)}</li>\n`] : []),
    ...(quote.can_sell ? [] : [html`<li>${t(text.errors.cannot_sell)}</li>\n`]),
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
export const changedNotice = (
  before: ShownTotal,
  { total, currency }: QuoteView,
  { t, money }: CheckoutContext,
): Notice => {
  const isSame = before.total === total && before.currency === currency
  const values = {
    before: money(before.total, before.currency),
    after: money(total, currency),
  }
  return { kind: 'refused', text: t(isSame ? text.errors.changedOtherwise : text.errors.changed, values) }
}

const { order_waits, too_many_pending_orders, cannot_sell: cannot_be_paid, amount_not_chargeable } = text.errors
const { provider_not_usable } = texts.account.pay.refusals
const placing = {
  order_waits,
  too_many_pending_orders,
  cannot_be_paid,
  seller_unknown: cannot_be_paid,
  provider_not_usable,
  amount_not_chargeable,
}

/** The notice for a refusal of the order, by its code. */
export const refusedNotice = (code: string, { t }: CheckoutContext): Notice => ({
  kind: 'refused',
  text: t(phraseIn(placing, code) ?? text.errors.refused),
})
