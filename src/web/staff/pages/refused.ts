import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Framed } from '#src/web/account/index.ts'
import { staffText } from './text.ts'

const { refusals } = staffText

// Of several errors in a body the first one is shown.
const phraseOf = ({ problem, extras }: Refusal, names: Phrases): Phrase => {
  const member = extras.errors?.[0]?.pointer.slice(1) ?? ''
  const keys = [`${problem.code} ${member}`, `${problem.code} ${member.split('/')[0]}`, problem.code]
  const key = keys.find(one => Object.hasOwn(names, one))
  return (key === undefined ? undefined : names[key]) ?? { en: problem.title, pt: problem.title }
}

type Phrases = Readonly<Record<string, Phrase>>

/** A refusal of an operation as the notice of a page, with the same HTTP status; `more` are the page's own sentences. */
export const refusedIn = (
  refusal: Refusal | undefined,
  language: Language,
  more: Phrases = {},
): Pick<Framed, 'notice' | 'status'> => {
  if (refusal === undefined) return {}
  const text = fill(phraseOf(refusal, { ...refusals, ...more }), language)
  return { notice: { kind: 'refused', text }, status: refusal.problem.status }
}
