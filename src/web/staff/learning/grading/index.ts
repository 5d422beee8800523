import type { StaffSection } from '../../section.ts'
import { attemptGrading } from './attempt.ts'
import { gradingQueue } from './queue.ts'
import { workGrading } from './work.ts'

/** The pages on which work and quiz answers are graded. */
export const grading: StaffSection = {
  pages: [gradingQueue, ...workGrading, ...attemptGrading],
}
