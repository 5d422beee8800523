import { area } from '#src/contract/area.ts'
import { groupItemOperations } from './items/operations.ts'
import { groupMemberOperations } from './members/operations.ts'
import { groupEndings, groupOperations } from './operations.ts'

export { groupJoined, groupLeft, itemExists } from './hooks.ts'
export { groupOpenings, listOpenCourses } from './items/queries.ts'
export { joinGroup } from './members/actions.ts'
export { insertGroup, listGroupNames } from './queries.ts'

/** Groups of members, and the items that they give access to. */
export const groups = area({
  name: 'groups',
  operations: [...groupOperations, ...groupMemberOperations, ...groupItemOperations, ...groupEndings],
})
