import type { StaffSection } from '../../section.ts'
import { attemptGrading } from './attempt.ts'
import { gradingQueue } from './queue.ts'
import { gradingText as text } from './text.ts'
import { workGrading } from './work.ts'

/** The pages on which work and quiz answers are graded. */
export const grading: StaffSection = {
  entries: [{ path: '/staff/grading', name: text.title, about: text.about, least: 'lecturer' }],
  pages: [gradingQueue, ...workGrading, ...attemptGrading],
}
