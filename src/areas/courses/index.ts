import type { Area } from '#src/contract/area.ts'
import { attachments } from './attachments/index.ts'
import { categories } from './categories/index.ts'
import { certificateTemplates } from './certificate-templates/index.ts'
import { contents } from './contents/index.ts'
import { courses } from './courses/index.ts'
import { curriculum } from './curriculum/index.ts'
import { drips } from './drips/index.ts'
import { lecturers } from './lecturers/index.ts'
import { lessonVersions } from './lesson-versions/index.ts'
import { outlines } from './outlines/index.ts'
import { publication } from './publication/index.ts'
import { reviews } from './reviews/index.ts'

export { AttachmentPage } from './attachments/index.ts'
export {
  addCategory,
  Category,
  CategoryPage,
  categoryDeletion,
  categoryViewsById,
  errorsOfCategories,
  withSubcategories,
} from './categories/index.ts'
export {
  addTemplate,
  CertificateTemplate,
  CertificateTemplatePage,
  findTemplate,
  type TemplateRow,
} from './certificate-templates/index.ts'
export { lessonTypes, parseEmbed } from './contents/index.ts'
export {
  addCourse,
  addPrice,
  binCourse,
  Course,
  CoursePage,
  CourseRef,
  type CourseRow,
  checkManagesCourse,
  countPublic,
  courseDimension,
  courseFigures,
  courseNames,
  courseStates,
  courseStatus,
  coursesOfLecturer,
  coursesTaughtBy,
  courseViewsIn,
  findCourseName,
  getCourse,
  hasLearned,
  insertTeaching,
  isCourseLecturer,
  isRemovedFromCourse,
  learnedCourses,
  listCoursePrices,
  listCoursesNamed,
  listNamed,
  listPublicSlugs,
  listTaught,
  lockOwnCourse,
  mayUseCourse,
  type NamedCourse,
  type NewCourseInput,
  profileRequired,
  seatReservations,
  seatsTaken,
  shareCourses,
  teaches,
} from './courses/index.ts'
export {
  accessRequired,
  addContent,
  ChangedLesson,
  checkNotArchived,
  FoundLessons,
  findLesson,
  getOpenLesson,
  getOwnLesson,
  Lesson,
  type LessonAvailability,
  LessonPage,
  type LessonRow,
  lessonArchived,
  lessonAvailability,
  lessonDimension,
  lessonLocked,
  lessonsCopied,
  lessonWarnings,
  listLessons,
  lockOwnLesson,
  requirementWarnings,
  Section,
  SectionPage,
  whyLocked,
} from './curriculum/index.ts'
export { type Drip, type DripPeriod, LessonDrip, listDripPeriods, listLessonDripPeriods } from './drips/index.ts'
export {
  addLecturer,
  buildProfiles,
  buildVisibleProfile,
  countVisible,
  findLecturerByMember,
  Lecturer,
  LecturerPage,
  listVisibleSlugs,
  profileSeenBy,
} from './lecturers/index.ts'
export { LessonVersionPage } from './lesson-versions/index.ts'
export { addOutline, Outline, type RequestedSection } from './outlines/index.ts'
export { PublishedCourse, publicationWarnings } from './publication/index.ts'
export { insertReview, ReviewPage, storeReviewStatus } from './reviews/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const coursesAreas: readonly Area[] = [
  lecturers,
  certificateTemplates,
  categories,
  courses,
  publication,
  reviews,
  contents,
  curriculum,
  drips,
  lessonVersions,
  outlines,
  attachments,
]
