import type { StaffSection } from '../../section.ts'
import { pageEdit } from './edit.ts'
import { pageList } from './list.ts'
import { pageVersions } from './versions.ts'

/** The pages on which staff write pages of the site. */
export const contentPages: readonly StaffSection[] = [pageList, pageEdit, pageVersions]
