import { question } from '#src/contract/question.ts'

/** Asks every later room to forget a person: what is theirs goes, what is the school's stays without them. */
export const memberErasure = question<{ readonly memberId: string }, void>('memberErasure')

/** Asks every later room to give what one member has to another, before the first is erased. */
export const memberMerge = question<{ readonly fromId: string; readonly intoId: string }, void>('memberMerge')
