import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { creditList, termsText } from '#src/web/account/index.ts'
import { daysOf, doneIn, framed, timeOf } from '#src/web/page/index.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { refusedIn } from '../../pages/refused.ts'
import { accessText } from './access-text.ts'
import { actForms } from './act-forms.ts'
import type { ChangeShown, PeriodShown } from './shown.ts'
import { subscriptionsText, oneText as text } from './text.ts'
import type { SubscriptionView } from './view.ts'

type View = SubscriptionView
type Row = readonly [name: Phrase, value: Html | string | undefined]

const timeIn = ({ context: { language, viewer } }: View, at: string | null): string | undefined =>
  at === null ? undefined : timeOf(new Date(at), language, viewer)

const daysIn = ({ context: { language, viewer } }: View, period: Pick<PeriodShown, 'from' | 'until'>): string =>
  daysOf(period, language, viewer)

const moneyIn = ({ context: { language }, subscription: { price } }: View, amount: number): string =>
  price === null ? '' : formatMoney(amount, price.currency, language)

const memberOf = ({ subscription: { member }, context: { language } }: View): Html => {
  const name = isVisible(member.name) ? member.name : fill(subscriptionsText.nobody, language)
  return html`<a href="/staff/people/${member.id}"><bdi>${name}</bdi></a>`
}

const methodOf = ({ subscription: { method }, context: { language } }: View): string | undefined => {
  if (method === null) return undefined
  const { brand, last4, expires } = method
  return expires === null
    ? fill(text.method, language, { brand, last4 })
    : fill(text.methodUntil, language, { brand, last4, until: expires })
}

const periodOf = (view: View): string | undefined => {
  const { current_period: period } = view.subscription
  if (period === null) return undefined
  return fill(text.periodOf, view.context.language, { number: period.number, days: daysIn(view, period) })
}

const nextOf = (view: View): string | undefined => {
  const { next_charge_at: at, next_amount: amount } = view.subscription
  const time = timeIn(view, at)
  if (time === undefined || amount === null) return time
  return fill(text.amountOn, view.context.language, { amount: moneyIn(view, amount), at: time })
}

const paymentsOf = ({ subscription, context: { language } }: View): string => {
  const { payments_made: n, price } = subscription
  const total = price?.number_of_payments ?? null
  return total === null ? String(n) : fill(text.paymentsOf, language, { n, total })
}

const codeOf = ({ subscription: { code }, context: { language } }: View): string | undefined => {
  if (code === null) return undefined
  const { periods_left: n } = code
  return n === null ? code.code : fill(text.codeLeft, language, { code: code.code, n })
}

const rowsOf = (view: View): Row[] => {
  const { subscription, context } = view
  const { t, language } = context
  const { price, item, status, collection, credit, pause, external_id: externalId } = subscription
  const { facts } = text
  const names = subscriptionsText
  return [
    [facts.status, html`<strong>${t(names.statuses[status])}</strong>`],
    [facts.member, memberOf(view)],
    [facts.item, `${item.name} (${t(names.itemTypes[item.type])})`],
    [facts.terms, price === null ? t(names.free) : termsText(price, language)],
    [facts.collection, t(names.collections[collection])],
    [facts.method, methodOf(view)],
    [facts.since, timeIn(view, subscription.started_at)],
    [facts.period, periodOf(view)],
    [facts.trial, timeIn(view, status === 'trialing' ? subscription.trial_end : null)],
    [facts.next, nextOf(view)],
    [facts.pastDue, timeIn(view, subscription.past_due_since)],
    [facts.retry, timeIn(view, subscription.retry_at)],
    [facts.cancel, timeIn(view, subscription.cancel_at ?? subscription.ends_at)],
    [facts.canceled, timeIn(view, subscription.canceled_at)],
    [facts.reason, subscription.cancel_reason ?? undefined],
    [facts.paused, timeIn(view, pause?.since ?? null)],
    [facts.resumes, timeIn(view, pause?.resumes_at ?? null)],
    [facts.payments, price === null ? undefined : paymentsOf(view)],
    [facts.credit, credit === 0 ? undefined : moneyIn(view, credit)],
    [facts.code, codeOf(view)],
    [facts.access, accessText(subscription, context)],
    [facts.external, externalId ?? undefined],
  ]
}

const factsPart = (view: View): Html => html`<dl class="facts">
${rowsOf(view).map(
  ([name, value]) =>
    value !== undefined && html`<div><dt>${fill(name, view.context.language)}</dt><dd><bdi>${value}</bdi></dd></div>\n`,
)}</dl>`

const periodItem = (period: PeriodShown, view: View): Html => {
  const { t, language } = view.context
  const { number, amount, currency, state, attempts, order_id: orderId } = period
  const days = t(text.periodOf, { number, days: daysIn(view, period) })
  const facts = [
    formatMoney(amount, currency, language),
    t(subscriptionsText.periodStates[state]),
    ...(attempts > 1 ? [t(text.attempts, { n: attempts })] : []),
  ]
  const label = t(text.orderOf, { number })
  const title =
    orderId === null
      ? html`<span>${days}</span>`
      : html`<a href="/staff/orders/${orderId}" aria-label="${label}: ${days}">${days}</a>`
  return html`<li>${title}<span class="quiet">${facts.join(' · ')}</span></li>
`
}

const periodsPart = (view: View): Html => {
  const { periods, subscription, context } = view
  const { t } = context
  return html`<h2>${t(text.periods)}</h2>
${
  periods.length === 0
    ? html`<p>${t(text.noPeriods)}</p>`
    : html`<ul class="list menu">\n${periods.map(period => periodItem(period, view))}</ul>`
}
${periods.length === 100 && html`<p class="quiet">${t(text.morePeriods)}</p>`}
${periods.length > 0 && downloadLinks('listSubscriptionPeriods', schoolOf(context), [['subscription_id', subscription.id]])}`
}

const creditsPart = ({ credits, subscription: { price }, context: { language, viewer } }: View): Html | false =>
  creditList(credits, { currency: price?.currency ?? 'EUR', language, person: viewer })

const changeItem = ({ type, by: person, client_id: app, created_at: at }: ChangeShown, view: View): Html => {
  const { t } = view.context
  const by = person?.name ?? app ?? t(text.byNobody)
  const names: Readonly<Record<string, Phrase>> = text.changeNames
  const name = names[type]
  return html`<li><span>${name === undefined ? html`<span lang="en">${type.replaceAll('_', ' ')}</span>` : t(name)}</span> <span class="quiet">· ${timeIn(view, at) ?? ''} · <bdi>${by}</bdi></span></li>
`
}

const changesPart = (view: View): Html => {
  const { changes, subscription, context } = view
  const { t } = context
  return html`<h2>${t(text.changes)}</h2>
${
  changes.length === 0
    ? html`<p>${t(text.noChanges)}</p>`
    : html`<ul class="list">\n${changes.map(change => changeItem(change, view))}</ul>`
}
${changes.length > 0 && downloadLinks('listSubscriptionChanges', schoolOf(context), [['subscription_id', subscription.id]])}`
}

/** One subscription, with what staff can do about it. */
export const onePage = (view: View): Reply => {
  const { context, subscription, refused, done } = view
  const { t, language, request } = context
  const forms = actForms(view)
  return framed({
    school: request.school,
    language,
    title: subscription.item.name,
    ...(refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, text.refusals)),
    body: html`${factsPart(view)}
${forms.length > 0 && html`<h2>${t(text.decide)}</h2>\n`}${forms}
${creditsPart(view)}${periodsPart(view)}
${changesPart(view)}
<p class="quiet"><a href="/staff/subscriptions">${t(subscriptionsText.back)}</a></p>`,
  })
}
