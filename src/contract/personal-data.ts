import { hook } from './hook.ts'

/** Rows of one kind with data of a person, as in the export: ids as on the wire, instants as strings. */
export type PersonalData = {
  readonly name: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** Called for the personal data of a member in every area, for the export that the member requested. */
export const personalData = hook<{ readonly memberId: string }, readonly PersonalData[]>('personalData')

/** Called when a member is erased: personal data is deleted, records of the school stay without the person. */
export const memberErasure = hook<{ readonly memberId: string; readonly intoId?: string }, void>('memberErasure')

/** Called when two members are merged: the rows of one move to the other, before the first is erased. */
export const memberMerge = hook<{ readonly fromId: string; readonly intoId: string }, void>('memberMerge')
