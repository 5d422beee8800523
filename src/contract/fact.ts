/** What a fact does to money, mail and access, in words a person can read before agreeing. */
export type Effects = { readonly money?: string; readonly mail?: string; readonly access?: string }

/** Something that happened, in the past tense (`school.updated`), written in the transaction of the write. */
export type Fact = {
  readonly kind: string
  /** Ids and names of fields; never a person's data. */
  readonly about: Readonly<Record<string, unknown>>
  readonly effects?: Effects
}
