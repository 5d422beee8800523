import type { FieldError } from '#src/contract/problem.ts'

/** What a row says of a person; a field without a value is absent. */
export type MappedPerson = {
  readonly email?: string
  readonly name?: string
  readonly phone?: string
  readonly external_id?: string
  readonly locale?: string
  readonly time_zone?: string
  readonly tags?: readonly string[]
  readonly marketing_consent?: boolean
  readonly custom_fields?: Readonly<Record<string, string | number | boolean>>
  readonly joined_at?: Date
  readonly groups?: readonly string[]
  readonly note?: string
  /** The file says that the person is no longer there, so nothing is created for them. */
  readonly is_inactive?: true
}

/** What a row says of what a person learns; a field without a value is absent. */
type MappedLearning = {
  readonly course?: string
  readonly enrolled_at?: Date
  readonly access_ends_at?: Date
  /** From 0 to 100, with decimals. */
  readonly percent_complete?: number
  readonly completed_at?: Date
  readonly is_complete?: true
  /** The file says that the enrollment was cancelled or is over, so it gives no access. */
  readonly is_over?: true
  readonly lesson?: string
  readonly lesson_completed_at?: Date
}

/** A row of a file as values. */
export type MappedRow = {
  /** That of the line in the file. */
  readonly number: number
  readonly person: MappedPerson
  /** Whether the name is the beginning of the address, which replaces no name that is known. */
  readonly isNameGuessed?: true
  readonly learning?: MappedLearning
  /** Why the row cannot be imported; empty when it can. */
  readonly errors: readonly FieldError[]
  /** What was done differently from what the row says. */
  readonly notices: readonly FieldError[]
}

/** What a cell adds to its row. */
export type Parts = {
  readonly person?: MappedPerson
  readonly learning?: MappedLearning
  readonly first_name?: string
  readonly last_name?: string
}
