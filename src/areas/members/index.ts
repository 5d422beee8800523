import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'
import { implementations } from './personal/actions.ts'
import { emailTaken, externalIdTaken } from './rules.ts'

export { holdMember, invited } from './actions.ts'
export { type BatchMember, insertMany, lockMeant } from './batches/queries.ts'
export { erasePerson } from './erasure/actions.ts'
export { memberErasure, memberMerge } from './hooks.ts'
export { insertNote } from './notes/queries.ts'
export {
  countMembers,
  findByWords,
  findMember,
  insertInvited,
  listChangedMembers,
  lockNamedMember,
  type MemberFilter,
  type MemberOrder,
  type MemberRow,
  membersStatement,
  namesOf,
} from './queries.ts'
export { checkMayTouch, emailTaken, faultsOfMember, newValues } from './rules.ts'
export { MarketingConsent, Member, MemberPage, MemberSettings, statuses } from './schema.ts'
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
})
