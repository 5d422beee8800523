import { hook } from './hook.ts'

/** Rows of one kind that tell of a person, as the person reads them: ids as on the wire, instants as texts. */
export type PersonalData = {
  readonly name: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** Asks every room for all it knows of a member, for the copy that the member asks for. */
export const personalData = hook<{ readonly memberId: string }, readonly PersonalData[]>('personalData')
