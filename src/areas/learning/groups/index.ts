import { area } from '#src/contract/area.ts'
import { groupEndings, groupOperations } from './group/operations.ts'
import { implementations } from './implementations.ts'
import { groupItemOperations } from './items/operations.ts'
import { groupMemberOperations } from './members/operations.ts'

export { insertGroup } from './group/queries.ts'
export { Group, GroupPage } from './group/schema.ts'
export { addToGroups, type GroupUndo, undoGroups } from './importing/writes.ts'
export { GroupItemPage } from './items/schema.ts'
export { GroupMemberBatchResponse, GroupMemberPage } from './members/schema.ts'
export { joinGroup } from './members/writes.ts'

/** Groups of members, and the items that they give access to. */
export const groups = area({
  name: 'groups',
  operations: [...groupOperations, ...groupMemberOperations, ...groupItemOperations, ...groupEndings],
  hooks: implementations,
})
