import type { StaffSection } from '../section.ts'
import { groupDetails } from './group.ts'
import { groupList } from './list.ts'

/** The pages of groups. */
export const groups: readonly StaffSection[] = [groupList, groupDetails]
