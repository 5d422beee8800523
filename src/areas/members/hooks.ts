import { hook } from '#src/contract/hook.ts'

/** Called when a member is erased: personal data is deleted, records of the school stay without the person. */
export const memberErasure = hook<{ readonly memberId: string }, void>('memberErasure')

/** Called when two members are merged: the rows of one move to the other, before the first is erased. */
export const memberMerge = hook<{ readonly fromId: string; readonly intoId: string }, void>('memberMerge')
