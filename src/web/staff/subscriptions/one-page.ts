import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { amountIn, dayOf, doneIn, framed, termsText, timeOf } from '#src/web/account/index.ts'
import { refusedIn } from '../pages/refused.ts'
import { accessText } from './access-text.ts'
import { actForms } from './act-forms.ts'
import type { ChangeShown, PeriodShown } from './shown.ts'
import { subscriptionsText, oneText as text } from './text.ts'
import type { SubscriptionView } from './view.ts'

type View = SubscriptionView
type Row = readonly [name: Phrase, value: Html | string | undefined]

const timeIn = ({ visit: { language, viewer } }: View, at: string | null): string | undefined =>
  at === null ? undefined : timeOf(new Date(at), language, viewer)

const dayIn = ({ visit: { language, viewer } }: View, at: string): string => dayOf(new Date(at), language, viewer)

const moneyIn = ({ visit: { language }, subscription: { price } }: View, amount: number): string =>
  price === null ? '' : amountIn(amount, price.currency, language)

const memberOf = ({ subscription: { member }, visit: { language } }: View): Html => {
  const name = isVisible(member.name) ? member.name : fill(subscriptionsText.nobody, language)
  return html`<a href="/staff/people/${member.id}"><bdi>${name}</bdi></a>`
}

const methodOf = ({ subscription: { method }, visit: { language } }: View): string | undefined => {
  if (method === null) return undefined
  const { brand, last4, expires } = method
  return expires === null
    ? fill(text.method, language, { brand, last4 })
    : fill(text.methodUntil, language, { brand, last4, until: expires })
}

const periodOf = (view: View): string | undefined => {
  const { current_period: period } = view.subscription
  if (period === null) return undefined
  const [from, until] = [dayIn(view, period.from), dayIn(view, period.until)]
  return fill(text.periodOf, view.visit.language, { number: period.number, from, until })
}

const nextOf = (view: View): string | undefined => {
  const { next_charge_at: at, next_amount: amount } = view.subscription
  const time = timeIn(view, at)
  if (time === undefined || amount === null) return time
  return fill(text.amountOn, view.visit.language, { amount: moneyIn(view, amount), at: time })
}

const paymentsOf = ({ subscription, visit: { language } }: View): string => {
  const { payments_made: n, price } = subscription
  const total = price?.number_of_payments ?? null
  return total === null ? String(n) : fill(text.paymentsOf, language, { n, total })
}

const codeOf = ({ subscription: { code }, visit: { language } }: View): string | undefined => {
  if (code === null) return undefined
  const { periods_left: n } = code
  return n === null ? code.code : fill(text.codeLeft, language, { code: code.code, n })
}

const rowsOf = (view: View): Row[] => {
  const { subscription, visit } = view
  const { language } = visit
  const { price, item, status, collection, credit, pause, external_id: externalId } = subscription
  const { facts } = text
  const names = subscriptionsText
  return [
    [facts.status, html`<strong>${fill(names.statuses[status], language)}</strong>`],
    [facts.member, memberOf(view)],
    [facts.item, `${item.name} (${fill(names.itemTypes[item.type], language)})`],
    [facts.terms, price === null ? fill(names.free, language) : termsText(price, language)],
    [facts.collection, fill(names.collections[collection], language)],
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
    [facts.access, accessText(subscription, visit)],
    [facts.external, externalId ?? undefined],
  ]
}

const factsPart = (view: View): Html => html`<dl class="facts">
${rowsOf(view).map(
  ([name, value]) =>
    value !== undefined && html`<div><dt>${fill(name, view.visit.language)}</dt><dd><bdi>${value}</bdi></dd></div>\n`,
)}</dl>`

const periodItem = (period: PeriodShown, view: View): Html => {
  const { language } = view.visit
  const { number, from, until, amount, currency, state, attempts, order_id: orderId } = period
  const days = fill(text.periodOf, language, { number, from: dayIn(view, from), until: dayIn(view, until) })
  const facts = [
    amountIn(amount, currency, language),
    fill(subscriptionsText.periodStates[state], language),
    ...(attempts > 1 ? [fill(text.attempts, language, { n: attempts })] : []),
  ]
  const label = fill(text.orderOf, language, { number })
  const title =
    orderId === null
      ? html`<span>${days}</span>`
      : html`<a href="/staff/orders/${orderId}" aria-label="${label}: ${days}">${days}</a>`
  return html`<li>${title}<span class="quiet">${facts.join(' · ')}</span></li>
`
}

const periodsPart = (view: View): Html => {
  const { periods, visit } = view
  const { language } = visit
  return html`<h2>${fill(text.periods, language)}</h2>
${
  periods.length === 0
    ? html`<p>${fill(text.noPeriods, language)}</p>`
    : html`<ul class="list menu">\n${periods.map(period => periodItem(period, view))}</ul>`
}
${periods.length === 100 && html`<p class="quiet">${fill(text.morePeriods, language)}</p>`}`
}

const changeItem = ({ type, by: person, client_id: app, created_at: at }: ChangeShown, view: View): Html => {
  const { language } = view.visit
  const by = person?.name ?? app ?? fill(text.byNobody, language)
  const names: Readonly<Record<string, Phrase>> = text.changeNames
  const name = names[type]
  return html`<li><span>${name === undefined ? html`<span lang="en">${type.replaceAll('_', ' ')}</span>` : fill(name, language)}</span> <span class="quiet">· ${timeIn(view, at) ?? ''} · <bdi>${by}</bdi></span></li>
`
}

const changesPart = (view: View): Html => {
  const { changes, visit } = view
  const { language } = visit
  return html`<h2>${fill(text.changes, language)}</h2>
${
  changes.length === 0
    ? html`<p>${fill(text.noChanges, language)}</p>`
    : html`<ul class="list">\n${changes.map(change => changeItem(change, view))}</ul>`
}`
}

/** One subscription, with what staff can do about it. */
export const onePage = (view: View): Reply => {
  const { visit, subscription, refused, done } = view
  const { language, request } = visit
  const forms = actForms(view)
  return framed({
    school: request.school,
    language,
    title: subscription.item.name,
    ...(refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, text.refusals)),
    body: html`${factsPart(view)}
${forms.length > 0 && html`<h2>${fill(text.decide, language)}</h2>\n`}${forms}
${periodsPart(view)}
${changesPart(view)}
<p class="quiet"><a href="/staff/subscriptions">${fill(subscriptionsText.back, language)}</a></p>`,
  })
}
