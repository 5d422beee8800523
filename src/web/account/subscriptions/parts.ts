import type { Static } from 'typebox'
import type { OwnCredit } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden, showDays } from '#src/web/page/index.ts'
import { type OwnOrder, orderPath, statusName as orderStatus } from '../orders/index.ts'
import { termsText } from '../recurring.ts'
import { creditList } from './credit.ts'
import { keyField } from './key-field.ts'
import { buildPath, type SubscriptionContext } from './own.ts'
import { endText, moneyText, statusAbout, statusName } from './status.ts'

const { subscription: text } = texts.account.subscriptions

/** The order that is to be paid now. */
const dueOrder = (orders: readonly OwnOrder[]): OwnOrder | undefined =>
  orders.find(({ status, kind }) => status === 'pending' || (status === 'failed' && kind !== 'plan_change'))

const runs = ({ subscription: { status } }: SubscriptionContext): boolean =>
  status === 'trialing' || status === 'active' || status === 'past_due' || status === 'paused'

const isPaidFor = ({ subscription: { price, collection } }: SubscriptionContext): boolean =>
  price !== null && collection !== 'complimentary'

const mayDo = ({ subscription }: SubscriptionContext, operation: string): boolean =>
  subscription.allowed_actions?.includes(operation) ?? false

type ActForm = { readonly act: string; readonly label: string; readonly more?: Html; readonly isMain?: boolean }

const actForm = ({ act, label, more = html``, isMain = false }: ActForm, context: SubscriptionContext): Html => {
  const { subscription, form } = context
  const inside = html`${hidden({ act, revision: subscription.revision })}${more}
<div class="buttons"><button${isMain && html` class="main"`} type="submit">${label}</button></div>`
  return form(inside, buildPath(subscription))
}

const payLink = (due: OwnOrder | undefined, { subscription, t, money }: SubscriptionContext): Html | false => {
  const { status } = subscription
  if (due === undefined || (status !== 'incomplete' && status !== 'past_due')) return false
  const label = due.total === 0 ? t(text.payFirst) : t(text.pay, { amount: money(due.total, due.currency) })
  return html`<p class="buttons"><a class="button main" href="${orderPath(due)}/pay">${label}</a></p>`
}

/** Where the subscription is, and what is most urgent. */
export const statePart = (orders: readonly OwnOrder[], context: SubscriptionContext): Html => {
  const { subscription, t } = context
  const due = dueOrder(orders)
  const isEnding = runs(context) && subscription.cancel_at !== null
  return html`<section class="card state" aria-labelledby="state">
<h2 id="state">${statusName(context)}</h2>
${statusAbout(context, due).map(sentence => html`<p>${sentence}</p>\n`)}${payLink(due, context)}${
  isEnding && actForm({ act: 'keep', label: t(text.cancel.undo), isMain: true }, context)
}${
  mayDo(context, 'resumeAccountSubscription') &&
  actForm({ act: 'resume', label: t(text.pause.resume), isMain: true }, context)
}</section>`
}

const codeText = ({ subscription: { code }, t }: SubscriptionContext): string => {
  if (code === null) return ''
  const { periods_left: n } = code
  if (n === null) return t(text.codeAlways, { code: code.code })
  return t(text.codePeriods, { code: code.code, n })
}

const methodText = ({ subscription: { method, collection }, t }: SubscriptionContext): string => {
  if (collection === 'manual') return t(text.transfer)
  if (method === null) return t(text.noMethod)
  const { brand, last4, expires } = method
  return expires === null ? t(text.method, { brand, last4 }) : t(text.methodUntil, { brand, last4, until: expires })
}

/** What was agreed: the price, the card, and what lowers the next payments. */
export const factsPart = (context: SubscriptionContext): Html => {
  const { subscription, t, day, language } = context
  const { price, code, credit, started_at: startedAt, collection } = subscription
  const { facts } = text
  const creditText = t(runs(context) ? text.creditAbout : text.creditWaits, { amount: moneyText(credit, context) })
  const entry = (label: string, value: Html | string): Html => html`<dt>${label}</dt><dd>${value}</dd>
`
  return html`<h2>${t(text.details)}</h2>
<dl>
${entry(t(facts.terms), price === null ? t(text.free) : termsText(price, language))}${
  collection !== 'complimentary' && entry(t(facts.card), methodText(context))
}${code !== null && entry(t(facts.code), html`<bdi>${codeText(context)}</bdi>`)}${
  credit > 0 && entry(t(facts.credit), creditText)
}${startedAt !== null && entry(t(facts.started), day(startedAt))}</dl>`
}

/** What happened to the credit, in words, and until when it would pay. */
export const creditPart = (credit: Encoded<Static<typeof OwnCredit>>, context: SubscriptionContext): Html => {
  const { subscription, t, language, viewer } = context
  const currency = subscription.price?.currency ?? 'EUR'
  const until = credit.pays_until
  return html`${creditList(credit.entries, { currency, language, person: viewer })}${
    until !== null && html`<p>${t(text.ledger.paysUntil, { day: endText(until, context) })}</p>\n`
  }`
}

const folded = (title: string, inside: Html): Html => html`<details class="card">
<summary>${title}</summary>
${inside}
</details>
`

const cardLink = (context: SubscriptionContext): Html | false => {
  const { subscription, t } = context
  if (!runs(context) || !isPaidFor(context) || subscription.cancel_at !== null) return false
  const label = t(subscription.method === null ? text.card.add : text.card.change)
  return html` <a class="button" href="${buildPath(subscription)}/payment-methods">${label}</a>`
}

const restPart = ({ subscription, t, form }: SubscriptionContext): Html | false => {
  const { status, price, payments_made: made } = subscription
  const total = price?.number_of_payments ?? null
  if (status !== 'active' || total === null || made >= total - 1) return false
  const inside = html`${keyField()}<div class="buttons"><button type="submit">${t(text.rest.button)}</button></div>`
  return folded(
    t(text.rest.title),
    html`<p>${t(text.rest.about)}</p>
${form(inside, `${buildPath(subscription)}/remaining-payments`)}`,
  )
}

const pausePart = (context: SubscriptionContext): Html | false => {
  const { t, subscription } = context
  if (!mayDo(context, 'pauseAccountSubscription') || subscription.cancel_at !== null) return false
  return folded(
    t(text.pause.title),
    html`<p>${t(text.pause.about)}</p>
${actForm({ act: 'pause', label: t(text.pause.button) }, context)}`,
  )
}

const cancelAbout = (context: SubscriptionContext): string => {
  const { subscription, t } = context
  const { status, current_period: period, trial_end: trialEnd, price } = subscription
  const { cancel } = text
  const end = status === 'trialing' ? trialEnd : (period?.until ?? null)
  const isNow = status === 'past_due' || status === 'paused' || status === 'incomplete' || end === null
  if (isNow) return t(cancel.aboutNow)
  return t(price?.number_of_payments == null ? cancel.about : cancel.aboutPlan, { day: endText(end, context) })
}

const cancelPart = (until: string | null, context: SubscriptionContext): Html | false => {
  const { subscription, t } = context
  const { cancel_at: cancelAt, status, credit, credit_on_end: onEnd } = subscription
  const { cancel } = text
  if (cancelAt !== null || !(runs(context) || status === 'incomplete')) return false
  const when =
    until !== null &&
    html`<label for="at">${t(cancel.when)}</label>
<select id="at" name="at">
<option value="period_end">${t(cancel.atPeriodEnd)}</option>
<option value="credit_end">${t(cancel.atCreditEnd, { day: endText(until, context) })}</option>
</select>
`
  const more = html`${when}<label for="reason">${t(cancel.reason)}</label>
<input id="reason" name="reason" type="text" maxlength="500">`
  return folded(
    t(cancel.title),
    html`<p>${cancelAbout(context)}</p>
${credit > 0 && html`<p>${t(text.creditAtEnd[onEnd], { amount: moneyText(credit, context) })}</p>\n`}${actForm({ act: 'cancel', label: t(cancel.button), more }, context)}`,
  )
}

/** What the person can do; what the subscription does not allow is not offered. `paysUntil`: until when the credit pays. */
export const actParts = (paysUntil: string | null, context: SubscriptionContext): Html => {
  const { subscription, t } = context
  const { status, price, cancel_at: cancelAt } = subscription
  const isChangeable = (status === 'active' || status === 'trialing') && cancelAt === null
  const changes = isChangeable && price?.payment_type === 'subscription' && isPaidFor(context)
  const planLink = changes && html`<a class="button" href="${buildPath(subscription)}/plan">${t(text.change.link)}</a>`
  const links = [planLink, cardLink(context)]
  return html`${links.some(link => link !== false) && html`<p class="buttons">${links}</p>`}
${restPart(context)}${pausePart(context)}${cancelPart(paysUntil, context)}`
}

const orderItem = (order: OwnOrder, context: SubscriptionContext): Html => {
  const { t, day, money, language, viewer } = context
  const { period } = order.lines[0] ?? {}
  return html`<li>
<a href="${orderPath(order)}">${period == null ? day(order.created_at) : showDays(period, language, viewer)}</a>
<span class="amount">${money(order.total, order.currency)}</span>
<span class="quiet">${orderStatus(order, context)} · ${t(text.payments.order, { number: order.number })}</span>
</li>
`
}

/** What was paid for which time, the latest first; each order has its invoice. */
export const paymentsPart = (orders: readonly OwnOrder[], context: SubscriptionContext): Html => {
  const { t } = context
  return html`<h2>${t(text.payments.title)}</h2>
${
  orders.length === 0
    ? html`<p>${t(text.payments.none)}</p>`
    : html`<ul class="list orders">
${orders.map(order => orderItem(order, context))}</ul>`
}
<p class="quiet"><a href="/account/orders">${t(text.payments.all)}</a></p>`
}
