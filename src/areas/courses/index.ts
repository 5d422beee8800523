import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { certificateExists } from '#src/areas/certificates/certificates/rules.ts'
import { operations } from './course/operations.ts'
import { reviewExists } from '#src/areas/reviews/rules.ts'
import { courseExternalIdTaken } from './course/rules.ts'

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
} from './course/actions.ts'
export { addCategory } from '#src/areas/categories/actions.ts'
export { certificatePage, type PrintParts } from '#src/areas/certificates/page/operations.ts'
export { addTemplate } from '#src/areas/certificate-templates/actions.ts'
export {
  answerForCertificates,
  certificateView,
  courseLook,
  issue,
  onCertificateIssued,
  onCourseCompleted,
} from '#src/areas/certificates/certificates/actions.ts'
export { certificatesStatement, countCertificates, findBySerial, findCertificate } from '#src/areas/certificates/certificates/queries.ts'
export { readSerial } from '#src/areas/certificates/certificates/rules.ts'
export { Certificate, CertificatePage, OwnCertificateRef, OwnCertificatesQuery } from '#src/areas/certificates/certificates/schema.ts'
export { giveUpLostKey, listUnopenableKeys } from '#src/areas/certificates/credentials/actions.ts'
export { credentialEndpoints } from '#src/areas/certificates/credentials/operations.ts'
export { answerForImages } from './implementations.ts'
export {
  courseNames,
  courseStates,
  findCourseName,
  learnedCourses,
  listNamed,
  type NamedCourse,
  shareCourses,
} from './course/lookups.queries.ts'
export { addPrice } from './prices/actions.ts'
export { publishScheduled } from './publication/actions.ts'
export { PUBLICATION_JOB, storeStatus } from './publication/queries.ts'
export { type CourseRow, touchCourses } from './course/queries.ts'
export {
  type CourseFigures,
  courseCopied,
  courseFigures,
  hasLearned,
  holdsOf,
  mayUseCourse,
  publicationWarnings,
  seatsTaken,
} from './hooks.ts'
export { addReview, answerReviews, holdOwnReview, noReview, reviewValuesOf, reviewView } from '#src/areas/reviews/actions.ts'
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
} from '#src/areas/reviews/queries.ts'
export { enrollmentRequired, ownCourseReview, reviewExists, statusAfterEdit } from '#src/areas/reviews/rules.ts'
export { NewReview, Review, ReviewChanges, ReviewPage, ReviewRef, reviewStatuses } from '#src/areas/reviews/schema.ts'
export { Course, CourseRef } from './course/schema.ts'
export {
  countTaught,
  coursesOfLecturer,
  coursesTaughtBy,
  insertTeaching,
  listSolelyTaught,
  listTaught,
  teaches,
} from './lecturers/queries.ts'

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
