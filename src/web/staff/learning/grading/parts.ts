import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, type Framed, readDone } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { personName } from '../../teaching/names.ts'
import { gradingText as text } from './text.ts'
import type { Neighbours } from './waiting.ts'

const { keys } = texts.staff.grading

/** The id of the form that grades. */
export const FORM = 'grade'

/** Leads to the page of somebody, by the name that staff know them by. */
export const linkPerson = (person: { readonly id: string; readonly name: string }, context: TeacherContext): Html =>
  html`<a href="/staff/people/${person.id}">${personName(person, context)}</a>`

type Quoted = {
  /** The id of the element with what the student wrote. */
  readonly from: string
  /** The name of the field that gets it as a quotation. */
  readonly into: string
  readonly label: string
}

/** Puts what the student wrote into the feedback; the module `grading` takes what is selected of it, and sends nothing. */
export const quoteButton = ({ from, into, label }: Quoted): Html =>
  html`<button class="small quote" type="submit" name="put" value="${into}" data-quote="${from}" formnovalidate>${label}</button>`

/** What Enter in a field presses: the first button of a form, wherever the visible one stands. */
export const enterButton = html`<button class="unseen" type="submit" name="act" value="save_next" tabindex="-1" aria-hidden="true"></button>\n`

/** The buttons that decide; the first one goes on with what waits next. */
export const decideButtons = ({ t }: TeacherContext, { next }: Neighbours, mayReturn: boolean): Html =>
  html`<button class="main" type="submit" name="act" value="save_next" aria-keyshortcuts="Control+Enter">${t(next === undefined ? text.save : text.saveNext)}</button>
${next !== undefined && html`<button type="submit" name="act" value="save">${t(text.save)}</button>\n`}${mayReturn && html`<button type="submit" name="act" value="return">${t(text.returnIt)}</button>`}`

/** Leads to what waits before and after it. */
export const linkNeighbours = ({ t }: TeacherContext, { previous, next }: Neighbours): Html | undefined => {
  if (next === undefined) return undefined
  return html`${previous !== undefined && html`<a class="button" href="${previous}" rel="prev">${t(text.previous)}</a>\n`}<a class="button" href="${next}" rel="next">${t(text.skip)}</a>`
}

type Key = keyof typeof keys.each

const named: Readonly<Record<Key, readonly string[]>> = {
  next: ['J'],
  previous: ['K'],
  points: ['G', '1–9'],
  feedback: ['F'],
  quote: ['Q'],
  giveBack: ['R'],
  send: ['Ctrl', 'Enter'],
  help: ['?'],
}

const renderKeys = (name: Key): Html => html`${named[name].map(one => html`<kbd>${one}</kbd> `)}`

/** Says the keys of the module `grading`, which shows it. */
export const renderKeyList = ({ t }: TeacherContext): Html =>
  html`<details class="keys quiet" data-keys hidden><summary>${(['next', 'previous', 'send', 'help'] as const).map(name => html`<span>${renderKeys(name)}${t(keys.each[name])}</span> `)}</summary>
<ul>
${(Object.keys(named) as Key[]).map(name => html`<li>${renderKeys(name)}${t(keys.each[name])}</li>\n`)}</ul>
<p>${t(keys.typing)}</p></details>`

/** What was done before this page was opened: on that of the next work, with how much waits; otherwise of this one. */
export const sayDone = (context: TeacherContext, { count }: Neighbours, waits: boolean): Framed['notice'] => {
  const done = readDone(context.request)
  if (!waits || (done !== 'graded' && done !== 'returned')) return doneIn(text.done, done, context.language)
  return { kind: 'done', text: context.t(text.left[done], { n: count }) }
}
