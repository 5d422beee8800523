import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Framed } from '#src/web/account/index.ts'
import { refusedIn } from '../pages/refused.ts'

/** The sentences about fields of a form, by their names. */
export type FieldErrors = ReadonlyMap<string, string>

type Phrases = Readonly<Record<string, Phrase>>

const say = (en: string, pt: string): Phrase => ({ en, pt })

const codes: Phrases = {
  empty: say('Please fill this in.', 'Preencha este campo.'),
  missing: say('Please fill this in.', 'Preencha este campo.'),
  minLength: say('Please fill this in.', 'Preencha este campo.'),
  required: say('Please fill this in.', 'Preencha este campo.'),
  maxLength: say('This is too long.', 'Isto é demasiado longo.'),
  integer: say('Enter a whole number.', 'Escreva um número inteiro.'),
  minimum: say('This number is too small.', 'Este número é demasiado pequeno.'),
  maximum: say('This number is too large.', 'Este número é demasiado grande.'),
  past: say('This is over already.', 'Isto já passou.'),
  text: say('This has a character that cannot be stored.', 'Isto tem um carácter que não pode ser guardado.'),
}

const notAllowed = say('This value is not allowed.', 'Este valor não é permitido.')

const check = say(
  'Nothing was changed. Please look at the marked fields.',
  'Nada foi alterado. Veja os campos assinalados.',
)

/** The name of the field that a pointer into a body is about, such as `seo_title` for `/seo/title`. */
const nameOf = (pointer: string): string => pointer.slice(1).replaceAll('/', '_')

/** The sentence about a field; `more` has sentences by field, and by field and code. */
export const phraseOf = (name: string, code: string, more: Phrases): Phrase =>
  more[`${name} ${code}`] ?? more[name] ?? codes[code] ?? notAllowed

/** The errors of a refused body by the names of the fields; `more` has sentences by field, and by field and code. */
export const errorsIn = (refusal: Refusal | undefined, language: Language, more: Phrases = {}): FieldErrors =>
  new Map(
    // What is wrong with a part, such as one of several tags, is also shown at the whole field.
    (refusal?.extras.errors ?? []).toReversed().flatMap(({ pointer, code }) => {
      const name = nameOf(pointer)
      const whole = nameOf(`/${pointer.split('/')[1]}`)
      const text = fill(phraseOf(more[name] === undefined ? whole : name, code, more), language)
      return [[whole, text] as const, [name, text] as const]
    }),
  )

/** The notice above a form that was refused: to look at its fields, where one of `fields` is marked. */
export const noticeFor = (
  refusal: Refusal | undefined,
  language: Language,
  { errors, fields, refusals }: { errors: FieldErrors; fields: readonly string[]; refusals: Phrases },
): Pick<Framed, 'notice' | 'status'> => {
  if (refusal === undefined || !fields.some(name => errors.has(name))) return refusedIn(refusal, language, refusals)
  return { notice: { kind: 'refused', text: fill(check, language) }, status: refusal.problem.status }
}
