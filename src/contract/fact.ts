import type { Language, Phrase } from './language.ts'

/** What a fact does to money, mail and access, in words a person can read before agreeing. */
export type Effects = { readonly money?: Phrase; readonly mail?: Phrase; readonly access?: Phrase }

/** Something that happened, in the past tense (`school.updated`), written in the transaction of the write. */
export type Fact = {
  readonly kind: string
  /** Ids and names of fields; never a person's data. */
  readonly about: Readonly<Record<string, unknown>>
  readonly effects?: Effects
}

/** What a fact would do, in one language. */
export type SaidEffect = Pick<Fact, 'kind' | 'about'> & { readonly [Of in keyof Effects]?: string }

/** What facts would do, as a dry run and a confirmation tell it. */
export const sayEffects = (facts: readonly Fact[], language: Language = 'en'): SaidEffect[] =>
  facts.map(({ kind, about, effects = {} }) => ({
    kind,
    about,
    ...Object.fromEntries(Object.entries(effects).map(([of, phrase]) => [of, phrase[language]])),
  }))
