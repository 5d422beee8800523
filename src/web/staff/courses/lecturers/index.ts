import type { StaffSection } from '../../section.ts'
import { lecturerDetails } from './lecturer.ts'
import { lecturerList } from './list.ts'

/** The pages of the profiles of lecturers. */
export const lecturers: StaffSection = {
  pages: [...lecturerList, ...lecturerDetails],
}
