import { randomUUID } from 'node:crypto'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { PageContext } from './context.ts'
import { isShown } from './declare.ts'
import type { Reader } from './field.ts'
import type { FieldSet, FormReader, FormState } from './field-set.ts'
import { formKeyIn, hidden, revisionIn } from './hidden.ts'
import { redirect } from './request.ts'

/** The words of an act: its button, its title, what happens, and what is said when it is done. */
type ActTexts = {
  readonly button: Phrase
  readonly title?: Phrase
  readonly about?: Phrase
  readonly done?: Phrase
  /** The button that shows what the act does. */
  readonly check?: Phrase
  /** What is said where it would do nothing, so that it is not offered. */
  readonly nothing?: Phrase
}

/** Something that can be done on the page of a resource, by one operation. */
export type Act<Item> = {
  readonly operation: string
  /** Whether it is offered; the operation decides all the same. */
  offered(item: Item): boolean
  /** Whether its form is open at once. */
  readonly opens?: (item: Item) => boolean
  /** The fields of its form, and the body that they and nothing else make. */
  readonly fields?: FieldSet<Record<string, unknown>>
  readonly body?: object
  /** The fields that stand beside each other; by default all of them. */
  readonly rows?: readonly (string | readonly string[])[]
  /** Parameters of the path beside that of the resource, and the fields of its form that have them. */
  readonly params?: Readonly<Record<string, string>>
  /** Whether it is named by its form, so that one that is sent twice is done once; otherwise by the revision that was shown. */
  readonly isOnce?: boolean
  /** Whether a dry run shows what it does before it can be done, or also. */
  readonly isTried?: 'first' | 'also'
  /** Makes the ids of its fields unique on its page. */
  readonly prefix?: string
}

/** What was typed just now into the form of an act, with what was refused, or what the act would do, in sentences. */
export type Again = {
  readonly act: string
  readonly typed: Pairs
  readonly refusal?: Refusal
  readonly effects?: readonly string[]
}

/** What was refused just now, with what was typed. */
export type Refused = Again & { readonly refusal: Refusal }

/** What the form of an act shows: what is stored, or what was typed where it was refused. */
export const buildState = (
  { language, currency, timeZone, choices = {}, values = {} }: FormReader,
  refused: Omit<Again, 'effects'> | undefined,
  act: string,
  stored: Pairs = [],
): FormState => {
  const { typed, refusal } = refused?.act === act ? refused : { typed: stored, refusal: undefined }
  return { language, currency, timeZone, choices, values, typed, refusal }
}

type Acts<Item> = Readonly<Record<string, Act<Item>>>

/** What an act would do, which a screen reader announces. */
const effectsNote = (effects: readonly string[]): Html =>
  html`<div class="note" role="status"><ul>
${effects.map(effect => html`<li>${effect}</li>\n`)}</ul></div>`

/** The forms of the acts that a resource allows. */
export const actForms = <Item extends { readonly revision: number }>(
  context: PageContext & FormReader,
  {
    acts,
    item,
    texts,
    refused,
    stored = {},
  }: {
    readonly acts: Acts<Item>
    readonly item: Item
    readonly texts: Readonly<Record<string, ActTexts>>
    readonly refused?: Again | undefined
    /** What the forms of acts show before anything is typed, by the names of the acts. */
    readonly stored?: Readonly<Record<string, Pairs>>
  },
): Html => {
  const { t, form } = context
  const key = randomUUID()
  const formFor = ([name, act]: readonly [string, Act<Item>]): Html => {
    const said = texts[name]
    if (said === undefined) throw new Error(`the act ${name} has no texts`)
    const isRefused = refused?.act === name
    const state = { ...buildState(context, refused, name, stored[name]), prefix: act.prefix }
    const rows = act.fields === undefined ? html`` : act.fields.rows(state, act.rows ?? [act.fields.names])
    const tried = isRefused ? refused.effects : undefined
    const isNothing = tried?.length === 0 && said.nothing !== undefined
    const effects = isNothing && said.nothing ? [t(said.nothing)] : tried
    const named = act.isTried === undefined ? { act: name } : {}
    const button =
      act.isTried === undefined
        ? html`<button type="submit">${t(said.button)}</button>`
        : html`<button type="submit" name="act" value="check_${name}">${said.check && t(said.check)}</button>
${(act.isTried === 'also' || (effects !== undefined && !isNothing)) && html`<button class="main" type="submit" name="act" value="${name}">${t(said.button)}</button>`}`
    const inside = html`${hidden({ ...named, revision: item.revision, form_key: `${name}-${key}` })}${rows}${effects !== undefined && effectsNote(effects)}
<div class="buttons">${button}</div>`
    return html`<details class="card"${(isRefused || act.opens?.(item) === true) && html` open`}>
<summary>${t(said.title ?? said.button)}</summary>${said.about && html`\n<p class="quiet">${t(said.about)}</p>`}
${form(inside)}
</details>
`
  }
  return html`${Object.entries(acts)
    .filter(([, act]) => act.offered(item))
    .map(formFor)}`
}

/** The button of a row for one act; `fields` says what it is about, and `name` what the row is called. */
export const renderAct = (
  { t, form }: PageContext,
  {
    name,
    act,
    fields,
    texts,
  }: {
    readonly name: string
    readonly act: string
    readonly fields: Readonly<Record<string, string>>
    readonly texts: ActTexts
  },
): Html => {
  const button = t(texts.button)
  return form(
    html`${hidden({ act, ...fields })}<button class="small" type="submit" aria-label="${button}: ${name}">${button}</button>`,
  )
}

/** What is said when an act is done, by the name of the act. */
export const buildDoneTexts = (texts: Readonly<Record<string, ActTexts>>): Readonly<Record<string, Phrase>> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, { done }]) => (done === undefined ? [] : [[name, done]])))

/** The act that a form names, or whose effects it asks for, and its call. Refuses a form that names none. */
export const actIn = <Item>(
  acts: Acts<Item>,
  typed: Pairs,
  { params, reader }: { readonly params: Readonly<Record<string, string>>; readonly reader: Reader },
): { readonly name: string; readonly isTry: boolean; readonly call: PageCall<undefined> } => {
  const isTry = formField(typed, 'act').startsWith('check_')
  const name = formField(typed, 'act').slice(isTry ? 'check_'.length : 0)
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined || (isTry && act.isTried === undefined))
    throw new Refusal(formRefused, 'The form has no valid action.')
  const { operation, fields, body, isOnce = false } = act
  const own = Object.entries(act.params ?? {}).map(([param, field]) => [param, formField(typed, field)] as const)
  const sent = body ?? fields?.body(typed, reader)
  return {
    name,
    isTry,
    call: {
      operation,
      params: { ...params, ...Object.fromEntries(own) },
      ...(sent === undefined ? {} : { body: sent }),
      ...(isOnce ? formKeyIn(typed) : isTry || own.length > 0 ? {} : { revision: revisionIn(typed) }),
    },
  }
}

/** What was typed into the form of an act. */
type Typed<Item> = {
  readonly acts: Acts<Item>
  readonly typed: Pairs
  readonly params: Readonly<Record<string, string>>
  readonly reader?: Reader | Promise<Reader>
}

type Answers = {
  /** Performs the act and returns the address that follows, or the page. */
  perform(act: string, call: PageCall<undefined>): Promise<string | Reply>
  show(again: Again): Promise<Reply>
  /** What an act would do, where its effects do not say it. */
  listEffects?(act: string, call: PageCall<undefined>): Promise<readonly string[]> | undefined
}

// What facts do to money, mail and access, in sentences, each once.
const tell = async ({ call, t }: PageContext, tried: PageCall<undefined>): Promise<string[]> => {
  const { effects: facts } = await call({ ...tried, dryRun: true })
  return [...new Set(facts.flatMap(({ effects = {} }) => Object.values(effects).map(phrase => t(phrase))))]
}

/** Does what a form of acts asks for: leads on when it is done, or shows what was refused, or what the act would do. */
export const submitAct = async <Item>(
  context: PageContext,
  { acts, typed, params, reader = context }: Typed<Item>,
  { perform, show, listEffects }: Answers,
): Promise<Reply> => {
  const act = formField(typed, 'act').replace(/^check_/, '')
  try {
    const { isTry, call } = actIn(acts, typed, { params, reader: await reader })
    if (!isTry) {
      const done = await perform(act, call)
      return typeof done === 'string' ? redirect(done) : done
    }
    return await show({ act, typed, effects: await (listEffects?.(act, call) ?? tell(context, call)) })
  } catch (error) {
    if (!isShown(error)) throw error
    return show({ act, typed, refusal: error })
  }
}
