import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { creditList, termsText } from '#src/web/account/index.ts'
import { doneIn, noticeFor, showDays } from '#src/web/page/index.ts'
import { downloadLinks } from '../../csv.ts'
import { staffText } from '../../pages/text.ts'
import { facts } from '../../teaching/parts.ts'
import { actForms } from './act-forms.ts'
import type { PeriodShown } from './shown.ts'
import { accessText, type SubscriptionView } from './view.ts'

const { common, one: text } = texts.staff.subscriptions

type View = SubscriptionView

const daysIn = ({ context: { language, viewer } }: View, period: Pick<PeriodShown, 'from' | 'until'>): string =>
  showDays(period, language, viewer)

const renderFacts = (view: View): Html => {
  const { subscription, context } = view
  const { t, language } = context
  const { price, item, member, status, collection, credit, pause, method, code } = subscription
  const { current_period: period, next_amount: nextAmount, payments_made: paid } = subscription
  const { facts: names } = text
  const time = (at: string | null | undefined): string | undefined => (at == null ? undefined : context.time(at))
  const money = (amount: number): string => (price === null ? '' : context.money(amount, price.currency))
  const name = isVisible(member.name) ? member.name : t(common.nobody)
  const card =
    method !== null &&
    t(method.expires === null ? texts.words.cardEndingIn : text.methodUntil, {
      brand: method.brand,
      last4: method.last4,
      until: method.expires ?? '',
    })
  const next = time(subscription.next_charge_at)
  const amountOn =
    next !== undefined && nextAmount !== null ? t(text.amountOn, { amount: money(nextAmount), at: next }) : next
  const total = price?.number_of_payments ?? null
  const payments = total === null ? String(paid) : t(text.paymentsOf, { n: paid, total })
  const left = code?.periods_left ?? null
  return facts([
    [t(texts.words.status), html`<strong>${t(common.statuses[status])}</strong>`],
    [t(names.member), html`<a href="/staff/people/${member.id}"><bdi>${name}</bdi></a>`],
    [t(names.item), `${item.name} (${t(common.itemTypes[item.type])})`],
    [t(texts.words.price), price === null ? t(common.free) : termsText(price, language)],
    [t(names.collection), t(common.collections[collection])],
    [t(texts.words.card), card || undefined],
    [t(texts.words.since), time(subscription.started_at)],
    [
      t(names.period),
      period === null ? undefined : t(text.periodOf, { number: period.number, days: daysIn(view, period) }),
    ],
    [t(names.trial), status === 'trialing' ? time(subscription.trial_end) : undefined],
    [t(names.next), amountOn],
    [t(names.pastDue), time(subscription.past_due_since)],
    [t(names.retry), time(subscription.retry_at)],
    [t(names.cancel), time(subscription.cancel_at ?? subscription.ends_at)],
    [t(names.canceled), time(subscription.canceled_at)],
    [t(texts.words.reason), subscription.cancel_reason ?? undefined],
    [t(names.paused), time(pause?.since)],
    [t(names.resumes), time(pause?.resumes_at)],
    [t(texts.words.payments), price === null ? undefined : payments],
    [t(texts.words.credit), credit === 0 ? undefined : money(credit)],
    [t(texts.words.code), code === null || left === null ? code?.code : t(text.codeLeft, { code: code.code, n: left })],
    [t(texts.words.access), accessText(subscription, context)],
    [t(names.external), subscription.external_id ?? undefined],
  ])
}

const renderPeriods = (view: View): Html => {
  const { periods, subscription, context } = view
  const { t, money } = context
  const rows = periods.map(period => {
    const { number, amount, currency, state, attempts, order_id: orderId } = period
    const days = t(text.periodOf, { number, days: daysIn(view, period) })
    const shown = [
      money(amount, currency),
      t(common.periodStates[state]),
      ...(attempts > 1 ? [t(text.attempts, { n: attempts })] : []),
    ]
    const title =
      orderId === null
        ? html`<span>${days}</span>`
        : html`<a href="/staff/orders/${orderId}" aria-label="${t(text.orderOf, { number })}: ${days}">${days}</a>`
    return html`<li>${title}<span class="quiet">${shown.join(' · ')}</span></li>\n`
  })
  return html`<h2>${t(text.periods)}</h2>
${rows.length === 0 ? html`<p>${t(text.noPeriods)}</p>` : html`<ul class="list menu">\n${rows}</ul>`}
${rows.length === 100 && html`<p class="quiet">${t(text.morePeriods)}</p>`}
${rows.length > 0 && downloadLinks('listSubscriptionPeriods', context, [['subscription_id', subscription.id]])}`
}

const renderChanges = ({ changes, subscription, context }: View): Html => {
  const { t, time } = context
  const names: Readonly<Record<string, Phrase>> = text.changeNames
  const rows = changes.map(({ type, by: person, client_id: app, created_at: at }) => {
    const name = names[type]
    return html`<li><span>${name === undefined ? html`<span lang="en">${type.replaceAll('_', ' ')}</span>` : t(name)}</span> <span class="quiet">· ${time(at)} · <bdi>${person?.name ?? app ?? t(text.byNobody)}</bdi></span></li>\n`
  })
  return html`<h2>${t(text.changes)}</h2>
${rows.length === 0 ? html`<p>${t(text.noChanges)}</p>` : html`<ul class="list">\n${rows}</ul>`}
${rows.length > 0 && downloadLinks('listSubscriptionChanges', context, [['subscription_id', subscription.id]])}`
}

/** One subscription, with what staff can do about it. */
export const onePage = (view: View): Reply => {
  const { context, subscription, credits, refused, done } = view
  const { t, language, viewer: person } = context
  const forms = actForms(view)
  const currency = subscription.price?.currency ?? 'EUR'
  return context.frame({
    title: subscription.item.name,
    ...(refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : noticeFor(refused.refusal, language, { said: { ...staffText.refusals, ...text.refusals } })),
    body: html`${renderFacts(view)}
${forms.length > 0 && html`<h2>${t(texts.page.acts.decide)}</h2>\n`}${forms}
${creditList(credits, { currency, language, person })}${renderPeriods(view)}
${renderChanges(view)}
<p class="quiet"><a href="/staff/subscriptions">${t(common.back)}</a></p>`,
  })
}
