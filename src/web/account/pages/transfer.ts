import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { showIban } from '#src/kit/iban.ts'
import { texts } from '#src/texts/index.ts'

const text = texts.account.transfer

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
