import { activityOperations } from './activity/operations.ts'
import { fieldOperations } from './fields/operations.ts'
import { groupItemOperations } from './group-items/operations.ts'
import { groupMemberOperations } from './group-members/operations.ts'
import { groupEndings, groupOperations } from './groups/operations.ts'
import { noteOperations } from './notes/operations.ts'

/** What members have beside their own values, in the order of the documentation. */
export const resourceOperations = [
  ...noteOperations,
  ...activityOperations,
  ...fieldOperations,
  ...groupOperations,
  ...groupMemberOperations,
  ...groupItemOperations,
  ...groupEndings,
]
