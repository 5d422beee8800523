import type { Static } from 'typebox'
import {
  Course,
  CourseRef,
  type CourseRow,
  checkMove,
  courseView,
  listPricesOf,
  lockCourse,
  type Status,
  storeStatus,
  viewerOf,
} from '#src/areas/courses/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import type { Warning } from '#src/contract/warning.ts'
import { toId } from '#src/kit/ids.ts'
import { isSameInstant } from '#src/kit/instant.ts'
import { publicationWarnings } from './hooks.ts'
import { Publication, PublishedCourse } from './schema.ts'

type Context = WriteContext & { readonly params: Static<typeof CourseRef> }

type Move = { readonly to: Status; readonly publishAt?: Date; readonly fact: Omit<Fact, 'payload'> }

const lockMatching = async (context: Context): Promise<CourseRow> => {
  const row = await lockCourse(context, context.params.course_id)
  await context.requireMatch(row.revision, () => courseView(context, row))
  return row
}

// Moves a course that is locked to another status, with its audit entry and fact.
const move = async (
  context: Context,
  row: CourseRow,
  { to, publishAt, fact }: Move,
): Promise<Static<typeof Course>> => {
  const { db, school, caller, changed, record } = context
  const id = toId('crs', row.id)
  const change = { status: to, ...(publishAt === undefined ? {} : { publishAt }) }
  const stored = await storeStatus(db, school.id, row.id, change, viewerOf(caller))
  changed({ ids: [id], fields: ['status'], revision: stored.revision })
  record({ ...fact, payload: { course: id, ...(publishAt === undefined ? {} : { at: publishAt }) } })
  return courseView(context, stored)
}

const published: Move['fact'] = {
  type: 'course.published',
  effects: {
    access: {
      en: 'Makes the course public: everybody can find it and buy it',
      pt: 'Torna o curso público: todos o podem encontrar e comprar',
    },
  },
}

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

const rye = { course_id: 'slug:rye-for-the-patient' }

const schedule = (context: Context, row: CourseRow, at: Date): Promise<Static<typeof Course>> => {
  if (at <= context.now) refuseInvalid([{ pointer: '/at', code: 'past', message: 'is over already' }])
  if (row.status === 'scheduled' && isSameInstant(row.publish_at, at)) return courseView(context, row)
  if (row.status !== 'scheduled') checkMove(row.status, 'scheduled')
  return move(context, row, { to: 'scheduled', publishAt: at, fact: { type: 'course.scheduled' } })
}

const noPrice: Warning = {
  code: 'no_price',
  message: 'The course has no active price yet: only staff can enroll students.',
  ids: [],
}

const withWarnings = async (
  { db, school }: Context,
  courseId: string,
  course: Static<typeof Course>,
): Promise<Static<typeof PublishedCourse>> => {
  const [prices, answers] = await Promise.all([
    listPricesOf(db, school.id, [courseId]),
    publicationWarnings.call({ courseId }, { school, db }),
  ])
  return { ...course, warnings: [...answers.flat(), ...(prices.length === 0 ? [noPrice] : [])] }
}

const publishCourse = operation({
  id: 'publishCourse',
  route: 'PUT /courses/:course_id/publication',
  summary: 'Publish a course',
  description:
    'Publishes a course now, or at the instant in `at`. A scheduled course can be published now or rescheduled in the same way. `warnings` lists what the course lacks: published lessons, content in them, a price.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: CourseRef,
  body: Publication,
  returns: PublishedCourse,
  fails: [invalidState],
  example: { params: sourdough, body: {} },
  async handle(context) {
    const { body } = context
    const row = await lockMatching(context)
    if (body.at !== undefined) return withWarnings(context, row.id, await schedule(context, row, body.at))
    if (row.status === 'published') return withWarnings(context, row.id, await courseView(context, row))
    checkMove(row.status, 'published')
    return withWarnings(context, row.id, await move(context, row, { to: 'published', fact: published }))
  },
})

const unpublishCourse = operation({
  id: 'unpublishCourse',
  route: 'DELETE /courses/:course_id/publication',
  summary: 'Unpublish a course',
  description:
    'Turns a published or scheduled course back into a draft. Those who have access keep it as an enrollment; nobody else finds the course.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: CourseRef,
  returns: Course,
  fails: [invalidState],
  example: { params: rye },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status === 'draft') return courseView(context, row)
    if (row.status === 'archived')
      throw new Refusal(invalidState, 'The course is archived; restore it from the archive first.')
    const type = row.status === 'scheduled' ? 'course.unscheduled' : 'course.unpublished'
    return move(context, row, { to: 'draft', fact: { type } })
  },
})

const archiveCourse = operation({
  id: 'archiveCourse',
  route: 'PUT /courses/:course_id/archive',
  summary: 'Archive a course',
  description: 'Archives a published course, which ends its sale. Members with access keep it.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: CourseRef,
  returns: Course,
  fails: [invalidState],
  example: { params: { course_id: 'slug:winter-stollen' } },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status === 'archived') return courseView(context, row)
    checkMove(row.status, 'archived')
    return move(context, row, { to: 'archived', fact: { type: 'course.archived' } })
  },
})

const unarchiveCourse = operation({
  id: 'unarchiveCourse',
  route: 'DELETE /courses/:course_id/archive',
  summary: 'Unarchive a course',
  description: 'Turns an archived course back into a draft.',
  scope: 'courses:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: CourseRef,
  returns: Course,
  example: { params: rye },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status !== 'archived') return courseView(context, row)
    return move(context, row, { to: 'draft', fact: { type: 'course.unarchived' } })
  },
})

/** The operations that change the status of a course, in the order of the documentation. */
export const publicationOperations = [publishCourse, unpublishCourse, archiveCourse, unarchiveCourse]
