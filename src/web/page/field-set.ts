import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { Field, FieldTexts, Reader } from './field.ts'
import type { Choice } from './inputs.ts'
import { ambiguous } from './typed-amount.ts'

const usual = texts.page.errors

/** What the fields of a form show: what is stored or was typed, what was refused, and for whom. */
export type FormState = FormReader & { readonly typed: Pairs; readonly refusal?: Refusal | undefined }

/** For whom a form is shown, and what the page knows of its fields. */
export type FormReader = Reader & {
  /** The choices that the page knows, by the names of their fields. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>
  /** What labels and hints are filled in with, beside the currency. */
  readonly values?: Readonly<Record<string, string | number>>
  /** Makes the ids of the fields unique on a page with several forms. */
  readonly prefix?: string | undefined
}

/** The rows of a form: names of fields, of which several may stand beside each other. */
type Row<Name> = Name | readonly Name[]

/** The fields of a form, which read, write, render and explain themselves. */
export type FieldSet<Body extends object> = {
  readonly names: readonly (keyof Body & string)[]
  /** The fields beside those that a page places, so that a new field is shown at the end of its form. */
  others(...placed: readonly (keyof Body & string)[]): (keyof Body & string)[]
  /** The body that was typed, of all fields that count, or of those that are named. */
  body(form: Pairs, reader: Reader, names?: readonly (keyof Body & string)[]): Partial<Body>
  /** Stored values as the pairs of a form. */
  pairs(stored: Partial<Body>, reader: Reader): Pairs
  /** The rows with label, control, error and hint of each field. */
  rows(state: FormState, rows: readonly Row<keyof Body & string>[]): Html
  /** The fields in which what was typed differs from what is stored, as people read both. */
  differences(
    state: Pick<FormState, 'language' | 'typed' | 'choices'>,
    stored: Pairs,
  ): { readonly label: string; readonly mine: string; readonly theirs: string }[]
  /** The sentences of a refusal about these fields, for the notice above the form. */
  sentences(refusal: Refusal, language: Language): string[]
}

// An error of a part, such as one of several tags, is shown at the whole field.
// A field of a part of the body, such as `/seo/title`, is named `seo_title`.
const isAbout = (name: string, pointer: string): boolean =>
  pointer === `/${name}` || pointer.startsWith(`/${name}/`) || pointer.slice(1).replaceAll('/', '_') === name

const chooseSentence = (said: FieldTexts, code: string): Phrase => {
  if (code === 'ambiguous') return ambiguous
  // What is null in a body and may not be was left out.
  const known: Readonly<Record<string, Phrase>> = { ...usual, type: usual.empty }
  return said.errors?.[code] ?? said.error ?? known[code] ?? usual.notAllowed
}

const findError = (
  name: string,
  said: FieldTexts,
  { refusal, language }: Pick<FormState, 'refusal' | 'language'>,
  at = name,
): string | undefined => {
  const found = refusal?.extras.errors?.find(({ pointer }) => isAbout(name, pointer) || isAbout(at, pointer))
  return found && fill(chooseSentence(said, found.code), language, found.values)
}

const renderRow = (name: string, field: Field, said: FieldTexts, state: FormState): Html => {
  const { language, typed, currency = '', timeZone = '', prefix = '', choices, values } = state
  const known = choices?.[name]
  if (field.kind === 'group' && known?.length === 0 && said.none === undefined) return html``
  const id = `${prefix}${name}`
  const error = findError(name, said, state, field.at?.join('/'))
  const label = fill(said.label, language, { currency, zone: timeZone, ...values })
  const hint = said.hint && fill(said.hint, language, values)
  const ids = [...(error === undefined ? [] : [`${id}-error`]), ...(hint === undefined ? [] : [`${id}-hint`])]
  const about = html`${field.isRequired === true && html` required`}${error !== undefined && html` aria-invalid="true"`}${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}`
  const control = field.control({ id, name, typed, about, language, texts: said, choices: known, values: values ?? {} })
  const below = html`${error !== undefined && html`\n<p class="field-error" id="${id}-error">${error}</p>`}${hint !== undefined && html`\n<p class="quiet hint" id="${id}-hint">${hint}</p>`}`
  if (field.kind === 'box')
    return html`<div class="scope">${control}<label for="${id}">${label}</label></div>${below}\n`
  if (field.kind === 'group') return html`<fieldset${about}><legend>${label}</legend>${below}\n${control}</fieldset>\n`
  return html`<div class="field"><label for="${id}">${label}</label>
${control}${below}</div>
`
}

// What a field has as people read it: the names of choices, and a tick for a box. Browsers end lines with CRLF.
const describe = (
  name: string,
  pairs: Pairs,
  said: FieldTexts,
  language: Language,
  choices: readonly Choice[] = [],
): string =>
  pairs
    .filter(([key]) => key === name)
    .map(([, value]) => {
      const choice = said.choices?.[value]
      if (choice !== undefined) return fill(choice, language)
      return (
        choices.find(one => one.value === value)?.label ??
        (value === 'yes' ? '✓' : value.replaceAll('\r\n', '\n').trim())
      )
    })
    .join(', ')

/** Declares the fields of a form by the names that the body of its operation has; each has its texts under the same name. */
export const fieldsFor =
  <Body extends object>() =>
  <Name extends keyof Body & string>(
    texts: { readonly [Each in NoInfer<Name>]: FieldTexts },
    fields: { readonly [Each in Name]: Field<Body[Each]> },
  ): FieldSet<Pick<Body, Name>> => {
    const entries = Object.entries(fields) as [Name, Field][]
    const counts = (form: Pairs, { when }: Field): boolean => when === undefined || formField(form, when[0]) === when[1]
    return {
      names: entries.map(([name]) => name),
      others: (...placed) => entries.map(([name]) => name).filter(name => !placed.includes(name)),
      body(form, reader, names) {
        const read = entries.filter(([name, field]) => counts(form, field) && (names?.includes(name) ?? true))
        const body: Record<string, unknown> = {}
        for (const [name, field] of read) {
          const value = field.read(form, name, reader)
          const [whole, part] = field.at ?? [name]
          if (value !== undefined) body[whole] = part === undefined ? value : { ...Object(body[whole]), [part]: value }
        }
        return body as Partial<Pick<Body, Name>>
      },
      pairs: (stored: Readonly<Record<string, unknown>>, reader) =>
        entries.flatMap(([name, field]) => {
          const [whole, part] = field.at ?? [name]
          if (!(whole in stored)) return []
          return field.write(part === undefined ? stored[whole] : Object(stored[whole])[part], name, reader)
        }),
      rows(state, rows) {
        const shown = (name: Name): Html => renderRow(name, fields[name] as Field, texts[name], state)
        return html`${rows.map(row =>
          typeof row === 'string'
            ? shown(row)
            : html`<div class="pair">${row.map(name => html`<div>${shown(name)}</div>`)}</div>\n`,
        )}`
      },
      differences: ({ language, typed, choices }, stored) =>
        entries.flatMap(([name]) => {
          const [mine, theirs] = [typed, stored].map(pairs =>
            describe(name, pairs, texts[name], language, choices?.[name]),
          )
          if (mine === undefined || theirs === undefined || mine === theirs) return []
          return [{ label: fill(texts[name].label, language), mine, theirs }]
        }),
      sentences: (refusal, language) => [
        ...new Set(
          entries.flatMap(([name, { at }]) => findError(name, texts[name], { refusal, language }, at?.join('/')) ?? []),
        ),
      ],
    }
  }
