import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { showIban } from '#src/kit/iban.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const text = {
  title: say('Pay by bank transfer', 'Pagar por transferência bancária'),
  inPerson: say('Pay the school', 'Pagar à escola'),
  about: say(
    'Transfer exactly this amount with this reference. The school confirms the payment when it has arrived, and you get a mail.',
    'Transfira exatamente este valor com esta referência. A escola confirma o pagamento quando ele chegar, e recebe uma mensagem.',
  ),
  noAccount: say(
    'The school confirms your payment when it has received it. Mention this reference.',
    'A escola confirma o seu pagamento quando o receber. Indique esta referência.',
  ),
  ask: say('Ask the school how to pay.', 'Pergunte à escola como pagar.'),
  holder: say('Account holder', 'Titular da conta'),
  iban: say('IBAN', 'IBAN'),
  reference: say('Reference', 'Referência'),
  amount: say('Amount', 'Valor'),
  until: say('Until', 'Até'),
} as const

/** What to transfer, to whom and until when; the amount and the instant are formatted. */
export type TransferView = {
  readonly language: Language
  readonly accountHolder: string | null
  readonly iban: string | null
  /** What the school says, as plain text with lines. */
  readonly text: string | null
  readonly reference: string
  readonly amount: string
  readonly until: string
}

// Without spaces in the text, so that banks accept what is copied.
const groups = (iban: string): Html =>
  html`<span class="copy iban">${showIban(iban)
    .split(' ')
    .map(group => html`<span>${group}</span>`)}</span>`

const entry = (label: string, value: Html): Html => html`<dt>${label}</dt><dd>${value}</dd>
`

/** How to pay an order by bank transfer or in person. */
export const transferCard = (view: TransferView): Html => {
  const { language, accountHolder, iban, reference, amount, until } = view
  const say = (phrase: Phrase): string => fill(phrase, language)
  const paragraphs = (view.text ?? '').split(/\n{2,}/).filter(paragraph => paragraph.trim() !== '')
  return html`<section class="card transfer" id="transfer">
<h2>${say(iban === null ? text.inPerson : text.title)}</h2>
<p>${say(iban === null ? text.noAccount : text.about)}</p>
${paragraphs.map(paragraph => html`<p class="lines" dir="auto">${paragraph}</p>\n`)}${
  iban === null && paragraphs.length === 0 && html`<p>${say(text.ask)}</p>\n`
}<dl>
${accountHolder !== null && entry(say(text.holder), html`<bdi class="copy">${accountHolder}</bdi>`)}${
  iban !== null && entry(say(text.iban), groups(iban))
}${entry(say(text.reference), html`<span class="copy">${reference}</span>`)}${entry(say(text.amount), html`<span class="copy">${amount}</span>`)}${entry(say(text.until), html`${until}`)}</dl>
</section>`
}
