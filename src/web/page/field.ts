import type { Language, Phrase } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { Html } from '#src/kit/html.ts'
import type { Choice } from './inputs.ts'

/** For whom a form is read and shown: the language, the currency of its amounts, and the time zone of its times. */
export type Reader = {
  readonly language: Language
  readonly currency?: string | undefined
  readonly timeZone?: string | undefined
}

/** The texts of a field; `error` is the sentence for a value that is refused, whatever the reason, `errors` those for single ones. */
export type FieldTexts = {
  readonly label: Phrase
  readonly hint?: Phrase
  readonly error?: Phrase
  readonly errors?: Readonly<Record<string, Phrase>>
  readonly choices?: Readonly<Record<string, Phrase>>
  /** What is said of no choice. */
  readonly none?: Phrase
}

/** Counts only while the field of this name has this value. */
export type When = { readonly when?: readonly [name: string, value: string] }

/** How a control is shown: what is stored or typed, the texts of its field, and the attributes that connect it with hint and error. */
export type Shown = {
  readonly id: string
  readonly name: string
  readonly typed: Pairs
  readonly about: Html
  readonly language: Language
  readonly texts: FieldTexts
  /** The choices that the page knows, where they are not those of the texts. */
  readonly choices: readonly Choice[] | undefined
  /** What the page knows of the form, by which labels and hints are filled in. */
  readonly values: Readonly<Record<string, string | number>>
}

/** A field of a form: it reads what was typed, writes what is stored, and renders its control. */
export type Field<Value = unknown> = When & {
  /** Whether its label stands behind the control, as that of a box, or above a group of controls. */
  readonly kind?: 'box' | 'group'
  /** Whether the browser asks for it; the operation refuses it all the same where it is left out. */
  readonly isRequired?: boolean
  /** The part of the body that it is, where it is not named after it, such as the title in `seo`. */
  readonly at?: readonly [whole: string, part: string]
  /** The value for the body of an operation; refuses what cannot be read. */
  read(form: Pairs, name: string, reader: Reader): Value
  /** A stored value as the pairs of a form. */
  write(value: Value, name: string, reader: Reader): Pairs
  control(shown: Shown): Html
}

/** What was typed into a field, without spaces at its ends. */
export const readLine = (form: Pairs, name: string): string => formField(form, name).trim()

/** The one value of a field as the pairs of a form. */
export const one = (name: string, value: unknown): Pairs => [
  [name, value === null || value === undefined ? '' : String(value)],
]

/** A text, or null where it is empty. */
export const orNull = (text: string): string | null => (text === '' ? null : text)
