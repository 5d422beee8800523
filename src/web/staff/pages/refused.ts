import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { ambiguous, type Framed } from '#src/web/page/index.ts'
import { staffText } from './text.ts'

const { refusals } = staffText

// Of several errors in a body the first one is shown.
const phraseOf = ({ problem, extras }: Refusal, names: Phrases): Phrase => {
  const [error] = extras.errors ?? []
  const member = error?.pointer.slice(1) ?? ''
  const keys = [
    `${problem.code}: ${error?.code}`,
    `${problem.code} ${member}`,
    `${problem.code} ${member.split('/')[0]}`,
    problem.code,
  ]
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
  const [error] = refusal.extras.errors ?? []
  const phrase = error?.code === 'ambiguous' ? ambiguous : phraseOf(refusal, { ...refusals, ...more })
  const text = fill(phrase, language, error?.values)
  return { notice: { kind: 'refused', text }, status: refusal.problem.status }
}
