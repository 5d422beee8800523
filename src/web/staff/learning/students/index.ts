import type { StaffSection } from '../../section.ts'
import { enrollSomebody } from './enroll.ts'
import { enrollmentDetails } from './enrollment.ts'
import { studentLesson } from './lesson.ts'
import { studentList } from './list.ts'

export { studentsText } from './text.ts'

/** The pages of students and their enrollments. */
export const students: StaffSection = {
  pages: [...studentList, ...enrollSomebody, ...enrollmentDetails, ...studentLesson],
}
