import { randomUUID } from 'node:crypto'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { PageContext } from './context.ts'
import { shownAgain } from './declare.ts'
import type { FieldSet, FormReader, FormState } from './field-set.ts'
import type { Reader } from './fields.ts'
import { formKeyIn, hidden, revisionIn } from './hidden.ts'

/** The words of an act: its button, its title, what happens, and what is said when it is done. */
type ActTexts = { readonly button: Phrase; readonly title?: Phrase; readonly about?: Phrase; readonly done?: Phrase }

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
  /** Parameters of the path beside that of the resource, and the fields of its form that have them. */
  readonly params?: Readonly<Record<string, string>>
  /** Whether it is named by its form, so that one that is sent twice is done once; otherwise by the revision that was shown. */
  readonly isOnce?: boolean
}

/** What was refused just now, with what was typed. */
export type Refused = { readonly act: string; readonly typed: Pairs; readonly refusal: Refusal }

/** What the form of an act shows: what is stored, or what was typed where it was refused. */
export const stateOf = (
  { language, currency, choices = {}, values = {} }: FormReader,
  refused: (Omit<Refused, 'refusal'> & { readonly refusal?: Refusal }) | undefined,
  act: string,
  stored: Pairs = [],
): FormState => {
  const { typed, refusal } = refused?.act === act ? refused : { typed: stored, refusal: undefined }
  return { language, currency, choices, values, typed, refusal }
}

type Acts<Item> = Readonly<Record<string, Act<Item>>>

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
    readonly refused?: Refused | undefined
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
    const state = stateOf(context, refused, name, stored[name])
    const rows = act.fields === undefined ? html`` : act.fields.rows(state, [act.fields.names])
    const inside = html`${hidden({ act: name, revision: item.revision, form_key: `${name}-${key}` })}${rows}
<div class="buttons"><button type="submit">${t(said.button)}</button></div>`
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

/** A row of a list with a button for one act; `fields` says what it is about. */
export const actRow = (
  { t, form }: PageContext,
  {
    name,
    about,
    act,
    fields,
    texts,
  }: {
    readonly name: Html | string
    readonly about: string
    /** Undefined where nothing can be done. */
    readonly act: string | undefined
    readonly fields: Readonly<Record<string, string>>
    readonly texts: ActTexts
  },
): Html => {
  const button = t(texts.button)
  const inside =
    act !== undefined &&
    form(
      html`${hidden({ act, ...fields })}<button class="small" type="submit" aria-label="${button}: ${name}">${button}</button>`,
    )
  return html`<li class="act"><span><bdi>${name}</bdi><br><span class="quiet"><bdi>${about}</bdi></span></span>${inside}</li>
`
}

/** What is said when an act is done, by the name of the act. */
export const doneTextsOf = (texts: Readonly<Record<string, ActTexts>>): Readonly<Record<string, Phrase>> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, { done }]) => (done === undefined ? [] : [[name, done]])))

/** The act that a form names, and its call. Refuses a form that names none. */
export const actIn = <Item>(
  acts: Acts<Item>,
  typed: Pairs,
  { params, reader }: { readonly params: Readonly<Record<string, string>>; readonly reader: Reader },
): { readonly name: string; readonly call: PageCall<undefined> } => {
  const name = formField(typed, 'act')
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const { operation, fields, body, isOnce = false } = act
  const own = Object.entries(act.params ?? {}).map(([param, field]) => [param, formField(typed, field)] as const)
  const sent = body ?? fields?.body(typed, reader)
  return {
    name,
    call: {
      operation,
      params: { ...params, ...Object.fromEntries(own) },
      ...(sent === undefined ? {} : { body: sent }),
      ...(isOnce ? formKeyIn(typed) : own.length > 0 ? {} : { revision: revisionIn(typed) }),
    },
  }
}

/** Performs the act that a form names and leads on, or shows what was refused, also while the form was read. */
export const submitAct = <Item>(
  context: PageContext,
  typed: Pairs,
  {
    acts,
    params,
    reader = context,
    next,
    again,
  }: {
    readonly acts: Acts<Item>
    readonly params: Readonly<Record<string, string>>
    readonly reader?: Reader | Promise<Reader>
    /** Where an act leads to when it is done. */
    next(act: string): string
    again(refused: Refused): Promise<Reply>
  },
): Promise<Reply> =>
  shownAgain(
    async () => {
      const { name, call } = actIn(acts, typed, { params, reader: await reader })
      await context.call(call)
      return next(name)
    },
    refusal => again({ act: formField(typed, 'act'), typed, refusal }),
  )
