import { hook } from '#src/contract/hook.ts'

/** Called when a member is erased: what is theirs is deleted, what belongs to the school stays without them. */
export const memberErasure = hook<{ readonly memberId: string }, void>('memberErasure')

/** Called when two members are merged: what one has becomes the other's, before the first is erased. */
export const memberMerge = hook<{ readonly fromId: string; readonly intoId: string }, void>('memberMerge')
