import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { certificateExists } from './certificates/rules.ts'
import { operations } from './operations.ts'
import { reviewExists } from './reviews/rules.ts'
import { courseExternalIdTaken } from './rules.ts'

export {
  addCourse,
  canManageCourse,
  checkManagesCourse,
  courseViewsIn,
  findArchivedCourse,
  getCourse,
  isLecturerOf,
  lockCourse,
  lockOwnCourse,
} from './actions.ts'
export { addCategory } from './categories/actions.ts'
export { certificatePage, type PrintParts } from './certificate-pages/operations.ts'
export { addTemplate } from './certificate-templates/actions.ts'
export {
  answerForCertificates,
  certificateView,
  courseLook,
  issue,
  onCertificateIssued,
  onCourseCompleted,
} from './certificates/actions.ts'
export { certificatesStatement, countCertificates, findBySerial, findCertificate } from './certificates/queries.ts'
export { readSerial } from './certificates/rules.ts'
export { Certificate, CertificatePage, OwnCertificateRef, OwnCertificatesQuery } from './certificates/schema.ts'
export { giveUpLostKey, listUnopenableKeys } from './credentials/actions.ts'
export { credentialEndpoints } from './credentials/operations.ts'
export { answerForImages } from './images.actions.ts'
export {
  courseNames,
  courseStates,
  findCourseName,
  learnedCourses,
  listNamed,
  type NamedCourse,
  shareCourses,
} from './known.queries.ts'
export { addPrice } from './prices/actions.ts'
export { publishScheduled } from './publication/actions.ts'
export { PUBLICATION_JOB, storeStatus } from './publication/queries.ts'
export { type CourseRow, touchCourses } from './queries.ts'
export {
  type CourseFigures,
  courseCopied,
  courseFigures,
  hasLearned,
  holdsOf,
  mayUseCourse,
  publicationWarnings,
  seatsTaken,
} from './questions.ts'
export { addReview, answerReviews, holdOwnReview, noReview, reviewValuesOf, reviewView } from './reviews/actions.ts'
export {
  countReviews,
  deleteReview,
  findReview,
  insertReview,
  type ReviewRow,
  type ReviewValues,
  reviewModeOf,
  reviewsStatement,
  storeReview,
  storeReviewStatus,
} from './reviews/queries.ts'
export { enrollmentRequired, ownCourseReview, reviewExists, statusAfterEdit } from './reviews/rules.ts'
export { NewReview, Review, ReviewChanges, ReviewPage, ReviewRef, reviewStatuses } from './reviews/schema.ts'
export { Course, CourseRef } from './schema.ts'
export {
  countTaught,
  coursesOfLecturer,
  coursesTaughtBy,
  insertTeaching,
  listSolelyTaught,
  listTaught,
  teaches,
} from './teaching/queries.ts'

/** What the school teaches, with prices, categories, reviews and certificates. */
export const courses = area({
  name: 'courses',
  summary: 'What the school teaches, with prices, categories, reviews and certificates',
  segments: ['courses', 'categories', 'reviews', 'certificates', 'certificate-templates'],
  scopes: {
    'courses:read': {
      offeredTo: 'member',
      sentence: { en: 'See courses and what they cost', pt: 'Ver os cursos e os seus preços' },
    },
    'courses:write': {
      offeredTo: 'lecturer',
      sentence: { en: 'Create, change and publish courses', pt: 'Criar, alterar e publicar cursos' },
    },
  },
  operations,
  constraints: {
    courses_slug: slugTaken,
    courses_external_id: courseExternalIdTaken,
    categories_slug: slugTaken,
    certificates_current: certificateExists,
    reviews_member: reviewExists,
  },
})
