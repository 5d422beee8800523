import { Course } from '#src/areas/courses/index.ts'
import { Subscription } from '#src/areas/memberships/index.ts'
import { InvoicePage } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { findAppName, hasPassword } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  chooseZone,
  doneIn,
  form,
  hidden,
  type Notice,
  orNothing,
  page,
  readDone,
  redirect,
  showEnd,
  shownAgain,
} from '#src/web/page/index.ts'
import { boughtPart } from './bought.ts'
import { documentsPart, refundsPart } from './documents.ts'
import { nextPart, readNext } from './next.ts'
import { askProviders, buyer, isWaiting, type OrderContext, openPayment, orderPath, readAgain } from './own.ts'
import { findFreeKind, statusAbout, statusName, testNote } from './status.ts'
import { buildTable } from './sums.ts'
import { orderTable } from './table.ts'
import { transferPart } from './transfer.ts'

const { apps, order: text } = texts.account

// How often a page looks again by itself, and after how many seconds.
const MOST_LOOKS = 20
const SECONDS = 3

// Whether a provider may answer at any moment; a transfer takes days, and its mail says that it arrived.
const isAsked = (order: OrderContext['order']): boolean =>
  isWaiting(order) && (openPayment(order)?.provider ?? 'manual') !== 'manual'

// How often the page has looked again; undefined where it does not any more.
const countLooks = ({ query, order }: OrderContext): number | undefined => {
  const typed = query.get('again') ?? ''
  const count = /^\d{1,2}$/.test(typed) ? Number(typed) : 0
  return isAsked(order) && count < MOST_LOOKS ? count : undefined
}

// The slugs of the courses in it that have a page for learners, by their ids.
const readCourses = async ({ call, order }: OrderContext): Promise<ReadonlyMap<string, string>> => {
  const { lines, paid_at: paidAt } = order
  const ids = paidAt === null ? [] : lines.flatMap(({ item }) => (item.type === 'course' ? [item.id] : []))
  const courses = await Promise.all(
    [...new Set(ids)].map(id =>
      orNothing(call({ operation: 'getCourse', params: { course_id: id }, returns: Course })),
    ),
  )
  return new Map(courses.flatMap(course => (course === undefined ? [] : [[course.id, course.slug] as const])))
}

const readDocuments = async ({ call, order: { id, paid_at: paidAt } }: OrderContext) => {
  if (paidAt === null) return []
  const params = { order_id: id }
  return (await orNothing(call({ operation: 'listAccountOrderInvoices', params, returns: InvoicePage })))?.data ?? []
}

// When the free days end of the subscription that an order began.
const readTrialEnd = async ({ call, order }: OrderContext): Promise<string | undefined> => {
  if (findFreeKind(order) !== 'trial' || order.subscription_id === null) return undefined
  const params = { subscription_id: order.subscription_id }
  const found = await orNothing(call({ operation: 'getAccountSubscription', params, returns: Subscription }))
  return found?.trial_end ?? undefined
}

// The name of the app that asked for it, which is empty where the app has none; and whether the buyer has a password.
const readBuyer = ({ request, school, viewer, order }: OrderContext) => {
  const { client_id: clientId } = order.source
  return request.database.statements(school.id, db =>
    Promise.all([
      clientId === null ? undefined : findAppName(db, school.id, clientId),
      hasPassword(db, school.id, viewer.id),
    ]),
  )
}

const payLink = ({ order, t, money }: OrderContext, isTransfer: boolean): Html | false => {
  if (order.status !== 'pending' && order.status !== 'failed') return false
  const isFirst = order.status === 'pending' && !isTransfer && openPayment(order) === undefined
  const label = isFirst
    ? t(text.pay, { amount: money(order.total, order.currency) })
    : t(isTransfer ? text.payOther : text.payAgain)
  return html`<p class="buttons"><a class="button${!isTransfer && ' main'}" href="${orderPath(order)}/pay">${label}</a></p>
`
}

const againPart = ({ order, t }: OrderContext, looks: number | undefined): Html | false => {
  if (!isAsked(order)) return false
  return looks === undefined
    ? html`<p class="buttons"><a class="button" href="${orderPath(order)}">${t(text.lookAgain)}</a></p>\n`
    : html`<p class="quiet">${t(text.again)}</p>\n`
}

const ended = ['expired', 'canceled', 'refunded']

const trialPart = (end: string | undefined, { order, t, language, viewer }: OrderContext): Html | false =>
  end !== undefined &&
  html`<p>${t(text.about.trial, { until: showEnd(end, language, viewer) })} <a href="/account/subscriptions/${order.subscription_id ?? ''}">${t(text.about.toSubscription)}</a></p>\n`

const billedTo = ({ order: { billing }, t, language }: OrderContext): Html => {
  const { name, company, address, country, tax_id: taxId } = billing
  const place = [address?.postal_code, address?.city].filter(part => part != null).join(' ')
  const named = country === null ? null : new Intl.DisplayNames([language], { type: 'region' }).of(country)
  const lines = [company, name, address?.line1, address?.line2, place, address?.region, named]
  const shown = lines.filter(line => line != null && line !== '')
  return html`${shown.map(line => html`<bdi class="line">${line ?? ''}</bdi>`)}${
    taxId !== null && html`<span class="line">${t(text.taxId, { id: taxId })}</span>`
  }`
}

const formatCard = ({ order: { payments }, t }: OrderContext): string | undefined => {
  const paid = payments.findLast(({ state, last4 }) => state === 'succeeded' && last4 !== null)
  if (paid?.provider === 'test') return t(text.testPayment)
  return paid && t(texts.words.cardEndingIn, { brand: paid.brand ?? '', last4: paid.last4 ?? '' })
}

const detailsPart = (context: OrderContext, app: string | undefined): Html => {
  const { order, t, day, time } = context
  const { created_at: at, paid_at: paidAt, total } = order
  const change = html`<a href="${orderPath(order)}/billing">${t(text.change)}</a>`
  const entry = (label: string, value: Html | string): Html => html`<dt>${label}</dt><dd>${value}</dd>
`
  const card = formatCard(context)
  return html`<h2>${t(texts.words.details)}</h2>
<dl>
${entry(t(text.placed), time(at))}${paidAt !== null && total > 0 && entry(t(texts.words.paidOn), day(paidAt))}${
  card !== undefined && entry(t(text.paidWith), card)
}${app !== undefined && entry(t(text.app), html`<bdi>${app === '' ? t(apps.unnamed) : app}</bdi>`)}${entry(t(texts.words.billedTo), html`${billedTo(context)}${order.status === 'pending' && change}`)}</dl>`
}

const cancelPart = ({ order, t, form }: OrderContext): Html | false =>
  order.status === 'pending' &&
  html`<details class="cancel">
<summary>${t(text.cancel)}</summary>
${form(
  html`${hidden({ act: 'cancel' })}<p>${t(text.cancelAbout)}</p>
<div class="buttons"><button type="submit">${t(texts.words.cancelOrder)}</button></div>`,
  orderPath(order),
)}
</details>
`

// What was done before the page was shown, or that the page of the provider did not open.
const noticeIn = ({ request, language, t }: OrderContext): Notice | undefined =>
  readDone(request) === 'unavailable'
    ? { kind: 'refused', text: t(texts.account.pay.refusals.provider_unavailable) }
    : doneIn(text.done, readDone(request), language)

const show = async (context: OrderContext, isRefused = false): Promise<Reply> => {
  const { order, t, frame, language, viewer } = context
  const [courses, documents, trialEnd, transfer, [app, hasOne]] = await Promise.all([
    readCourses(context),
    readDocuments(context),
    readTrialEnd(context),
    transferPart(context),
    readBuyer(context),
  ])
  const next = await readNext(context, courses)
  const looks = isRefused ? undefined : countLooks(context)
  const isOpen = order.paid_at !== null && !ended.includes(order.status)
  return frame({
    title: t(text.one, { number: order.number }),
    ...(isRefused
      ? { notice: { kind: 'refused', text: t(text.refused) }, status: 409 }
      : { notice: noticeIn(context), status: 200 }),
    // As <meta http-equiv="refresh">; relative, since on loopback the page is below the path of its session.
    ...(looks !== undefined && { headers: { refresh: `${SECONDS}; url=?again=${looks + 1}` } }),
    body: html`${testNote(context)}<section class="card state" aria-labelledby="state">
<h2 id="state">${statusName(order, context)}</h2>
${trialPart(trialEnd, context)}${statusAbout(context).map(sentence => html`<p>${sentence}</p>\n`)}${payLink(context, transfer !== false)}${againPart(context, looks)}${
  ended.includes(order.status) && html`<p><a href="/courses">${t(text.buyAgain)}</a></p>\n`
}</section>
${transfer}
${boughtPart(courses, context)}
${isOpen && nextPart(next, { hasPassword: hasOne }, context)}
<h2>${t(text.summary)}</h2>
${orderTable(buildTable(order, { language, timeZone: chooseZone(viewer) }))}
${documentsPart(documents, context)}
${refundsPart(context)}
${detailsPart(context, app)}
${cancelPart(context)}
<p class="quiet"><a href="/account/orders">${t(text.back)}</a></p>`,
  })
}

/** GET /account/orders/:number: where an order is, what to do next, what it gave and what it cost. */
export const orderPage = page('GET /account/orders/:number', buyer, async context =>
  // What the page says comes from our own books, whatever the query of the address says.
  show(await askProviders(context)),
)

/** The same, and POST /account/orders/:number, which cancels it. */
export const orderPages = [
  orderPage,
  form('POST /account/orders/:number', buyer, async (context, typed) => {
    const path = orderPath(context.order)
    if (formField(typed, 'act') !== 'cancel') return redirect(path)
    return shownAgain(
      async () => {
        await context.call({ operation: 'cancelAccountOrder', params: { order_id: context.order.id } })
        return `${path}?done=canceled`
      },
      async () => show(await readAgain(context), true),
    )
  }),
]
