import { account, accountSubscribers, answerAccount, createAccountWork } from '#src/areas/account/index.ts'
import { analytics } from '#src/areas/analytics/index.ts'
import { appearance } from '#src/areas/appearance/index.ts'
import { comments } from '#src/areas/comments/index.ts'
import { coupons } from '#src/areas/coupons/index.ts'
import {
  answerForCertificates,
  answerForImages,
  answerReviews,
  certificatePage,
  countTaught,
  courseCopied,
  courseFigures,
  courses,
  credentialEndpoints,
  findCourseName,
  listSolelyTaught,
  onCertificateIssued,
  onCourseCompleted,
  PUBLICATION_JOB,
  publishScheduled,
  shareCourses,
} from '#src/areas/courses/index.ts'
import {
  copyCurriculum,
  countNodes,
  curriculum,
  moveAuthor,
  previewedFiles,
  resolveDueAgain,
  usesOfFiles,
} from '#src/areas/curriculum/index.ts'
import { digitalProducts } from '#src/areas/digital_products/index.ts'
import { answerCourses, answerEarlier } from '#src/areas/entitlements/index.ts'
import { events } from '#src/areas/events/index.ts'
import { forms } from '#src/areas/forms/index.ts'
import {
  answerForAvatars,
  courseCounts,
  forgetLecturer,
  lecturers,
  moveProfile,
  soleLecturerOf,
} from '#src/areas/lecturers/index.ts'
import { answerPersonal, itemExists, memberErasure, memberMerge, members } from '#src/areas/members/index.ts'
import { membershipPlans } from '#src/areas/membership_plans/index.ts'
import { orders } from '#src/areas/orders/index.ts'
import { pages } from '#src/areas/pages/index.ts'
import { posts } from '#src/areas/posts/index.ts'
import { school } from '#src/areas/school/index.ts'
import {
  answerQuestions,
  createFileEndpoint,
  createFileRemoval,
  createUpkeep,
  filesPublic,
  storage,
  usesOf,
} from '#src/areas/storage/index.ts'
import {
  ATTEMPT_JOB,
  answerAboutLearners,
  answerAboutWork,
  answerEnrolled,
  answerLearning,
  createNotices,
  createProgressRefresh,
  ENDING_JOB,
  endDueAttempt,
  forgetAttempts,
  LESSONS_CHANGED,
  moveAttempts,
  NOTICE_JOB,
  OPENINGS_CHANGED,
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
  students,
} from '#src/areas/students/index.ts'
import { subscriptions } from '#src/areas/subscriptions/index.ts'
import type { Area } from '#src/contract/area.ts'
import type { Subscribers } from '#src/contract/fact.ts'
import type { Files } from '#src/contract/store.ts'
import { deaf, hearChanges } from '#src/db/changes.ts'
import { CONFIRMATION_JOB } from '#src/db/confirmations.ts'
import type { OpenDatabase } from '#src/db/database.ts'
import { JOBS_CHANNEL } from '#src/db/jobs.ts'
import { listen } from '#src/db/listen.ts'
import { listSchools } from '#src/db/schools.ts'
import {
  createConfirmations,
  createForgetting,
  createPerformAs,
  createServer,
  type ServerParts,
  siteEndpoints,
  sweepOutcomes,
} from '#src/http/index.ts'
import {
  createMailDelivery,
  createSend,
  identitySweeps,
  type MailSettings,
  onMemberErased,
  onMemberInvited,
} from '#src/identity/index.ts'
import { purposeKey, systemRandom } from '#src/kit/crypto.ts'
import { networks } from '#src/kit/net.ts'
import { createOAuth, type Outside, oauthSweeps, scopesOf } from '#src/oauth/index.ts'
import { createPortal } from '#src/portal/index.ts'
import { createPrinter } from '#src/print/index.ts'
import { createStaff } from '#src/staff/index.ts'
import { createFactDelivery, createSweeping, startWorker, type Worker, type WorkerParts } from '#src/worker/index.ts'

/** The twenty areas, in the order in which they may build on each other. */
export const areas: readonly Area[] = [
  school,
  members,
  storage,
  appearance,
  lecturers,
  courses,
  curriculum,
  students,
  digitalProducts,
  membershipPlans,
  coupons,
  events,
  orders,
  subscriptions,
  posts,
  pages,
  forms,
  comments,
  analytics,
  account,
]

// What earlier rooms ask and later ones know.
courseCounts.answer('courses', ({ lecturerIds }, { db, school }) => countTaught(db, school.id, lecturerIds))
soleLecturerOf.answer('courses', ({ lecturerId }, { db, school }) => listSolelyTaught(db, school.id, lecturerId))
courseFigures.answer('curriculum', ({ courseIds }, { db, school }) => countNodes(db, school.id, courseIds))
courseCopied.answer('curriculum', (copied, where) => copyCurriculum(where, copied))
itemExists.answer('courses', async ({ type, id }, { db, school }) => {
  if (type !== 'course') return undefined
  // Nobody deletes what is being opened.
  await shareCourses(db, school.id, [id])
  const name = await findCourseName(db, school.id, id)
  return name === undefined ? 'unknown' : { name }
})
usesOf.answer('curriculum', ({ fileIds }, { db, school }) => usesOfFiles(db, school, fileIds))
filesPublic.answer('curriculum', ({ fileIds }, { db, school }) => previewedFiles(db, school, fileIds))
memberMerge.answer('curriculum', async ({ fromId, intoId }, { db, school }) => {
  await moveAuthor(db, school.id, fromId, intoId)
})
memberErasure.answer('lecturers', ({ memberId }, { db, school }) => forgetLecturer(db, school.id, memberId))
memberMerge.answer('lecturers', async ({ fromId, intoId }, { db, school }) => {
  await moveProfile(db, school.id, fromId, intoId)
})
answerEarlier()
answerEnrolled()
answerCourses()
answerReviews()
answerPersonal()
answerAboutLearners()
answerAccount()
answerLearning()
answerAboutWork()
memberErasure.answer('students.attempts', ({ memberId }, { db, school }) => forgetAttempts(db, school.id, memberId))
memberMerge.answer('students.attempts', ({ fromId, intoId }, { db, school }) =>
  moveAttempts(db, school.id, fromId, intoId),
)

/** What an application is made of. */
export type AppParts = {
  readonly database: OpenDatabase
  /** Where changes to what a token decision rests on are heard of; unset: they are not, and each is asked for anew. */
  readonly listenUrl?: string | undefined
  readonly secret: string
  readonly trustProxy: string
  readonly log: ServerParts['log']
  /** Whether a person who asked for an unknown host may be told which addresses are served: on loopback only. */
  readonly tellsHosts: boolean
  readonly rates?: ServerParts['rates']
  /** How the addresses of others are reached; unset: the Internet. */
  readonly outside?: Outside | undefined
  readonly ready: ServerParts['ready']
  /** Where uploaded files lie. */
  readonly files: Files
}

const unknownHost = async (database: OpenDatabase, tellsHosts: boolean): Promise<string> => {
  if (!tellsHosts) return 'No school is served under this host.'
  const schools = await listSchools(database.shared)
  return `No school is served under this host. Served here: ${schools.map(({ baseUrl }) => baseUrl).join(', ')}`
}

// Derived once for each purpose: deriving is not free, and links to files are signed by the dozen.
const keysOf = (secret: string): ((purpose: string) => Buffer) => {
  const known = new Map<string, Buffer>()
  return purpose => {
    const key = known.get(purpose) ?? purposeKey(secret, purpose)
    known.set(purpose, key)
    return key
  }
}

// What later rooms answer to earlier ones.
answerQuestions()
answerForCertificates()
answerForAvatars()
answerForImages()

/** Puts the application together: the areas, the authorization server and the HTTP server over one database. */
export const createApp = (parts: AppParts) => {
  const { database, secret, outside, listenUrl, files } = parts
  const keyFor = keysOf(secret)
  const changes = listenUrl === undefined ? deaf : hearChanges(listenUrl)
  const { endpoints, authenticate, holdCaller } = createOAuth({
    database,
    changes,
    areas,
    secret,
    random: systemRandom,
    outside,
  })
  const operations = areas.flatMap(area => area.operations)
  const confirmations = createConfirmations({ database, operations, holdGrant: holdCaller, files, keyFor })
  const printer = createPrinter()
  const performAs = createPerformAs({ database, operations, files, keyFor })
  const pageParts = { secret, confirmations, performAs }
  const portal = createPortal({ ...pageParts, random: systemRandom, scopes: scopesOf(areas) })
  const staff = createStaff(pageParts)
  const server = createServer({
    database,
    areas,
    endpoints: [
      ...endpoints,
      ...portal,
      ...staff,
      createFileEndpoint(files, keyFor),
      certificatePage({ files, printer }),
      ...credentialEndpoints({ keyFor }),
      ...siteEndpoints(areas),
    ],
    authenticate,
    files,
    keyFor,
    isProxy: networks(parts.trustProxy),
    log: parts.log,
    rates: parts.rates,
    ready: parts.ready,
    unknownHost: () => unknownHost(database, parts.tellsHosts),
  })
  server.addHook('onClose', () => Promise.all([changes.stop(), printer.stop()]).then(() => undefined))
  return server
}

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
  'lesson.opened': [onLessonOpened],
  'school.updated': [onSchoolMoved],
  'member.updated': [onNoticesWanted],
  ...accountSubscribers,
  'group.item_opened': [onGroupItem],
  'group.item_closed': [onGroupItem],
  'student.enrolled': [onStudentEnrolled],
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
      [CONFIRMATION_JOB]: createForgetting(database),
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
