import type { Area } from '#src/contract/area.ts'
import { account } from './account/index.ts'
import { customFields } from './custom-fields/index.ts'
import { members } from './members/index.ts'

export {
  Account,
  AccountDeletion,
  AppActPage,
  ConnectedAppPage,
  ExportPage,
  SessionPage,
} from './account/index.ts'
export { CustomField, CustomFieldPage, fieldTypes, insertField, listFields } from './custom-fields/index.ts'
export {
  ActivityPage,
  type BatchMember,
  bringBack,
  buildPerson,
  checkMayTouch,
  createdUndo,
  type Departure,
  decodeMemberRows,
  emailTaken,
  erasePerson,
  errorsOfMember,
  findMember,
  importMembers,
  insertInvited,
  insertMany,
  insertNote,
  insertSegment,
  insertTags,
  invited,
  isErased,
  latestCourses,
  lockMatchingMembers,
  lockMemberByRef,
  lockNamedMember,
  Member,
  MemberFilterBody,
  type MemberOutcome,
  MemberPage,
  MemberRef,
  type MemberRow,
  MemberSettings,
  type MemberUndo,
  memberDeparture,
  memberExample,
  memberRunning,
  memberSpending,
  NotePage,
  newValues,
  provenAddress,
  readBatchIds,
  readNames,
  Segment,
  SegmentPage,
  statuses,
  suspendedUndo,
  suspendNamed,
  TagBatchResponse,
  TagPage,
  type Undone,
  undoMembers,
} from './members/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const peopleAreas: readonly Area[] = [customFields, members, account]
