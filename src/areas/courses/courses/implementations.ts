import { categoryDeletion } from '#src/areas/courses/categories/index.ts'
import { isTaughtWith, templateDeletion } from '#src/areas/courses/certificate-templates/index.ts'
import { courseCounts, soleLecturerOf } from '#src/areas/courses/lecturers/index.ts'
import { filesPublic, usesOf } from '#src/areas/files/index.ts'
import { countInOtherCurrency, currencyUses } from '#src/areas/school/index.ts'
import { implement } from '#src/contract/hook.ts'
import { inUseOf, itemExists, itemNames, namedItems } from '#src/contract/items.ts'
import { offerOf, release, reserve } from '#src/contract/offer.ts'
import { blockOf } from '#src/contract/page-blocks.ts'
import { memberErasure, memberMerge } from '#src/contract/personal-data.ts'
import { ownSubjects, subjectNames, subjectOf } from '#src/contract/subject.ts'
import { dropLinks } from '#src/db/links.ts'
import { toId } from '#src/kit/ids.ts'
import { buildViewer } from './course/access.ts'
import { courseCards } from './course/cards.lookups.ts'
import { courseCategories, courseSlugs } from './course/conditions.ts'
import { findCourseName, listCourseNames, shareCourses } from './course/named.queries.ts'
import { leaveTemplate, listImages } from './course/references.queries.ts'
import { coursesCommentedFor } from './course/subjects.conditions.ts'
import { courseSubject, courseSubjectNames } from './course/subjects.lookups.ts'
import { countTaught, listSolelyTaught, teachesWith } from './lecturers/queries.ts'
import { coursePrices } from './prices/conditions.ts'
import { findOffer } from './prices/lookups.ts'
import { countReservations, deleteReservation, eraseReservations, moveReservations } from './seats/queries.ts'
import { reserveSeat } from './seats/writes.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(currencyUses, async ({ currency }, { db, school }) => [
    { kind: 'price', count: await countInOtherCurrency(db, school.id, coursePrices, currency) },
  ]),
  implement(categoryDeletion, async ({ categoryId }, { db, school }) => {
    const ids = await dropLinks(db, school.id, courseCategories, courseSlugs.rows, categoryId)
    return ids.map(id => toId('crs', id))
  }),
  implement(templateDeletion, async ({ templateId }, { db, school }) => {
    await leaveTemplate(db, school.id, templateId)
  }),
  implement(isTaughtWith, ({ templateId, lecturerId }, { db, school }) =>
    teachesWith(db, school.id, lecturerId, templateId),
  ),
  implement(courseCounts, ({ lecturerIds }, { db, school }) => countTaught(db, school.id, lecturerIds)),
  implement(soleLecturerOf, ({ lecturerId }, { db, school }) => listSolelyTaught(db, school.id, lecturerId)),
  implement(itemExists, async ({ type, id }, { db, school }) => {
    if (type !== 'course') return undefined
    // The locks prevent that a course is deleted while a bundle opens it.
    await shareCourses(db, school.id, [id])
    const name = await findCourseName(db, school.id, id)
    return name === undefined ? 'unknown' : { name }
  }),
  implement(itemNames, async ({ type, ...asked }, { db, school }) =>
    namedItems(type === 'course' ? await listCourseNames(db, school.id, asked) : [], '/courses'),
  ),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).map(row => ({
      fileId: row.image_file_id,
      kind: 'course',
      id: toId('crs', row.id),
      name: row.name,
    })),
  ),
  implement(filesPublic, async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).filter(row => row.is_public).map(row => row.image_file_id),
  ),
  implement(offerOf, (price, context) => findOffer(context, price)),
  implement(blockOf, async ({ block, keyFor }, context) =>
    block.type === 'courses' ? courseCards({ ...context, keyFor }, block) : undefined,
  ),
  implement(subjectOf, (input, context) => courseSubject(context, input)),
  implement(subjectNames, (input, context) => courseSubjectNames(context, input)),
  implement(ownSubjects, async ({ caller }, { school }) => ({
    type: 'course',
    ids: coursesCommentedFor(school.id, buildViewer(caller)),
  })),
  // An order has one seat of a course, so the quantity of its line is one.
  implement(reserve, async (line, context) =>
    line.offer.item.type === 'course' ? reserveSeat(context, line) : undefined,
  ),
  implement(release, async ({ lineId }, { db, school }) => {
    await deleteReservation(db, school.id, lineId)
  }),
  // Somebody is paying for it.
  implement(inUseOf, async ({ type, id }, { db, school }) => {
    const count = type === 'course' ? await countReservations(db, school.id, id) : 0
    return count === 0 ? [] : [{ kind: 'seat_reservation', id: null, count }]
  }),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await eraseReservations(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveReservations(db, school.id, fromId, intoId)
  }),
]
