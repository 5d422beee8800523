import { listUsableProviders } from '#src/areas/school/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { showIban } from '#src/kit/iban.ts'
import { texts } from '#src/texts/index.ts'
import { type OrderContext, openPayment } from './own.ts'

const { transfer: text } = texts.account

// Without spaces in the text, so that banks accept what is copied.
const groups = (iban: string): Html =>
  html`<span class="copy iban">${showIban(iban)
    .split(' ')
    .map(group => html`<span>${group}</span>`)}</span>`

/** How to pay an order by bank transfer or in person, where that is how it is paid. */
export const transferPart = async ({ order, request, school, t, money, time }: OrderContext): Promise<Html | false> => {
  const { expires_at: until, number, total, paid_total: paid, currency } = order
  if (order.status !== 'pending' || until === null || openPayment(order)?.provider !== 'manual') return false
  const providers = await request.database.statements(school.id, db => listUsableProviders(db, school))
  const provider = providers.find(({ name }) => name === 'manual')
  if (provider === undefined) return false
  const { account_holder: holder = null, iban = null, text: said = null } = provider.instructions ?? {}
  const paragraphs = (said ?? '').split(/\n{2,}/).filter(paragraph => paragraph.trim() !== '')
  const entry = (label: string, value: Html | string): Html => html`<dt>${label}</dt><dd>${value}</dd>
`
  return html`<section class="card transfer" id="transfer">
<h2>${t(iban === null ? texts.words.paySchool : text.title)}</h2>
<p>${t(iban === null ? text.noAccount : text.about)}</p>
${paragraphs.map(paragraph => html`<p class="lines" dir="auto">${paragraph}</p>\n`)}${
  iban === null && paragraphs.length === 0 && html`<p>${t(text.ask)}</p>\n`
}<dl>
${holder !== null && entry(t(texts.words.accountHolder), html`<bdi class="copy">${holder}</bdi>`)}${
  iban !== null && entry(t(texts.words.iban), groups(iban))
}${entry(t(texts.words.reference), html`<span class="copy">${number}</span>`)}${entry(t(texts.words.amount), html`<span class="copy">${money(total - paid, currency)}</span>`)}${entry(t(text.until), time(until))}</dl>
</section>`
}
