import { activityOperations } from './activity/operations.ts'
import { fieldOperations } from '#src/areas/custom-fields/operations.ts'
import { groupItemOperations } from '#src/areas/groups/items/operations.ts'
import { groupMemberOperations } from '#src/areas/groups/members/operations.ts'
import { groupEndings, groupOperations } from '#src/areas/groups/operations.ts'
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
