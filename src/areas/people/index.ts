import type { Area } from '#src/contract/area.ts'
import { account } from './account/index.ts'
import { customFields } from './custom-fields/index.ts'
import { members } from './members/index.ts'

export { Account, AccountDeletion, AppActPage, ExportPage } from './account/index.ts'
export { CustomField, CustomFieldPage, fieldTypes, insertField } from './custom-fields/index.ts'
export {
  type BatchMember,
  bringBack,
  buildPerson,
  checkMayTouch,
  type Departure,
  emailTaken,
  erasePerson,
  errorsOfMember,
  findMember,
  insertInvited,
  insertMany,
  insertNote,
  insertTags,
  invited,
  isErased,
  lockMatchingMembers,
  lockMemberByRef,
  lockNamedMember,
  Member,
  MemberPage,
  type MemberRow,
  MemberSettings,
  memberDeparture,
  memberRunning,
  newValues,
  provenAddress,
  readNames,
  statuses,
} from './members/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const peopleAreas: readonly Area[] = [customFields, members, account]
