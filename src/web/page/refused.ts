import { fill, inEach, type Language, type Phrase } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from './context.ts'
import type { FieldSet } from './field-set.ts'
import { doneIn, type Framed } from './frame.ts'
import { readDone } from './request.ts'
import { ambiguous } from './typed-amount.ts'

type Phrases = Readonly<Record<string, Phrase>>

// Of several errors in a body the first one is shown.
const choosePhrase = ({ problem, extras }: Refusal, said: Phrases): Phrase => {
  const [error] = extras.errors ?? []
  if (error?.code === 'ambiguous') return ambiguous
  const member = error?.pointer.slice(1) ?? ''
  const keys = [
    `${problem.code}: ${error?.code}`,
    `${problem.code} ${member}`,
    `${problem.code} ${member.split('/')[0]}`,
    problem.code,
    'other',
  ]
  const key = keys.find(one => Object.hasOwn(said, one))
  return (key === undefined ? undefined : said[key]) ?? inEach(() => problem.title)
}

/** What a page says of a refusal: by the code of the problem or as `other`, and by the fields of its forms. */
type RefusedTexts = { readonly sets?: readonly Pick<FieldSet<object>, 'sentences'>[]; readonly said: Phrases }

/** A refusal as the notice of a page, with its status: the sentence of its field, that of the problem, or to look at several fields. */
export const noticeFor = (
  refusal: Refusal | undefined,
  language: Language,
  { sets = [], said }: RefusedTexts,
): Pick<Framed, 'notice' | 'status'> => {
  if (refusal === undefined) return {}
  const [sentence, ...others] = sets.flatMap(set => set.sentences(refusal, language))
  const [error] = refusal.extras.errors ?? []
  const only = sentence ?? fill(choosePhrase(refusal, said), language, error?.values)
  const text = others.length > 0 ? fill(texts.page.errors.check, language) : only
  return { notice: { kind: 'refused', text }, status: refusal.problem.status }
}

/** What was refused just now, or what was done, as the query of the page says. */
export const buildOutcome = (
  { request, language }: Pick<PageContext, 'request' | 'language'>,
  refusal: Refusal | undefined,
  { done, ...said }: RefusedTexts & { readonly done: Phrases },
): Pick<Framed, 'notice' | 'status'> =>
  refusal === undefined ? { notice: doneIn(done, readDone(request), language) } : noticeFor(refusal, language, said)

/** Returns what `undefined` stands for when an operation says that there is nothing. */
export const orNothing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}
