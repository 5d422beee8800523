import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, doneIn, endOf, formOf, framed, type Notice, timeOf, zoneOf } from '#src/web/page/index.ts'
import { appsText } from './apps-text.ts'
import { boughtPart } from './order-bought.ts'
import { documentsPart, type OwnDocument, refundsPart } from './order-documents.ts'
import { isTestOrder, isWaiting, type OwnOrder, openPayment, statusAbout, statusName } from './order-status.ts'
import { tableOf } from './order-sums.ts'
import { orderTable } from './order-table.ts'
import { orderText as text } from './order-text.ts'
import { type TransferView, transferCard } from './transfer.ts'

/** The page of an order. */
export type OrderView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly token: string
  readonly order: OwnOrder
  /** The slugs of the courses in it that have a page for learners, by their ids. */
  readonly courses: ReadonlyMap<string, string>
  readonly documents: readonly OwnDocument[]
  /** When the free days end that the order began; undefined where it began none. */
  readonly trialEnd: string | undefined
  /** What to transfer, when that is how the order is paid. */
  readonly transfer: TransferView | undefined
  /** The name of the app that asked for it; empty where the app has none. */
  readonly app: string | undefined
  readonly hasPassword: boolean
  /** How often the page has looked again by itself, and after how many seconds it does so; unset: not again. */
  readonly refresh: { readonly count: number; readonly seconds: number } | undefined
  /** The action that was just done, from the query. */
  readonly done: string
  readonly isRefused: boolean
}

/** The address of the page of an order. */
export const orderPath = ({ number }: Pick<OwnOrder, 'number'>): string => `/account/orders/${number}`

/** Says that an order is about test payments. */
export const testNote = (order: OwnOrder, language: Language): Html | false =>
  isTestOrder(order) && html`<p class="test-note"><strong>${fill(text.testNote, language)}</strong></p>\n`

const payLink = (view: OrderView): Html | false => {
  const { order, language, transfer } = view
  if (order.status !== 'pending' && order.status !== 'failed') return false
  const amount = formatMoney(order.total, order.currency, language)
  const isFirst = order.status === 'pending' && transfer === undefined && openPayment(order) === undefined
  const label = isFirst
    ? fill(text.pay, language, { amount })
    : fill(transfer === undefined ? text.payAgain : text.payOther, language)
  return html`<p class="buttons"><a class="button${transfer === undefined && ' main'}" href="${orderPath(order)}/pay">${label}</a></p>
`
}

const againPart = ({ order, language, refresh }: OrderView): Html | false => {
  if (!isWaiting(order) || openPayment(order) === undefined) return false
  return refresh === undefined
    ? html`<p class="buttons"><a class="button" href="${orderPath(order)}">${fill(text.lookAgain, language)}</a></p>\n`
    : html`<p class="quiet">${fill(text.again, language)}</p>\n`
}

const ended = ['expired', 'canceled', 'refunded']

const statusPart = (view: OrderView): Html => {
  const { order, language, person, trialEnd } = view
  const trial = trialEnd && fill(text.about.trial, language, { until: endOf(trialEnd, language, person) })
  return html`<section class="card state" aria-labelledby="state">
<h2 id="state">${statusName(order, language)}</h2>
${trial !== undefined && html`<p>${trial} <a href="/account/subscriptions/${order.subscription_id ?? ''}">${fill(text.about.toSubscription, language)}</a></p>\n`}${statusAbout(order, { language, person }).map(sentence => html`<p>${sentence}</p>\n`)}${payLink(view)}${againPart(view)}${
  ended.includes(order.status) && html`<p><a href="/courses">${fill(text.buyAgain, language)}</a></p>\n`
}</section>`
}

const passwordPart = ({ order, hasPassword, language }: OrderView): Html | false =>
  !hasPassword &&
  order.paid_at !== null &&
  html`<section class="card">
<p>${fill(text.password, language)}</p>
<p class="buttons"><a class="button" href="/account/reset">${fill(text.choosePassword, language)}</a></p>
</section>
`

const summaryPart = ({ order, language, person }: OrderView): Html => html`<h2>${fill(text.summary, language)}</h2>
${orderTable(tableOf(order, { language, timeZone: zoneOf(person) }))}`

const billedTo = ({ billing }: OwnOrder, language: Language): Html => {
  const { name, company, address, country, tax_id: taxId } = billing
  const place = [address?.postal_code, address?.city].filter(part => part != null).join(' ')
  const named = country === null ? null : new Intl.DisplayNames([language], { type: 'region' }).of(country)
  const lines = [company, name, address?.line1, address?.line2, place, address?.region, named]
  const shown = lines.filter(line => line != null && line !== '')
  return html`${shown.map(line => html`<bdi class="line">${line ?? ''}</bdi>`)}${
    taxId !== null && html`<span class="line">${fill(text.taxId, language, { id: taxId })}</span>`
  }`
}

const cardOf = ({ payments }: OwnOrder, language: Language): string | undefined => {
  const paid = payments.findLast(({ state, last4 }) => state === 'succeeded' && last4 !== null)
  if (paid?.provider === 'test') return fill(text.testPayment, language)
  return paid && fill(text.ending, language, { brand: paid.brand ?? '', last4: paid.last4 ?? '' })
}

const entry = (label: string, value: Html): Html => html`<dt>${label}</dt><dd>${value}</dd>
`

const detailsPart = ({ order, language, person, app }: OrderView): Html => {
  const { created_at: at, paid_at: paidAt } = order
  const card = cardOf(order, language)
  const change = html`<a href="${orderPath(order)}/billing">${fill(text.change, language)}</a>`
  return html`<h2>${fill(text.details, language)}</h2>
<dl>
${entry(fill(text.placed, language), html`${timeOf(new Date(at), language, person)}`)}${
  paidAt !== null &&
  order.total > 0 &&
  entry(fill(text.paidOn, language), html`${dayOf(new Date(paidAt), language, person)}`)
}${card !== undefined && entry(fill(text.paidWith, language), html`${card}`)}${
  app !== undefined &&
  entry(fill(text.app, language), html`<bdi>${app === '' ? fill(appsText.unnamed, language) : app}</bdi>`)
}${entry(fill(text.billedTo, language), html`${billedTo(order, language)}${order.status === 'pending' && change}`)}</dl>`
}

const cancelPart = ({ order, language, token }: OrderView): Html | false =>
  order.status === 'pending' &&
  html`<details class="cancel">
<summary>${fill(text.cancel, language)}</summary>
${formOf(
  orderPath(order),
  token,
  html`<input type="hidden" name="act" value="cancel">
<p>${fill(text.cancelAbout, language)}</p>
<div class="buttons"><button type="submit">${fill(text.cancelButton, language)}</button></div>`,
)}
</details>
`

const noticeOf = ({ isRefused, done, language }: OrderView): Notice | undefined =>
  isRefused ? { kind: 'refused', text: fill(text.refused, language) } : doneIn(text.done, done, language)

// As <meta http-equiv="refresh">; relative, since on loopback the page is below the path of its session.
const refreshOf = ({ refresh }: OrderView): Record<string, string> =>
  refresh === undefined ? {} : { refresh: `${refresh.seconds}; url=?again=${refresh.count + 1}` }

/** One order of a person: where it is, what to do next, what it gave and what it cost. */
export const orderPage = (view: OrderView): Reply => {
  const { school, language, order, isRefused, transfer } = view
  const reply = framed({
    ...{ language, school, notice: noticeOf(view) },
    ...(isRefused ? { status: 409 } : {}),
    title: fill(text.one, language, { number: order.number }),
    body: html`${testNote(order, language)}${statusPart(view)}
${transfer !== undefined && transferCard(transfer)}
${boughtPart(view)}
${passwordPart(view)}
${summaryPart(view)}
${documentsPart(view)}
${refundsPart(view)}
${detailsPart(view)}
${cancelPart(view)}
<p class="quiet"><a href="/account/orders">${fill(text.back, language)}</a></p>`,
  })
  return { ...reply, headers: { ...reply.headers, ...refreshOf(view) } }
}

/** The page for a number that none of a person's orders has. */
export const missingOrderPage = ({
  school,
  language,
  person,
  token,
}: Pick<OrderView, 'school' | 'language' | 'person' | 'token'>): Reply => {
  const { missing } = text
  const button = html`<div class="buttons"><button type="submit">${fill(missing.button, language)}</button></div>`
  return framed({
    ...{ language, school, status: 404 },
    title: fill(missing.title, language),
    body: html`<p>${fill(missing.text, language, { name: person.name, email: person.email })}</p>
<p>${fill(missing.other, language)}</p>
${formOf('/account/sign-out', token, button)}
<p class="quiet"><a href="/account/orders">${fill(text.back, language)}</a></p>`,
  })
}
