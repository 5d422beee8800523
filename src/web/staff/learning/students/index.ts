import type { StaffSection } from '../../section.ts'
import { enrollSomebody } from './enroll.ts'
import { enrollmentDetails } from './enrollment.ts'
import { studentList } from './list.ts'
import { studentsText as text } from './text.ts'

export { studentsText } from './text.ts'

/** The pages of students and their enrollments. */
export const students: StaffSection = {
  entries: [{ path: '/staff/students', name: text.title, about: text.about, least: 'lecturer' }],
  pages: [...studentList, ...enrollSomebody, ...enrollmentDetails],
}
