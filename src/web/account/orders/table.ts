import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'

/** One thing that is bought. Amounts are formatted, with their currency. */
export type OrderTableLine = {
  readonly name: string
  /** Where it is; unset for what has no page. */
  readonly href?: string | undefined
  /** Short facts below the name, such as the quantity or for how long it gives access. */
  readonly details?: readonly string[]
  readonly amount: string
  readonly picture?: Html | undefined
}

/** What is added to the lines or taken off them, such as a code or a tax. */
export type OrderTableSum = {
  readonly label: string
  readonly amount: string
  /** A button that takes it away. */
  readonly action?: Html | undefined
}

/** What is bought and what it costs, of an order or of a quote. */
export type OrderTableView = {
  readonly language: Language
  readonly lines: readonly OrderTableLine[]
  readonly sums: readonly OrderTableSum[]
  readonly total: OrderTableSum
  /** What belongs to the total, such as the tax that it contains. */
  readonly notes?: readonly string[]
}

const lineRow = ({ name, href, details = [], amount, picture }: OrderTableLine): Html => {
  const words = html`${href === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${href}"><bdi>${name}</bdi></a>`}${details.map(detail => html`<span class="quiet">${detail}</span>`)}`
  return html`<tr>
<th scope="row">${picture === undefined ? words : html`<span class="pictured">${picture}<span>${words}</span></span>`}</th>
<td>${amount}</td>
</tr>
`
}

const sumRow = ({ label, amount, action }: OrderTableSum, attributes: Html | '' = ''): Html =>
  html`<tr${attributes}><th scope="row"><bdi>${label}</bdi>${action !== undefined && html` ${action}`}</th><td>${amount}</td></tr>
`

/** The table of what is bought: its lines, what codes and taxes change, and the total. */
export const orderTable = ({
  language,
  lines,
  sums,
  total,
  notes = [],
}: OrderTableView): Html => html`<table class="order">
<thead class="unseen"><tr><th scope="col">${fill(texts.words.item, language)}</th><th scope="col">${fill(texts.words.amount, language)}</th></tr></thead>
<tbody>
${lines.map(lineRow)}</tbody>
<tfoot>
${sums.map(sum => sumRow(sum))}${sumRow(total, html` class="total"`)}</tfoot>
</table>
${notes.map(note => html`<p class="quiet order-note">${note}</p>`)}`
