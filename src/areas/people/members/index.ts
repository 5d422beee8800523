import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { memberMetrics } from './member/metrics.ts'
import { operations } from './member/operations.ts'
import { emailTaken, externalIdTaken } from './member/rules.ts'
import { segmentNameTaken } from './segments/operations.ts'
import { erasureOperations } from './states/erasure.operations.ts'
import { stateOperations } from './states/operations.ts'
import { viewingOperations } from './viewing/operations.ts'

export { ActivityPage } from './activity/schema.ts'
export { readBatchIds } from './batches/lookups.ts'
export { type BatchMember, insertMany, lockMatchingMembers } from './batches/queries.ts'
export { decodeMemberRows, importMembers, type MemberOutcome } from './batches/writes.ts'
export { endingEffects, withEffects } from './departure/rules.ts'
export { bringBack, readRunning } from './departure/writes.ts'
export { isErased } from './erasure/queries.ts'
export { erasePerson } from './erasure/writes.ts'
export { type Departure, latestCourses, memberDeparture, memberRunning, memberSpending } from './hooks.ts'
export { checkMayTouch, getNamedMember, lockMemberByRef, provenAddress } from './member/access.ts'
export { buildPerson } from './member/conditions.ts'
export {
  findMember,
  insertInvited,
  lockNamedMember,
  type MemberRow,
  readNames,
} from './member/queries.ts'
export { emailTaken, errorsOfMember, invited, newValues } from './member/rules.ts'
export {
  MarketingConsent,
  Member,
  MemberFilterBody,
  MemberPage,
  MemberRef,
  MemberSettings,
  memberExample,
  statuses,
} from './member/schema.ts'
export { insertNote } from './notes/queries.ts'
export { NotePage } from './notes/schema.ts'
export { insertSegment } from './segments/queries.ts'
export { Segment, SegmentPage } from './segments/schema.ts'
export { suspendNamed } from './states/writes.ts'
export { insertTags } from './tags/queries.ts'
export { TagBatchResponse, TagPage } from './tags/schema.ts'
export { createdUndo, type MemberUndo, suspendedUndo } from './undo/rules.ts'
export { type Undone, undoMembers } from './undo/writes.ts'

/** The people who have an account in the school, and how they come and go. */
export const members = area({
  name: 'members',
  operations: [...operations, ...stateOperations, ...erasureOperations, ...viewingOperations],
  hooks: implementations,
  constraints: {
    members_school_id_email_folded_key: emailTaken,
    members_external_id: externalIdTaken,
    member_segments_school_id_name_folded_key: segmentNameTaken,
  },
  metrics: memberMetrics,
})
