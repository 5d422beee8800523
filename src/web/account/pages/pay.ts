import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { redirectingPageHeaders } from '#src/kit/html-page.ts'
import { texts } from '#src/texts/index.ts'
import { formOf, framed, type Notice, zoneOf } from '#src/web/page/index.ts'
import type { Method } from '../methods.ts'
import { orderPath, testNote } from './order.ts'
import { type OwnOrder, statusAbout } from './order-status.ts'
import { tableOf } from './order-sums.ts'
import { orderTable } from './order-table.ts'

const text = texts.account.pay.text

const refusals: Readonly<Record<string, Phrase>> = texts.account.pay.refusals

const notNow = texts.account.pay.notNow

type PayView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly token: string
  readonly order: OwnOrder
  readonly methods: readonly Method[]
  /** The provider of the payment that was begun. */
  readonly chosen: string | undefined
  readonly refusal: Refusal | undefined
}

const wordsOf = ({ name, instructions }: Method) => {
  if (name !== 'manual') return text.methods[name]
  return instructions?.iban == null ? text.methods.school : text.methods.transfer
}

const methodCard = (method: Method, isFirst: boolean, { order, language, token }: PayView): Html => {
  const { name, about, button } = wordsOf(method)
  // A page charges the whole, and what was paid before goes back.
  const due = method.name === 'manual' ? order.total - order.paid_total : order.total
  const amount = formatMoney(due, order.currency, language)
  const isSetUp = order.total === 0 && method.name !== 'manual'
  const label = isSetUp ? fill(text.setUpButton[method.name], language) : fill(button, language, { amount })
  const inside = html`<input type="hidden" name="provider" value="${method.name}">
<div class="buttons"><button${isFirst && html` class="main"`} type="submit">${label}</button></div>`
  return html`<section class="card">
<h3>${fill(name, language)}</h3>
<p class="quiet">${fill(about, language, { days: method.days ?? 0 })}</p>
${formOf(`${orderPath(order)}/pay`, token, inside)}
</section>
`
}

const methodsPart = (view: PayView): Html => {
  const { methods, language } = view
  if (methods.length === 0) return html`<p class="note">${fill(text.none, language)}</p>`
  return html`<h2>${fill(text.ways, language)}</h2>
${methods.map((method, index) => methodCard(method, index === 0, view))}`
}

const noticeOf = ({ refusal, language }: PayView): Notice | undefined =>
  refusal && { kind: 'refused', text: fill(refusals[refusal.problem.code] ?? notNow, language) }

/** The ways to pay an order. Its forms lead to the page of a provider, which is at an origin of its own. */
export const payPage = (view: PayView): Reply => {
  const { school, language, person, order, chosen, refusal } = view
  const reply = framed({
    ...{ language, school, notice: noticeOf(view) },
    ...(refusal === undefined ? {} : { status: refusal.problem.status }),
    title: fill(text.title, language, { number: order.number }),
    body: html`${testNote(order, language)}${statusAbout(order, { language, person }).map(sentence => html`<p>${sentence}</p>\n`)}${
      chosen === 'manual' && html`<p>${fill(text.chosen, language)}</p>\n`
    }${order.total === 0 && html`<p>${fill(text.setUp, language)}</p>\n`}${orderTable(tableOf(order, { language, timeZone: zoneOf(person) }))}
${methodsPart(view)}
<p class="quiet"><a href="${orderPath(order)}">${fill(text.back, language)}</a></p>`,
  })
  const policy = 'content-security-policy'
  return {
    ...reply,
    headers: { ...reply.headers, ...refusal?.extras.headers, [policy]: redirectingPageHeaders[policy] ?? '' },
  }
}
