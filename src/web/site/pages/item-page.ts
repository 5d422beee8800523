import { type Html, html } from '#src/kit/html.ts'

type ItemPage = {
  readonly head: Html
  readonly offer: Html
  readonly body: readonly (Html | false)[]
  readonly bar?: Html | false | undefined
}

/** The content of the page of one course, product, plan or event: its name, then what it costs, then the rest. */
export const itemPage = ({ head, offer, body, bar = false }: ItemPage): Html => html`<div class="wrap course-grid">
${head}
${offer}
<div class="course-body">
${body.map(part => part !== false && html`${part}\n`)}</div>
</div>
${bar}`

type Action = {
  readonly path: string
  readonly name: string
  readonly main: Html | string
  readonly about?: Html | string | undefined
}

/** The main action of such a page, which stays at the foot of the window of a phone. */
export const stickyBar = ({ path, name, main, about = '' }: Action): Html =>
  html`<nav class="buy-bar" aria-label="${name}"><p><strong>${main}</strong>${about !== '' && html`<span class="fact">${about}</span>`}</p>
<a class="button main" href="${path}">${name}</a></nav>`
