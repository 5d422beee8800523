import { account, answerAccount } from '#src/areas/account/index.ts'
import { analytics } from '#src/areas/analytics/index.ts'
import { appearance } from '#src/areas/appearance/index.ts'
import { comments } from '#src/areas/comments/index.ts'
import { coupons } from '#src/areas/coupons/index.ts'
import {
  answerForCertificates,
  answerForImages,
  answerReviews,
  countTaught,
  courseCopied,
  courseFigures,
  courses,
  findCourseName,
  listSolelyTaught,
  publicationWarnings,
  shareCourses,
} from '#src/areas/courses/index.ts'
import {
  copyCurriculum,
  countNodes,
  curriculum,
  moveAuthor,
  previewedFiles,
  usesOfFiles,
  warningsOfCourse,
} from '#src/areas/curriculum/index.ts'
import { digitalProducts } from '#src/areas/digital_products/index.ts'
import { answerCourses, answerEarlier } from '#src/areas/access/index.ts'
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
import { answerQuestions, filesPublic, storage, usesOf } from '#src/areas/storage/index.ts'
import {
  answerAboutLearners,
  answerAboutWork,
  answerEnrolled,
  answerLearning,
  forgetAttempts,
  moveAttempts,
  students,
} from '#src/areas/students/index.ts'
import { subscriptions } from '#src/areas/subscriptions/index.ts'
import type { Area } from '#src/contract/area.ts'

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
publicationWarnings.answer('curriculum', ({ courseId }, { db, school }) => warningsOfCourse(db, school.id, courseId))
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
answerQuestions()
answerForCertificates()
answerForAvatars()
answerForImages()
