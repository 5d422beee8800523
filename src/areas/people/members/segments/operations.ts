import type { Static } from 'typebox'
import { changeRow } from '#src/contract/change.ts'
import type { Db } from '#src/contract/db.ts'
import { declareFor } from '#src/contract/operation.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { conflict, notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { canonicalJson } from '#src/kit/json.ts'
import {
  countSegments,
  deleteSegmentRow,
  findSegment,
  insertSegment,
  lockSegment,
  type SegmentRow,
  type SegmentValues,
  segmentList,
  storeSegment,
} from './queries.ts'
import { NewSegment, Segment, SegmentChanges, SegmentPage, SegmentQuery, SegmentRef, segmentExample } from './schema.ts'

const ACTIONS = ['getSegment', 'updateSegment', 'deleteSegment']
const MOST = 200

/** Another segment has the name already. */
export const segmentNameTaken = problem(
  409,
  'segment_name_taken',
  'Another segment has this name',
  'Segments have different names, without regard to case and accents. Choose another name, or change that segment.',
)

const renderView = (row: SegmentRow): Static<typeof Segment> => ({
  id: row.id,
  name: row.name,
  filter: row.filter,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const getSegmentRow = async (
  find: typeof findSegment,
  { db, school, params }: { readonly db: Db; readonly school: School; readonly params: Static<typeof SegmentRef> },
): Promise<SegmentRow> => {
  const row = await find(db, school.id, params.segment_id)
  if (row === undefined) throw new Refusal(notFound, 'There is no such segment.')
  return row
}

// The database keeps the conditions in an order of its own.
const isSame = (one: object, other: object): boolean => canonicalJson(one) === canonicalJson(other)

const listSegments = declareFor('staff', 'members', {
  id: 'listSegments',
  route: 'GET /segments',
  summary: 'List segments',
  description: 'Lists the segments of the school by name: filters of the list of members that were saved.',
  query: SegmentQuery,
  returns: SegmentPage,
  handle: context => readList(context, segmentList(context.school.id), rows => rows.map(renderView)),
})

const createSegment = declareFor('staff', 'members', {
  id: 'createSegment',
  route: 'POST /segments',
  summary: 'Create a segment',
  description:
    'Saves a filter of the list of members under a name. It is looked through each time: who matches changes with the members.',
  body: NewSegment,
  returns: Segment,
  status: 201,
  fails: [segmentNameTaken, conflict],
  example: { body: { name: 'Rye bakers who stay away', filter: { tag: 'rye', not_seen_for_days: 30 } } },
  async handle({ db, school, body, now, changed, record }) {
    if ((await countSegments(db, school.id)) >= MOST)
      throw new Refusal(conflict, `A school has at most ${MOST} segments.`)
    const row = await insertSegment(db, school.id, newUuid(now.getTime()), body)
    const segment = toId('sgm', row.id)
    changed({ ids: [segment], fields: ['name', 'filter'], revision: row.revision })
    record({ type: 'segment.created', payload: { segment_id: segment } })
    return renderView(row)
  },
})

const getSegment = declareFor('staff', 'members', {
  id: 'getSegment',
  route: 'GET /segments/:segment_id',
  summary: 'Get a segment',
  description: 'Returns one segment.',
  params: SegmentRef,
  returns: Segment,
  example: { params: segmentExample },
  async handle(context) {
    const row = await getSegmentRow(findSegment, context)
    return { ...renderView(row), allowed_actions: context.allowedActions(ACTIONS) }
  },
})

const updateSegment = declareFor('staff', 'members', {
  id: 'updateSegment',
  route: 'PATCH /segments/:segment_id',
  summary: 'Update a segment',
  description: 'Changes the name of a segment, or replaces its filter.',
  ifMatch: 'honoured',
  params: SegmentRef,
  body: SegmentChanges,
  returns: Segment,
  fails: [segmentNameTaken],
  example: { params: segmentExample, body: { name: 'Bakers of rye' } },
  async handle(context) {
    const { db, school, body } = context
    const row = await getSegmentRow(lockSegment, context)
    return changeRow(context, row, {
      id: toId('sgm', row.id),
      fact: 'segment.updated',
      values: (): SegmentValues => ({
        name: body.name ?? row.name,
        filter: body.filter === undefined || isSame(body.filter, row.filter) ? row.filter : body.filter,
      }),
      store: values => storeSegment(db, school.id, row.id, values),
      view: renderView,
    })
  },
})

const deleteSegment = declareFor('staff', 'members', {
  id: 'deleteSegment',
  route: 'DELETE /segments/:segment_id',
  summary: 'Delete a segment',
  description: 'Deletes a segment. The members who match it stay as they are.',
  ifMatch: 'honoured',
  params: SegmentRef,
  returns: undefined,
  example: { params: segmentExample },
  async handle(context) {
    const { db, school, requireMatch, changed, record } = context
    const row = await getSegmentRow(lockSegment, context)
    await requireMatch(row.revision, () => renderView(row))
    await deleteSegmentRow(db, school.id, row.id)
    const segment = toId('sgm', row.id)
    changed({ ids: [segment], fields: [] })
    record({ type: 'segment.deleted', payload: { segment_id: segment } })
  },
})

/** The operations of segments, in the order of the documentation. */
export const segmentOperations = [listSegments, createSegment, getSegment, updateSegment, deleteSegment]
