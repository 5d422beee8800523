import { paymentMode } from '#src/areas/school/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, languageFor, type Phrase } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, invalidState, notFound } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { page, pageHeaders } from '#src/kit/html-page.ts'
import { isStorable } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { findByRef, readClock, type TestRow } from './queries.ts'
import { actionsAt, computeStage, type TestAction, testActions, testCards } from './rules.ts'
import { actOn } from './writes.ts'

const { words, stage: stages, action: actions, saving, card: cards } = texts.shop.testPayments

// The labels of the buttons on a page that only saves a card.
const savings: Readonly<Partial<Record<TestAction, Phrase>>> = saving

const nothingHere = (): Refusal =>
  new Refusal(notFound, texts.shop.testPayments.operations.nothingHere.thereIsNoSuchTest)

type Shown = { readonly row: TestRow; readonly now: Date }

const readRow = async ({ database, school, params }: EndpointRequest): Promise<Shown> => {
  const { ref = '' } = params
  if (paymentMode(school) !== 'test' || !isStorable(ref)) throw nothingHere()
  return database.statements(school.id, async db => {
    const [row, now] = await Promise.all([findByRef(db, school.id, ref), readClock(db)])
    // Without a page there is nothing to show: a saved method was charged.
    if (row === undefined || row.page === null) throw nothingHere()
    return { row, now }
  })
}

const button = ({ amount }: TestRow, action: TestAction, language: Language): Html => {
  const text = (amount === 0 ? savings[action] : undefined) ?? actions[action]
  return html`<p><button type="submit" name="action" value="${action}">${fill(text, language)}</button></p>
`
}

const cardChoice = (language: Language): Html => html`<p><label for="card">${fill(words.card, language)}</label>
<select id="card" name="card">
${testCards.map(
  card => html`<option value="${card}">${fill(cards[card], language)}</option>
`,
)}</select></p>
`

const chooseNote = ({ is_late, failure, state }: TestRow): Phrase | undefined => {
  if (state !== 'open') return undefined
  if (is_late) return words.late
  return failure === null ? undefined : words.declined
}

const renderBody = ({ row, now }: Shown, schoolName: string, language: Language): Html => {
  const say = (phrase: Phrase, values = {}): string => fill(phrase, language, values)
  const stage = computeStage(row, now)
  const note = chooseNote(row)
  return html`<h1>${say(words.title)}</h1>
<p role="status">${say(words.notice)}</p>
<dl>
<dt>${say(words.amount)}</dt><dd>${row.amount === 0 ? say(words.nothing) : formatMoney(row.amount, row.currency, language)}</dd>
<dt>${say(words.order)}</dt><dd>${row.page?.reference}</dd>
<dt>${say(words.for)}</dt><dd dir="auto">${row.page?.description}</dd>
</dl>
<p>${say(stages[stage])}</p>
${note !== undefined && html`<p>${say(note)}</p>`}
<form method="post" action="/test-payments/${row.ref}">
${row.saves && stage === 'open' && cardChoice(language)}${actionsAt(row, now).map(action => button(row, action, language))}</form>
<p><a href="${stage === 'open' || stage === 'person' ? row.page?.cancelUrl : row.page?.returnUrl}">${say(words.back, { school: schoolName })}</a></p>`
}

const show = async (request: EndpointRequest): Promise<Reply> => {
  const { school } = request
  const shown = await readRow(request)
  const language = languageFor(request)
  return {
    status: 200,
    headers: {
      ...pageHeaders,
      'content-language': language,
      vary: 'Accept-Language, Cookie',
      'x-robots-tag': 'noindex',
    },
    body: page({
      lang: language,
      title: fill(words.title, language),
      brand: { name: school.name, look: school.look },
      body: renderBody(shown, school.name, language),
    }),
  }
}

// After these the buyer is done and returns to the shop; otherwise the page goes on.
const returning: readonly TestAction[] = ['pay', 'pay_twice', 'authenticate', 'take_long', 'decline_finally']

const submit = async (request: EndpointRequest): Promise<Reply> => {
  const { row } = await readRow(request)
  const form = await request.form()
  const action = testActions.find(name => name === formField(form, 'action'))
  if (action === undefined) throw new Refusal(invalidRequest, 'The form has no valid action.')
  const typed = formField(form, 'card')
  const after = await actOn(
    request,
    row.ref,
    action,
    testCards.find(name => name === typed),
  )
  if (after === undefined) throw nothingHere()
  if (after === 'refused')
    throw new Refusal(invalidState, texts.shop.testPayments.operations.submit.thisIsNotPossibleAny)
  const isBack = returning.includes(action) && row.state === 'open'
  const location = isBack ? (row.page?.returnUrl ?? '/') : `/test-payments/${row.ref}`
  return { status: 303, headers: { location, 'cache-control': 'no-store' } }
}

/** The page on which test payments are paid, in the place of the page of a provider. */
export const testPaymentPages: readonly Endpoint[] = [
  endpoint({ route: 'GET /test-payments/:ref', handle: show }),
  endpoint({ route: 'POST /test-payments/:ref', handle: submit }),
]
