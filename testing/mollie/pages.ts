import { type Html, html } from '#src/kit/html.ts'
import { page } from '#src/kit/html-page.ts'
import type { Action, SavedBehaviour } from '../payment-suite/provider.ts'
import { isPossible } from './actions.ts'
import { buildAmount } from './answers.ts'
import type { BookedPayment } from './books.ts'

const labels = {
  pay: 'Pay',
  decline: 'Have the bank decline',
  decline_finally: 'Have the bank decline for good',
  ask_person: 'Have the bank ask for you',
  authenticate: 'Authenticate',
  take_long: 'Pay by a method that takes days',
  leave: 'Back to the shop',
} as const satisfies Partial<Record<Action['does'], string>>

/** What a buyer can do on the page of a payment. */
type Pressed = keyof typeof labels

const names = Object.keys(labels) as readonly Pressed[]

const behaviours: Record<SavedBehaviour, string> = {
  works: 'A card that works',
  declines: 'A card that is declined later',
  declines_finally: 'A card that expires',
  asks_person: 'A card whose bank asks for you later',
  takes_long: 'A bank account that is debited later',
}

// After these the buyer is done on the page.
const leaving: readonly Pressed[] = ['pay', 'authenticate', 'take_long', 'decline', 'decline_finally']

const choice = (payment: BookedPayment): Html | false =>
  payment.sequenceType === 'first' &&
  html`<p><label for="saves">Pay with</label> <select id="saves" name="saves">${Object.entries(behaviours).map(
    ([name, label]) => html`<option value="${name}">${label}</option>`,
  )}</select></p>
`

/** The page on which a payment is paid. */
export const renderPayment = (payment: BookedPayment): string => {
  const { value, currency } = buildAmount(payment.amount, payment.currency)
  return page({
    lang: 'en',
    title: 'Mollie',
    brand: { name: 'Mollie', look: null },
    body: html`<h1>Mollie</h1>
<p>${payment.description}: ${value} ${currency}</p>
<p role="status">${payment.asksPerson ? 'Your bank asks you to authenticate.' : payment.status}</p>
<form method="post" action="/checkout/${payment.id}">
${choice(payment)}${names
  .filter(name => isPossible(payment, name))
  .map(
    name => html`<p><button type="submit" name="action" value="${name}">${labels[name]}</button></p>
`,
  )}</form>`,
  })
}

/** What was pressed on the page; undefined when that is no button of it. */
export const readPressed = (form: URLSearchParams): Action | undefined => {
  const does = names.find(name => name === form.get('action'))
  const saves = (Object.keys(behaviours) as SavedBehaviour[]).find(name => name === form.get('saves'))
  if (does === undefined) return undefined
  return (does === 'pay' || does === 'take_long') && saves !== undefined ? { does, saves } : { does }
}

/** Where the buyer goes after an action; undefined: the page stays. */
export const findTarget = ({ redirectUrl, cancelUrl }: BookedPayment, { does }: Action): string | undefined => {
  if (does === 'leave') return cancelUrl ?? redirectUrl ?? undefined
  return leaving.some(name => name === does) ? (redirectUrl ?? undefined) : undefined
}
