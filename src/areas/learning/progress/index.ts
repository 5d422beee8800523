import { area } from '#src/contract/area.ts'
import { accountLearningOperations } from './account.operations.ts'
import { availabilityOperations } from './availability/operations.ts'
import { progressMetrics } from './completions/metrics.ts'
import { completionOperations } from './completions/operations.ts'
import { implementations } from './implementations.ts'
import { createNotices } from './notices/jobs.ts'
import { noticeMails } from './notices/mails.ts'
import { NOTICE_JOB } from './notices/queries.ts'
import { createProgressRefresh, PROGRESS_JOB } from './progress/jobs.ts'
import { progressOperations } from './progress/operations.ts'
import { subscribers } from './subscribers.ts'

export { getLearnersLesson, getStudentLesson, isOpenToLearners } from './access.ts'
export { availabilityAt, type Override } from './availability/rules.ts'
export { StudentLessonAvailability } from './availability/schema.ts'
export { certificatesDue, certificatesGiven } from './completions/hooks.ts'
export type { CompletionRow } from './completions/queries.ts'
export { completeLessonByWork, completeLessonOfLocked } from './completions/writes.ts'
export type { ProgressRow } from './importing/rules.ts'
export { undoProgress } from './importing/undo.writes.ts'
export {
  importProgress,
  type ProgressOutcome,
  type ProgressUndo,
} from './importing/writes.ts'
export { progressAt } from './progress/rules.ts'
export { CourseCompletions, Progress } from './progress/schema.ts'

/** The completions, the progress and the playback positions of learners, and the availability of lessons to them. */
export const progress = area({
  name: 'progress',
  operations: [...progressOperations, ...completionOperations, ...availabilityOperations, ...accountLearningOperations],
  hooks: implementations,
  subscribers,
  jobs: {
    [NOTICE_JOB]: ({ database }) => createNotices(database),
    [PROGRESS_JOB]: ({ database }) => createProgressRefresh(database),
  },
  mails: Object.values(noticeMails),
  metrics: progressMetrics,
})
