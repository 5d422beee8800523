import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { memberMetrics } from './member/metrics.ts'
import { operations } from './member/operations.ts'
import { emailTaken, externalIdTaken } from './member/rules.ts'

export type { BatchMember } from './batches/queries.ts'
export { insertMany, lockMatchingMembers } from './batches/queries.ts'
export { isErased } from './erasure/queries.ts'
export { erasePerson } from './erasure/writes.ts'
export { memberErasure, memberMerge } from './hooks.ts'
export { checkMayTouch, lockMemberByRef } from './member/access.ts'
export type { MemberRow } from './member/queries.ts'
export {
  findMember,
  insertInvited,
  lockNamedMember,
  namesOf,
} from './member/queries.ts'
export { emailTaken, errorsOfMember, invited, newValues } from './member/rules.ts'
export { MarketingConsent, Member, MemberPage, MemberSettings, statuses } from './member/schema.ts'
export { insertNote } from './notes/queries.ts'
export { insertTags } from './tags/queries.ts'

/** The people who have an account in the school. */
export const members = area({
  name: 'members',
  operations,
  hooks: implementations,
  constraints: {
    members_school_id_email_folded_key: emailTaken,
    members_external_id: externalIdTaken,
  },
  metrics: memberMetrics,
})
