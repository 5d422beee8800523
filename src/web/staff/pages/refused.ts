import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Framed } from '#src/web/account/index.ts'
import { staffText } from './text.ts'

const { refusals } = staffText

// Of several errors in a body the first one is shown.
const phraseOf = ({ problem, extras }: Refusal): Phrase => {
  const names: Readonly<Record<string, Phrase>> = refusals
  const member = extras.errors?.[0]?.pointer.slice(1)
  return names[`${problem.code} ${member}`] ?? names[problem.code] ?? { en: problem.title, pt: problem.title }
}

/** A refusal of an operation as the notice of a page, with the same HTTP status. */
export const refusedIn = (refusal: Refusal | undefined, language: Language): Pick<Framed, 'notice' | 'status'> =>
  refusal === undefined
    ? {}
    : { notice: { kind: 'refused', text: fill(phraseOf(refusal), language) }, status: refusal.problem.status }
