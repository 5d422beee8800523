import type { StaffSection } from '../../section.ts'
import { templateList } from './list.ts'
import { templateDetails } from './template.ts'

/** The pages of certificate templates. */
export const certificates: StaffSection = {
  pages: [templateList, ...templateDetails],
}
