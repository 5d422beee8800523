import type { Db } from './db.ts'
import type { Language, Phrase } from './language.ts'
import type { School } from './school.ts'

/** What a fact does to money, mail and access, in words a person can read before agreeing. */
export type Effects = { readonly money?: Phrase; readonly mail?: Phrase; readonly access?: Phrase }

/** Something that happened, in the past tense (`school.updated`), written in the transaction of the write. */
export type Fact = {
  readonly type: string
  /** Ids and names of fields; never a person's data. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly effects?: Effects
}

/** What a fact would do, in one language. */
export type DescribedEffect = Pick<Fact, 'type' | 'payload'> & { readonly [Of in keyof Effects]?: string }

/** What facts would do, as a dry run and a confirmation tell it. */
export const describeEffects = (facts: readonly Fact[], language: Language = 'en'): DescribedEffect[] =>
  facts.map(({ type, payload, effects = {} }) => ({
    type,
    payload,
    ...Object.fromEntries(Object.entries(effects).map(([of, phrase]) => [of, phrase[language]])),
  }))

/** A fact on its way to those who want to know of it. */
export type RecordedFact = {
  readonly id: string
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Its number in the school, without gaps, in the order of commits. */
  readonly sequence: string
}

/** Does what follows from a fact, in the transaction that marks it as delivered; throwing has it delivered again later. */
export type FactHandler = (
  fact: RecordedFact,
  where: { readonly db: Db; readonly school: School; readonly now: Date },
) => Promise<unknown>

/** Who wants to know of which kinds of facts. */
export type Subscribers = Readonly<Record<string, readonly FactHandler[]>>
