import type { StaffSection } from '../../section.ts'
import { assignmentEditor } from '../lessons/assignment.ts'
import { lessonEditor } from '../lessons/lesson.ts'
import { questionEditor } from '../lessons/question.ts'
import { quizEditor } from '../lessons/quiz.ts'
import { courseCreation } from './create.ts'
import { courseDetails } from './details.ts'
import { courseList } from './list.ts'
import { courseOutline } from './outline.ts'
import { coursePrices } from './prices.ts'
import { coursePublication } from './publication.ts'

/** The pages on which lecturers and staff create, write and publish courses. */
export const courses: StaffSection = {
  pages: [
    ...[courseList, ...courseCreation, ...courseOutline, ...courseDetails, ...coursePrices, ...coursePublication],
    ...[...lessonEditor, ...quizEditor, ...questionEditor, ...assignmentEditor],
  ],
}
