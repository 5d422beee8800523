import { diffWordsWithSpace } from 'diff'
import type { Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { preconditionFailed } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from './context.ts'
import type { FieldSet } from './field-set.ts'
import type { Changed } from './frame.ts'

const { conflict: text } = texts.page

// Longer differences are not looked for: the texts are then shown as they are.
const LIMITS = { maxEditLength: 2000, timeout: 200 }

/** The act of a form that gives up what was typed for what is stored. */
export const TAKE_THEIRS = 'take'

const SAME_MS = 1000

/** Who stored something last, where its newest version is its last change. Instants are those of the API. */
export const findChanged = (
  { updated_at }: { readonly updated_at: string },
  versions: readonly {
    readonly is_current: boolean
    readonly created_at: string
    readonly author: { readonly name: string } | null
  }[],
): Changed | undefined => {
  const current = versions.find(one => one.is_current)
  if (current == null || current.author === null) return undefined
  const { author, created_at: at } = current
  return Math.abs(Date.parse(updated_at) - Date.parse(at)) < SAME_MS ? { by: author.name, at } : undefined
}

// What only one of two texts has is marked in it.
const markDifferences = (mine: string, theirs: string): { readonly mine: Html; readonly theirs: Html } => {
  const changes = diffWordsWithSpace(theirs, mine, LIMITS)
  if (changes === undefined) return { mine: html`${mine}`, theirs: html`${theirs}` }
  const without = (other: 'added' | 'removed', own: 'added' | 'removed'): Html =>
    html`${changes.filter(change => !change[other]).map(change => (change[own] ? html`<mark>${change.value}</mark>` : change.value))}`
  return { mine: without('removed', 'added'), theirs: without('added', 'removed') }
}

type Compared = {
  readonly refusal?: Refusal | undefined
  readonly act: string
  /** The act by which what was typed is stored. */
  readonly keep?: string
  readonly typed: Pairs
  readonly stored: Pairs
  /** The fields of the form, by which what another form of the page sent is none of its business. */
  readonly fields: { readonly names?: readonly string[] } & Pick<FieldSet<object>, 'differences'>
  /** The id of the form with what was typed. */
  readonly within: string
}

const quote = (label: Phrase, content: Html, { t }: Pick<PageContext, 't'>): Html =>
  html`<div><p class="quiet">${t(label)}</p>
<div class="version" dir="auto">${content}</div></div>`

/**
 * What somebody else stored meanwhile beside what was typed, with what differs marked, and the buttons to choose; or, where they chose
 * what is stored, what they had typed, so that it can be copied. Nothing for another outcome.
 */
export const renderConflict = (
  context: Pick<PageContext, 't' | 'language'>,
  again: Compared | undefined,
): Html | false => {
  if (again === undefined) return false
  const { t, language } = context
  const { refusal, act, keep = 'save', typed, stored, fields, within } = again
  const isTaken = act === TAKE_THEIRS
  if (!isTaken && refusal?.problem !== preconditionFailed) return false
  const { names } = fields
  if (names !== undefined && !typed.some(([name]) => names.includes(name))) return false
  const rows = fields.differences({ language, typed }, stored).map(({ label, mine, theirs }) => {
    const marked = markDifferences(mine, theirs)
    return html`<h3>${label}</h3>
<div class="pair">${quote(text.mine, marked.mine, context)}${!isTaken && quote(text.theirs, marked.theirs, context)}</div>
`
  })
  const button = (value: string, label: Phrase): Html =>
    html`<button type="submit" form="${within}" name="act" value="${value}" formnovalidate>${t(label)}</button>`
  return html`<section class="card conflict" id="conflict" data-of="${within}"${isTaken && html` data-taken`}><h2>${t(isTaken ? text.takenTitle : text.title)}</h2>
<p>${t(rows.length === 0 ? text.same : isTaken ? text.takenAbout : text.about)}</p>
${rows}${!isTaken && html`<div class="buttons row">${button(keep, text.keepMine)}${button(TAKE_THEIRS, text.takeTheirs)}</div>`}</section>`
}
