import { accountSubscribers, createAccountWork } from '#src/areas/account/index.ts'
import { onCertificateIssued, onCourseCompleted, PUBLICATION_JOB, publishScheduled } from '#src/areas/courses/index.ts'
import { resolveDueAgain } from '#src/areas/curriculum/index.ts'
import { createFileRemoval, createUpkeep } from '#src/areas/storage/index.ts'
import {
  ATTEMPT_JOB,
  createNotices,
  createProgressRefresh,
  ENDING_JOB,
  endDueAttempt,
  LESSONS_CHANGED,
  NOTICE_JOB,
  OPENINGS_CHANGED,
  onAttemptGraded,
  onGroupItem,
  onLessonOpened,
  onLessonsChanged,
  onNoticesWanted,
  onOpeningsChanged,
  onSchoolMoved,
  onStudentEnrolled,
  onSubmissionDecided,
  PROGRESS_JOB,
  remindOfEnding,
  resolveExtensionsAgain,
} from '#src/areas/students/index.ts'
import type { Subscribers } from '#src/contract/fact.ts'
import type { Files } from '#src/contract/store.ts'
import { CONFIRMATION_JOB } from '#src/db/confirmations.ts'
import type { OpenDatabase } from '#src/db/database.ts'
import { JOBS_CHANNEL } from '#src/db/jobs.ts'
import { listen } from '#src/db/listen.ts'
import { createConfirmationExpiry, sweepOutcomes } from '#src/http/index.ts'
import {
  createMailDelivery,
  createSend,
  identitySweeps,
  type MailSettings,
  onMemberErased,
  onMemberInvited,
} from '#src/identity/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { oauthSweeps } from '#src/oauth/index.ts'
import { createFactDelivery, createSweeping, startWorker, type Worker, type WorkerParts } from '#src/worker/index.ts'

/** What the work behind the application is made of. */
export type BackgroundParts = Pick<WorkerParts, 'onFault'> & {
  readonly database: OpenDatabase
  readonly secret: string
  readonly mail: MailSettings
  readonly files: Files
  /** Who else wants to know of facts. */
  readonly subscribers?: Subscribers
  /** Where commits that made work are heard of; unset: it is looked for each second. */
  readonly listenUrl: string | undefined
}

// What follows from facts, by their kinds.
const subscribersOf = ({ secret, mail, subscribers = {} }: BackgroundParts): Subscribers => ({
  'member.invited': [onMemberInvited({ secret, random: systemRandom })],
  'member.erased': [onMemberErased(mail.folder)],
  ...Object.fromEntries(OPENINGS_CHANGED.map(kind => [kind, [onOpeningsChanged]])),
  ...Object.fromEntries(LESSONS_CHANGED.map(kind => [kind, [onLessonsChanged, onOpeningsChanged]])),
  'lesson.unlocked': [onLessonOpened],
  'school.updated': [onSchoolMoved],
  'member.updated': [onNoticesWanted],
  ...accountSubscribers,
  'group.item_added': [onGroupItem],
  'group.item_removed': [onGroupItem],
  'student.enrolled': [onStudentEnrolled],
  'quiz_attempt.graded': [onAttemptGraded],
  'submission.graded': [onSubmissionDecided],
  'submission.returned': [onSubmissionDecided],
  'enrollment.completed': [onCourseCompleted],
  'certificate.issued': [onCertificateIssued],
  ...subscribers,
})

/** Starts what is done behind the requests: mails are sent, facts delivered, and what nobody needs any more is forgotten. */
export const startBackground = (parts: BackgroundParts): Pick<Worker, 'stop'> => {
  const { database, secret, mail, listenUrl, onFault, files } = parts
  const delivery = createMailDelivery({ database, secret, from: mail.from, send: createSend(mail) })
  const facts = createFactDelivery(database, subscribersOf(parts))
  const sweep = createSweeping(database, [
    ...oauthSweeps,
    ...identitySweeps,
    sweepOutcomes,
    resolveDueAgain,
    resolveExtensionsAgain,
  ])
  const worker = startWorker({
    database,
    handlers: {
      mail: delivery,
      fact: facts,
      sweep,
      [CONFIRMATION_JOB]: createConfirmationExpiry(database),
      [PUBLICATION_JOB]: publishScheduled,
      ...createAccountWork(database, files.store),
      [ATTEMPT_JOB]: endDueAttempt,
      [PROGRESS_JOB]: createProgressRefresh(database),
      [NOTICE_JOB]: createNotices(database),
      [ENDING_JOB]: remindOfEnding,
      file_removal: createFileRemoval(database, files.store),
      storage: createUpkeep(database, files.store),
    },
    onFault,
  })
  const listening =
    listenUrl === undefined ? undefined : listen(listenUrl, { channels: [JOBS_CHANNEL], heard: worker.wake })
  return {
    stop: async () => {
      await Promise.all([listening?.stop(), worker.stop()])
    },
  }
}
