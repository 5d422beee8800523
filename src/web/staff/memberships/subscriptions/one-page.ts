import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { creditList, termsText } from '#src/web/account/index.ts'
import { type Column, doneIn, momentColumn, noticeFor, renderName, showDays } from '#src/web/page/index.ts'
import { card, statusPill } from '../../console/frame.ts'
import { downloadLinks } from '../../csv.ts'
import { renderPart } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import { facts } from '../../teaching/parts.ts'
import { actForms } from './act-forms.ts'
import type { ChangeShown, PeriodShown } from './shown.ts'
import { accessText, type SubscriptionView } from './view.ts'

const { common, one: text } = texts.staff.subscriptions
const { heads } = texts.staff.lists

type View = SubscriptionView

const daysIn = ({ context: { language, viewer } }: View, period: Pick<PeriodShown, 'from' | 'until'>): string =>
  showDays(period, language, viewer)

const { facts: names } = text

const formatMember = ({ subscription: { member }, context: { t } }: Pick<View, 'subscription' | 'context'>): string =>
  isVisible(member.name) ? member.name : t(common.nobody)

const renderFacts = (view: View): Html => {
  const { subscription, context } = view
  const { t, language } = context
  const { price, item, member, status, collection, credit, pause, method, code } = subscription
  const { current_period: period, next_amount: nextAmount, payments_made: paid } = subscription
  const time = (at: string | null | undefined): string | undefined => (at == null ? undefined : context.time(at))
  const money = (amount: number): string => (price === null ? '' : context.money(amount, price.currency))
  const saved =
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
    [t(names.member), html`<a href="/staff/people/${member.id}"><bdi>${formatMember(view)}</bdi></a>`],
    [t(names.item), `${item.name} (${t(common.itemTypes[item.type])})`],
    [t(texts.words.price), price === null ? t(common.free) : termsText(price, language)],
    [t(names.collection), t(common.collections[collection])],
    [t(texts.words.card), saved || undefined],
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

const periodColumns = (view: View): Column<PeriodShown>[] => {
  const { t, money } = view.context
  const name = (period: PeriodShown): string => t(text.periodOf, { number: period.number, days: daysIn(view, period) })
  return [
    {
      name: names.period,
      kind: 'main',
      cell: period =>
        period.order_id === null ? name(period) : renderName(`/staff/orders/${period.order_id}`, name(period)),
    },
    {
      name: texts.words.status,
      cell: ({ state, attempts }) =>
        html`${statusPill(t(common.periodStates[state]), state)}${attempts > 1 && html`<small class="sub">${t(text.attempts, { n: attempts })}</small>`}`,
    },
    { name: texts.words.amount, kind: 'num c-lead', cell: ({ amount, currency }) => money(amount, currency) },
  ]
}

const renderPeriods = (view: View): Html => {
  const { periods, subscription, context } = view
  const { t } = context
  const csv = downloadLinks('listSubscriptionPeriods', context, [['subscription_id', subscription.id]])
  return renderPart(context, {
    id: 'periods',
    title: t(text.periods),
    columns: periodColumns(view),
    rows: periods,
    none: t(text.noPeriods),
    below: periods.length > 0 && html`${periods.length === 100 && html`<p>${t(text.morePeriods)}</p>`}${csv}`,
  })
}

const renderChanges = ({ changes, subscription, context }: View): Html => {
  const { t } = context
  const said: Readonly<Record<string, Phrase>> = text.changeNames
  const columns: Column<ChangeShown>[] = [
    {
      name: heads.change,
      kind: 'main',
      cell: ({ type }) =>
        said[type] === undefined ? html`<span lang="en">${type.replaceAll('_', ' ')}</span>` : t(said[type]),
    },
    momentColumn(context, { name: texts.words.date, at: ({ created_at }) => created_at }),
    {
      name: heads.reason,
      cell: ({ by: person, client_id: app }) => html`<bdi>${person?.name ?? app ?? t(text.byNobody)}</bdi>`,
    },
  ]
  return renderPart(context, {
    id: 'changes',
    title: t(text.changes),
    columns,
    rows: changes,
    none: t(text.noChanges),
    below:
      changes.length > 0 && downloadLinks('listSubscriptionChanges', context, [['subscription_id', subscription.id]]),
  })
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
    badge: statusPill(t(common.statuses[subscription.status]), subscription.status),
    lead: formatMember(view),
    isWide: true,
    hasCards: true,
    body: html`<div class="split">
<div class="stack">${renderPeriods(view)}${renderChanges(view)}${
      credits.length > 0 && html`<section class="card">${creditList(credits, { currency, language, person })}</section>`
    }</div>
<div class="stack">${card(t(texts.words.details), renderFacts(view))}${forms}</div>
</div>`,
  })
}
