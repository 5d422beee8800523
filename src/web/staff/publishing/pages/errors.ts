import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { texts } from '#src/texts/index.ts'
import { fileReasons } from '#src/web/file-reasons.ts'
import { ambiguous } from '#src/web/page/index.ts'

const words = texts.page.errors

/** The sentences about fields of a form, by their names. */
export type FieldErrors = ReadonlyMap<string, string>

type Phrases = Readonly<Record<string, Phrase>>

const codes: Phrases = {
  empty: words.empty,
  missing: words.missing,
  minLength: words.minLength,
  required: words.required,
  maxLength: words.maxLength,
  integer: words.integer,
  minimum: words.minimum,
  maximum: words.maximum,
  past: words.past,
  ...fileReasons,
  text: words.text,
}

const notAllowed = texts.page.errors.notAllowed

/** The name of the field that a pointer into a body is about, such as `seo_title` for `/seo/title`. */
const formatName = (pointer: string): string => pointer.slice(1).replaceAll('/', '_')

/** The sentence about a field; `more` has sentences by field, and by field and code. */
export const choosePhrase = (name: string, code: string, more: Phrases): Phrase =>
  code === 'ambiguous' ? ambiguous : (more[`${name} ${code}`] ?? more[name] ?? codes[code] ?? notAllowed)

/** The errors of a refused body by the names of the fields; `more` has sentences by field, and by field and code. */
export const errorsIn = (refusal: Refusal | undefined, language: Language, more: Phrases = {}): FieldErrors =>
  new Map(
    // What is wrong with a part, such as one of several tags, is also shown at the whole field.
    (refusal?.extras.errors ?? []).toReversed().flatMap(({ pointer, code, values }) => {
      const name = formatName(pointer)
      const whole = formatName(`/${pointer.split('/')[1]}`)
      const text = fill(choosePhrase(more[name] === undefined ? whole : name, code, more), language, values)
      return [[whole, text] as const, [name, text] as const]
    }),
  )
