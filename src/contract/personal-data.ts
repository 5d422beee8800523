import { hook } from './hook.ts'

/** Rows of one kind with data of a person, as in the export: ids as on the wire, instants as strings. */
export type PersonalData = {
  readonly name: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** Called for the personal data of a member in every area, for the export that the member requested. */
export const personalData = hook<{ readonly memberId: string }, readonly PersonalData[]>('personalData')
