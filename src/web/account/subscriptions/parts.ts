import { fill } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, daysOf, formOf } from '#src/web/page/index.ts'
import { orderPath } from '../pages/order.ts'
import { type OwnOrder, statusName as orderStatus } from '../pages/order-status.ts'
import { termsText } from '../pages/recurring.ts'
import { creditList } from './credit.ts'
import { keyField } from './form-key.ts'
import type { OwnCreditShown, OwnSubscription } from './shown.ts'
import { dayText, endText, moneyText, statusAbout, statusName } from './status.ts'
import { subscriptionText as text } from './text.ts'
import type { Visit } from './visit.ts'

/** What the page of a subscription shows. */
type SubscriptionView = {
  readonly visit: Visit
  readonly subscription: OwnSubscription
  /** What was or is to be paid for it, the newest first. */
  readonly orders: readonly OwnOrder[]
  readonly credit: OwnCreditShown
}

const readerOf = ({ visit: { language, viewer } }: SubscriptionView) => ({ language, person: viewer })

/** The address of the page of a subscription. */
export const pathOf = ({ id }: Pick<OwnSubscription, 'id'>): string => `/account/subscriptions/${id}`

/** The order that is to be paid now. */
const dueOrder = (orders: readonly OwnOrder[]): OwnOrder | undefined =>
  orders.find(({ status, kind }) => status === 'pending' || (status === 'failed' && kind !== 'plan_change'))

const runs = ({ subscription: { status } }: SubscriptionView): boolean =>
  status === 'trialing' || status === 'active' || status === 'past_due' || status === 'paused'

const isPaidFor = ({ subscription: { price, collection } }: SubscriptionView): boolean =>
  price !== null && collection !== 'complimentary'

const actForm = (view: SubscriptionView, act: string, label: string, more: Html | '' = '', isMain = false): Html => {
  const { visit, subscription } = view
  const inside = html`<input type="hidden" name="act" value="${act}">
<input type="hidden" name="revision" value="${subscription.revision}">
${more}
<div class="buttons"><button${isMain && html` class="main"`} type="submit">${label}</button></div>`
  return formOf(pathOf(subscription), visit.token, inside)
}

const payLink = ({ subscription, orders, visit: { language } }: SubscriptionView): Html | false => {
  const { status } = subscription
  const due = dueOrder(orders)
  if (due === undefined || (status !== 'incomplete' && status !== 'past_due')) return false
  const amount = formatMoney(due.total, due.currency, language)
  const label = due.total === 0 ? fill(text.payFirst, language) : fill(text.pay, language, { amount })
  return html`<p class="buttons"><a class="button main" href="${orderPath(due)}/pay">${label}</a></p>`
}

/** Where the subscription is, and what is most urgent. */
export const statePart = (view: SubscriptionView): Html => {
  const { subscription, orders, visit } = view
  const reader = readerOf(view)
  const due = dueOrder(orders)
  const { language } = visit
  const isEnding = runs(view) && subscription.cancel_at !== null
  return html`<section class="card state" aria-labelledby="state">
<h2 id="state">${statusName(subscription, reader)}</h2>
${statusAbout(subscription, due, reader).map(sentence => html`<p>${sentence}</p>\n`)}${payLink(view)}${
  isEnding && actForm(view, 'keep', fill(text.cancel.undo, language), '', true)
}${
  mayDo(view, 'resumeAccountSubscription') && actForm(view, 'resume', fill(text.pause.resume, language), '', true)
}</section>`
}

const entry = (label: string, value: Html | string): Html => html`<dt>${label}</dt><dd>${value}</dd>
`

const codeText = ({ code }: OwnSubscription, { language }: Visit): string => {
  if (code === null) return ''
  const { periods_left: n } = code
  if (n === null) return fill(text.codeAlways, language, { code: code.code })
  return fill(n === 1 ? text.codeOnce : text.codeMore, language, { code: code.code, n })
}

const methodText = ({ method, collection }: OwnSubscription, { language }: Visit): string => {
  if (collection === 'manual') return fill(text.transfer, language)
  if (method === null) return fill(text.noMethod, language)
  const { brand, last4, expires } = method
  return expires === null
    ? fill(text.method, language, { brand, last4 })
    : fill(text.methodUntil, language, { brand, last4, until: expires })
}

/** What was agreed: the price, the card, and what lowers the next payments. */
export const factsPart = (view: SubscriptionView): Html => {
  const { subscription, visit } = view
  const { language } = visit
  const { price, code, credit, started_at: startedAt, collection } = subscription
  const { facts } = text
  const creditLeft = moneyText(subscription, credit, readerOf(view))
  return html`<h2>${fill(text.details, language)}</h2>
<dl>
${entry(fill(facts.terms, language), price === null ? fill(text.free, language) : termsText(price, language))}${
  collection !== 'complimentary' && entry(fill(facts.card, language), methodText(subscription, visit))
}${code !== null && entry(fill(facts.code, language), html`<bdi>${codeText(subscription, visit)}</bdi>`)}${
  credit > 0 &&
  entry(
    fill(facts.credit, language),
    fill(runs(view) ? text.creditAbout : text.creditWaits, language, { amount: creditLeft }),
  )
}${startedAt !== null && entry(fill(facts.started, language), dayText(startedAt, readerOf(view)))}</dl>`
}

/** What happened to the credit, in words, and until when it would pay. */
export const creditPart = (view: SubscriptionView): Html => {
  const { subscription, credit, visit } = view
  const { language, person } = readerOf(view)
  const list = creditList(credit.entries, { currency: subscription.price?.currency ?? 'EUR', language, person })
  const until = credit.pays_until
  return html`${list}${
    until !== null &&
    html`<p>${fill(text.ledger.paysUntil, visit.language, { day: endText(until, readerOf(view)) })}</p>\n`
  }`
}

const folded = (title: string, inside: Html): Html => html`<details class="card">
<summary>${title}</summary>
${inside}
</details>
`

const cardLink = (view: SubscriptionView): Html | false => {
  const { subscription, visit } = view
  if (!runs(view) || !isPaidFor(view) || subscription.cancel_at !== null) return false
  const label = fill(subscription.method === null ? text.card.add : text.card.change, visit.language)
  return html` <a class="button" href="${pathOf(subscription)}/payment-methods">${label}</a>`
}

const restPart = (view: SubscriptionView): Html | false => {
  const { visit, subscription } = view
  const { language, token } = visit
  const { status, price, payments_made: made } = subscription
  const total = price?.number_of_payments ?? null
  if (status !== 'active' || total === null || made >= total - 1) return false
  const inside = html`${keyField()}<div class="buttons"><button type="submit">${fill(text.rest.button, language)}</button></div>`
  return folded(
    fill(text.rest.title, language),
    html`<p>${fill(text.rest.about, language)}</p>
${formOf(`${pathOf(subscription)}/remaining-payments`, token, inside)}`,
  )
}

const mayDo = ({ subscription }: SubscriptionView, operation: string): boolean =>
  subscription.allowed_actions?.includes(operation) ?? false

const pausePart = (view: SubscriptionView): Html | false => {
  const { language } = view.visit
  if (!mayDo(view, 'pauseAccountSubscription') || view.subscription.cancel_at !== null) return false
  return folded(
    fill(text.pause.title, language),
    html`<p>${fill(text.pause.about, language)}</p>
${actForm(view, 'pause', fill(text.pause.button, language))}`,
  )
}

const cancelAbout = (view: SubscriptionView): string => {
  const { subscription, visit } = view
  const { status, current_period: period, trial_end: trialEnd } = subscription
  const { cancel } = text
  const end = status === 'trialing' ? trialEnd : (period?.until ?? null)
  const isNow = status === 'past_due' || status === 'paused' || status === 'incomplete' || end === null
  if (isNow) return fill(cancel.aboutNow, visit.language)
  const phrase = subscription.price?.number_of_payments == null ? cancel.about : cancel.aboutPlan
  return fill(phrase, visit.language, { day: endText(end, readerOf(view)) })
}

const creditAtEnd = (view: SubscriptionView): Html | false => {
  const { credit, credit_on_end: end } = view.subscription
  const amount = moneyText(view.subscription, credit, readerOf(view))
  return credit > 0 && html`<p>${fill(text.creditAtEnd[end], view.visit.language, { amount })}</p>\n`
}

const cancelPart = (view: SubscriptionView): Html | false => {
  const { language } = view.visit
  const { cancel_at: cancelAt, status } = view.subscription
  if (cancelAt !== null || !(runs(view) || status === 'incomplete')) return false
  const { pays_until: until } = view.credit
  const when =
    until !== null &&
    html`<label for="at">${fill(text.cancel.when, language)}</label>
<select id="at" name="at">
<option value="period_end">${fill(text.cancel.atPeriodEnd, language)}</option>
<option value="credit_end">${fill(text.cancel.atCreditEnd, language, { day: endText(until, readerOf(view)) })}</option>
</select>
`
  const reason = html`${when}<label for="reason">${fill(text.cancel.reason, language)}</label>
<input id="reason" name="reason" type="text" maxlength="500">`
  return folded(
    fill(text.cancel.title, language),
    html`<p>${cancelAbout(view)}</p>
${creditAtEnd(view)}${actForm(view, 'cancel', fill(text.cancel.button, language), reason)}`,
  )
}

/** What the person can do; what the subscription does not allow is not offered. */
export const actParts = (view: SubscriptionView): Html => {
  const { subscription, visit } = view
  const { status, price, cancel_at: cancelAt } = subscription
  const isChangeable = (status === 'active' || status === 'trialing') && cancelAt === null
  const changes = isChangeable && price?.payment_type === 'subscription' && isPaidFor(view)
  const planLink =
    changes && html`<a class="button" href="${pathOf(subscription)}/plan">${fill(text.change.link, visit.language)}</a>`
  const links = [planLink, cardLink(view)]
  return html`${links.some(link => link !== false) && html`<p class="buttons">${links}</p>`}
${restPart(view)}${pausePart(view)}${cancelPart(view)}`
}

const orderItem = (order: OwnOrder, view: SubscriptionView): Html => {
  const { language } = view.visit
  const { period } = order.lines[0] ?? {}
  const { person } = readerOf(view)
  const days = period == null ? dayOf(order.created_at, language, person) : daysOf(period, language, person)
  return html`<li>
<a href="${orderPath(order)}">${days}</a>
<span class="amount">${formatMoney(order.total, order.currency, language)}</span>
<span class="quiet">${orderStatus(order, language)} · ${fill(text.payments.order, language, { number: order.number })}</span>
</li>
`
}

/** What was paid for which time, the latest first; each order has its invoice. */
export const paymentsPart = (view: SubscriptionView): Html => {
  const { orders, visit } = view
  const { language } = visit
  return html`<h2>${fill(text.payments.title, language)}</h2>
${
  orders.length === 0
    ? html`<p>${fill(text.payments.none, language)}</p>`
    : html`<ul class="list orders">
${orders.map(order => orderItem(order, view))}</ul>`
}
<p class="quiet"><a href="/account/orders">${fill(text.payments.all, language)}</a></p>`
}
