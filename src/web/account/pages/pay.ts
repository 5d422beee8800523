import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { redirectingPageHeaders } from '#src/kit/html-page.ts'
import type { Method } from '../methods.ts'
import { formOf, framed, type Notice } from './frame.ts'
import { orderPath, testNote } from './order.ts'
import { type OwnOrder, statusAbout } from './order-status.ts'
import { amountIn, tableOf } from './order-sums.ts'
import { orderTable } from './order-table.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const text = {
  title: say('Pay order {number}', 'Pagar a encomenda {number}'),
  ways: say('How would you like to pay?', 'Como gostaria de pagar?'),
  none: say(
    'The school accepts no payments at the moment. Your order stays as it is; ask the school.',
    'De momento a escola não aceita pagamentos. A sua encomenda fica como está; fale com a escola.',
  ),
  chosen: say(
    'You chose to pay by transfer. See the instructions on the page of the order, or choose another way here.',
    'Escolheu pagar por transferência. Veja as instruções na página da encomenda, ou escolha aqui outra forma.',
  ),
  setUp: say(
    'Nothing is charged now. Give a card, which is charged when your free days are over, unless you cancel before.',
    'Agora não é cobrado nada. Indique um cartão, que é cobrado quando terminarem os dias grátis, se não cancelar antes.',
  ),
  setUpButton: {
    stripe: say('Give a card', 'Indicar um cartão'),
    test: say('Give a TEST card', 'Indicar um cartão de TESTE'),
  },
  back: say('To the order', 'Para a encomenda'),
  methods: {
    transfer: {
      name: say('Bank transfer', 'Transferência bancária'),
      about: say(
        'You see the account and the reference on the next page. Everything is kept for you for {days} days.',
        'Na página seguinte vê a conta e a referência. Tudo fica guardado para si durante {days} dias.',
      ),
      button: say('Pay {amount} by bank transfer', 'Pagar {amount} por transferência'),
    },
    school: {
      name: say('Pay the school', 'Pagar à escola'),
      about: say(
        'The school says how on the next page. Everything is kept for you for {days} days.',
        'A escola diz como na página seguinte. Tudo fica guardado para si durante {days} dias.',
      ),
      button: say('Pay {amount} to the school', 'Pagar {amount} à escola'),
    },
    stripe: {
      name: say('Card and more', 'Cartão e outros'),
      about: say('You pay on a page of Stripe and come back here.', 'Paga numa página da Stripe e volta aqui.'),
      button: say('Pay {amount}', 'Pagar {amount}'),
    },
    test: {
      name: say('TEST payment', 'Pagamento de TESTE'),
      about: say(
        'TEST: no money moves. You decide on the next page how the payment ends.',
        'TESTE: nenhum dinheiro é movido. Na página seguinte decide como termina o pagamento.',
      ),
      button: say('Pay {amount} as a TEST', 'Pagar {amount} como TESTE'),
    },
  },
} as const

const refusals: Readonly<Record<string, Phrase>> = {
  provider_unavailable: say(
    'The payment page does not answer at the moment. Nothing was charged and your order stays as it is. Try again in a few seconds.',
    'A página de pagamento não responde de momento. Nada foi cobrado e a sua encomenda fica como está. Tente de novo dentro de alguns segundos.',
  ),
  provider_not_usable: say(
    'The school does not accept payments in this way any more. Choose another one.',
    'A escola já não aceita pagamentos desta forma. Escolha outra.',
  ),
  amount_not_chargeable: say(
    'This amount cannot be paid in this way. Choose another one.',
    'Este valor não pode ser pago desta forma. Escolha outra.',
  ),
  sold_out: say(
    'Something in this order is sold out by now, so it cannot be paid any more.',
    'Algo nesta encomenda esgotou entretanto, por isso já não pode ser paga.',
  ),
  code_refused: say(
    'The code of this order cannot be used any more, so it cannot be paid at this price.',
    'O código desta encomenda já não pode ser usado, por isso já não pode ser paga a este preço.',
  ),
  invalid_state: say(
    'The payment page has ended. Nothing was charged. Try again in a few seconds.',
    'A página de pagamento terminou. Nada foi cobrado. Tente de novo dentro de alguns segundos.',
  ),
}

const notNow = say(
  'The order cannot be paid in this way now. Nothing was charged. Try again, or ask the school.',
  'A encomenda não pode ser paga desta forma agora. Nada foi cobrado. Tente de novo ou fale com a escola.',
)

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
  const amount = amountIn(due, order.currency, language)
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
    }${order.total === 0 && html`<p>${fill(text.setUp, language)}</p>\n`}${orderTable(tableOf(order, { language, timeZone: person.timeZone ?? 'UTC' }))}
${methodsPart(view)}
<p class="quiet"><a href="${orderPath(order)}">${fill(text.back, language)}</a></p>`,
  })
  const policy = 'content-security-policy'
  return {
    ...reply,
    headers: { ...reply.headers, ...refusal?.extras.headers, [policy]: redirectingPageHeaders[policy] ?? '' },
  }
}
