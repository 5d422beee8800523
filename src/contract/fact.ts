import type { Db } from './db.ts'
import type { FactType } from './fact-types.ts'
import { type Language, type Phrase, sentenceIn } from './language.ts'
import type { School } from './school.ts'

/** What a fact does to money, mail and access, in words a person can read before agreeing. */
export type Effects = { readonly money?: Phrase; readonly mail?: Phrase; readonly access?: Phrase }

/** Something that happened, in the past tense (`school.updated`), written in the transaction of the write. */
export type Fact = {
  readonly type: FactType
  /** Ids and names of fields; never a person's data. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly effects?: Effects
}

/** The effects of a fact in one language. */
type DescribedEffect = Pick<Fact, 'type' | 'payload'> & { readonly [Kind in keyof Effects]?: string }

/** The effects of facts, as a dry run and a confirmation describe them. */
export const describeEffects = (facts: readonly Fact[], language: Language = 'en'): DescribedEffect[] =>
  facts.map(({ type, payload, effects = {} }) => ({
    type,
    payload,
    ...Object.fromEntries(Object.entries(effects).map(([kind, phrase]) => [kind, sentenceIn(phrase, language)])),
  }))

/** A stored fact, for its subscribers. */
export type RecordedFact = {
  readonly id: string
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Its number in the school, without gaps, in the order of commits. */
  readonly sequence: string
}

/** Handles a fact in the transaction that marks it as delivered; after an error it is delivered again later. */
export type FactHandler = (
  fact: RecordedFact,
  context: { readonly db: Db; readonly school: School; readonly now: Date },
) => Promise<unknown>

/** The handlers of facts, by type. */
export type Subscribers = Readonly<Record<string, readonly FactHandler[]>>
