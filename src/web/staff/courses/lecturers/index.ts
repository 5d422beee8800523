import { texts } from '#src/texts/index.ts'
import type { StaffSection } from '../../section.ts'
import { lecturerDetails } from './lecturer.ts'
import { lecturerList } from './list.ts'

const { title: name, about } = texts.staff.lecturers.common

/** The pages of the profiles of lecturers. */
export const lecturers: StaffSection = {
  entries: [{ path: '/staff/lecturers', name, about, least: 'lecturer' }],
  pages: [lecturerList, ...lecturerDetails],
}
