import { texts } from '#src/texts/index.ts'
import type { StaffSection } from '../../section.ts'
import { templateList } from './list.ts'
import { templateDetails } from './template.ts'

const { title: name, about } = texts.staff.certificates.common

/** The pages of certificate templates. */
export const certificates: StaffSection = {
  entries: [{ path: '/staff/certificates', name, about }],
  pages: [templateList, ...templateDetails],
}
