import { isStaff } from '#src/contract/caller.ts'
import { changeRow } from '#src/contract/change.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { moveSlug } from '#src/db/slugs.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { soleLecturerOf } from '../hooks.ts'
import { buildViewer, lockLecturerByRef, lockOwnLecturer } from './access.ts'
import { lecturerSlugs } from './conditions.ts'
import {
  deleteLecturerRow,
  findLecturer,
  type LecturerValues,
  lecturerList,
  lockOrder,
  storeLecturer,
  storeOrder,
} from './queries.ts'
import { mergeInput, profileExists, refuseSole, soleLecturer } from './rules.ts'
import {
  Lecturer,
  LecturerChanges,
  LecturerOrder,
  LecturerOrdered,
  LecturerPage,
  LecturerRef,
  LecturersQuery,
  NewLecturer,
} from './schema.ts'
import { lecturerView, lecturerViews } from './views.ts'
import { addLecturer, checkValues } from './writes.ts'

const carla = { lecturer_id: 'slug:carla-nunes' }

const ACTIONS = ['getLecturer', 'updateLecturer']

const STAFF_ACTIONS = [...ACTIONS, 'deleteLecturer']

const listLecturers = declareFor('anyone', 'lecturers', {
  id: 'listLecturers',
  route: 'GET /lecturers',
  summary: 'List lecturers',
  description:
    'Lists the public profiles of lecturers in the order that the school set. Hidden profiles are listed for staff and for the person whose profile it is.',
  query: LecturersQuery,
  returns: LecturerPage,
  handle(context) {
    const { school, caller, query } = context
    const filter = { viewer: buildViewer(caller), q: query.q, visibility: query.visibility, ids: query['id[in]'] }
    return readList(context, lecturerList(school.id, filter), rows => lecturerViews(context, rows))
  },
})

const getLecturer = declareFor('anyone', 'lecturers', {
  id: 'getLecturer',
  route: 'GET /lecturers/:lecturer_id',
  summary: 'Get a lecturer',
  description:
    'Returns the profile of one lecturer. An earlier slug of the profile still works; the response has the current one.',
  params: LecturerRef,
  returns: Lecturer,
  example: { params: carla },
  async handle(context) {
    const { db, school, caller, params, allowedActions } = context
    const row = await findLecturer(db, school.id, buildViewer(caller), params.lecturer_id)
    if (row === undefined) throw new Refusal(notFound, 'There is no such lecturer.')
    const view = await lecturerView(context, row)
    if (caller.member === undefined) return view
    const isOwn = row.member_id === caller.member.id
    const actions = isStaff(caller) ? STAFF_ACTIONS : ACTIONS.slice(0, isOwn ? 2 : 1)
    return { ...view, allowed_actions: allowedActions(actions) }
  },
})

const createLecturer = declareFor('staff', 'lecturers', {
  id: 'createLecturer',
  route: 'POST /lecturers',
  summary: 'Create a lecturer profile',
  description:
    'Adds a public profile. With `member_id` the profile belongs to that member, who becomes a lecturer of the courses that it is added to.',
  body: NewLecturer,
  returns: Lecturer,
  status: 201,
  fails: [slugTaken, profileExists],
  example: { body: { display_name: 'Gil Tavares', bio: 'Bakes **rye** in Porto.' } },
  async handle(context) {
    const row = await addLecturer(context, context.body)
    const id = toId('lec', row.id)
    context.changed({ ids: [id], fields: Object.keys(context.body), revision: row.revision })
    context.record({ type: 'lecturer.created', payload: { lecturer_id: id } })
    return lecturerView(context, row)
  },
})

const updateLecturer = declareFor('lecturer_of', 'lecturers', {
  id: 'updateLecturer',
  route: 'PATCH /lecturers/:lecturer_id',
  summary: 'Update a lecturer profile',
  description:
    'Changes a profile. Lecturers may change `display_name`, `bio`, `avatar_file_id` and `links` of their own profile; the other fields are for staff.',
  ifMatch: 'honoured',
  params: LecturerRef,
  body: LecturerChanges,
  returns: Lecturer,
  fails: [slugTaken, profileExists],
  example: { params: carla, body: { bio: 'Teaches **sourdough** since 2012.' } },
  async handle(context) {
    const { db, school, params, body } = context
    const row = await lockOwnLecturer(context, params.lecturer_id, Object.keys(body))
    return changeRow(context, row, {
      id: toId('lec', row.id),
      fact: 'lecturer.updated',
      values: (): LecturerValues => mergeInput(row, body),
      check: values => checkValues(context, values, row),
      store: async (values, fields) => {
        const stored = await storeLecturer(db, school.id, row.id, values)
        if (fields.includes('slug'))
          await moveSlug(db, school.id, lecturerSlugs, row.id, { from: row.slug, to: values.slug })
        return stored
      },
      view: stored => lecturerView(context, stored),
    })
  },
})

const deleteLecturer = declareFor('staff', 'lecturers', {
  id: 'deleteLecturer',
  route: 'DELETE /lecturers/:lecturer_id',
  summary: 'Delete a lecturer profile',
  description:
    'Deletes a profile. This is refused while a published course has no other lecturer; the refusal lists those courses.',
  ifMatch: 'honoured',
  params: LecturerRef,
  returns: undefined,
  fails: [soleLecturer],
  example: {
    params: { lecturer_id: exampleFrom('lec', 'listLecturers', { having: { display_name: 'Gil Tavares' } }) },
  },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockLecturerByRef(context, params.lecturer_id)
    await requireMatch(row.revision, () => lecturerView(context, row))
    refuseSole((await soleLecturerOf.call({ lecturerId: row.id }, { school, db })).flat())
    await deleteLecturerRow(db, school.id, row.id)
    const id = toId('lec', row.id)
    changed({ ids: [id], fields: [] })
    record({
      type: 'lecturer.deleted',
      payload: { lecturer_id: id },
      effects: texts.courses.lecturers.lecturer.operations.deleteLecturer.effects,
    })
  },
})

const reorderLecturers = declareFor('staff', 'lecturers', {
  id: 'reorderLecturers',
  route: 'PUT /lecturers/order',
  summary: 'Reorder lecturers',
  description: 'Moves the named profiles to the front in the given order. The others follow in the order they had.',
  body: LecturerOrder,
  returns: LecturerOrdered,
  example: {
    body: { lecturer_ids: [exampleFrom('lec', 'listLecturers')] },
  },
  async handle({ db, school, body, changed, record }) {
    const first = body.lecturer_ids
    const all = await lockOrder(db, school.id)
    const errors = first.flatMap((id, index) =>
      all.includes(id) ? [] : [{ pointer: `/lecturer_ids/${index}`, code: 'unknown', message: 'is not a lecturer' }],
    )
    refuseInvalid(errors, 'The order contains an unknown lecturer.')
    const ordered = [...first, ...all.filter(id => !first.includes(id))]
    const moved = await storeOrder(db, school.id, ordered)
    if (moved.length > 0) {
      changed({ ids: moved.map(id => toId('lec', id)), fields: ['position'] })
      record({ type: 'lecturer.reordered', payload: { count: moved.length } })
    }
    return { lecturer_ids: ordered }
  },
})

/** The operations of lecturers, in the order of the documentation. */
export const operations = [listLecturers, getLecturer, createLecturer, updateLecturer, deleteLecturer, reorderLecturers]
