import { useCourseFile } from '#src/areas/contents/index.ts'
import type { LessonRow } from '#src/areas/curriculum/index.ts'
import {
  accessRequired,
  faultsOfOrder,
  getOpenLesson,
  LessonRef,
  type Looking,
  lessonArchived,
  lessonExamples,
  lessonLocked,
  lockOwnLesson,
} from '#src/areas/curriculum/index.ts'
import { fileView } from '#src/areas/storage/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { attachmentView, attachmentViews, getOpenAttachment, lockOwnAttachment } from './actions.ts'
import {
  findAttachment,
  insertAttachments,
  listAttachments,
  listSomeAttachments,
  removeAttachmentRow,
  renameAttachment,
  storeOrder,
} from './queries.ts'
import {
  Attachment,
  AttachmentChanges,
  AttachmentOrder,
  AttachmentPage,
  AttachmentRef,
  AttachmentsQuery,
  MAX_ATTACHMENTS,
  NewAttachment,
} from './schema.ts'

/** The lesson has as many attachments as it may. */
export const tooManyAttachments = problem(
  409,
  'too_many_attachments',
  'The lesson has as many attachments as it may',
  'At most 50 files go with a lesson. Take one away first, or put several into one archive.',
)

const flour = { attachment_id: exampleFrom('atc', 'listLessonAttachments') }

const listLessonAttachments = operation({
  id: 'listLessonAttachments',
  route: 'GET /lessons/:lesson_id/attachments',
  summary: "List a lesson's attachments",
  description:
    'Lists the files attached to a lesson in their order, for those who may read the lesson. Each download address works for anyone who has it until it expires.',
  scope: 'curriculum:read',
  who: 'anyone',
  mode: 'read',
  params: LessonRef,
  query: AttachmentsQuery,
  returns: AttachmentPage,
  fails: [accessRequired, lessonLocked],
  example: { params: lessonExamples.preview },
  async handle(context) {
    const { db, school, params } = context
    const page = parsePage(context)
    const { lesson } = await getOpenLesson(context, params.lesson_id)
    const found = await listSomeAttachments(db, school.id, lesson.id, page)
    const viewOf = await attachmentViews(context, found)
    return buildPage(context, found, {
      positionOf: row => [String(row.position), row.id],
      itemOf: row => viewOf(row),
      total: async () => (await listAttachments(db, school.id, [lesson.id])).length,
    })
  },
})

const checkLive = (lesson: LessonRow): void => {
  if (lesson.archived_at !== null) throw new Refusal(lessonArchived, 'The lesson is archived.')
}

const stored = async (context: Looking & { keyFor(purpose: string): Buffer }, id: string) => {
  const row = await findAttachment(context.db, context.school.id, id)
  if (row === undefined) throw new Error('an attachment that was stored is not there')
  return attachmentView(context, row)
}

const nameOf = (name: string): string => {
  const clean = cleanLine(name, 200)
  if (clean !== '') return clean
  throw new Refusal(invalidBody, 'The name cannot be read.', {
    errors: [{ pointer: '/name', code: 'empty', message: 'has nothing visible' }],
  })
}

const createAttachment = operation({
  id: 'createAttachment',
  route: 'POST /lessons/:lesson_id/attachments',
  summary: 'Add an attachment',
  description: 'Attaches a completed upload with the purpose `course` to a lesson, after the other attachments.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  params: LessonRef,
  body: NewAttachment,
  returns: Attachment,
  status: 201,
  fails: [lessonArchived, tooManyAttachments],
  example: {
    params: lessonExamples.preview,
    body: { file_id: exampleFrom('fil', 'listLessonAttachments', { at: 'file.file_id' }), name: 'Which flour' },
  },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const { lesson, course } = await lockOwnLesson(context, params.lesson_id)
    checkLive(lesson)
    const present = await listAttachments(db, school.id, [lesson.id])
    if (present.length >= MAX_ATTACHMENTS)
      throw new Refusal(tooManyAttachments, `There are ${present.length} attachments already.`)
    const said = body.name === undefined ? undefined : nameOf(body.name)
    const file = { id: body.file_id, pointer: '/file_id', fits: () => true }
    const fileId = await useCourseFile({ ...context, course }, file)
    const name = said ?? (await fileView(context, fileId))?.name ?? 'file'
    const rowId = newUuid(now.getTime())
    const position = (present.at(-1)?.position ?? -1) + 1
    await insertAttachments(db, school.id, [{ id: rowId, lesson_id: lesson.id, file_id: fileId, name, position }])
    const ids = { attachment: toId('atc', rowId), lesson: params.lesson_id }
    changed({ ids: Object.values(ids), fields: Object.keys(body), revision: 1 })
    record({ type: 'attachment.created', payload: ids })
    return stored(context, rowId)
  },
})

const getAttachment = operation({
  id: 'getAttachment',
  route: 'GET /attachments/:attachment_id',
  summary: 'Get an attachment',
  description: 'Returns one attachment of a lesson, for those who may read the lesson.',
  scope: 'curriculum:read',
  who: 'anyone',
  mode: 'read',
  params: AttachmentRef,
  returns: Attachment,
  fails: [accessRequired, lessonLocked],
  example: { params: flour },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const { attachment, runs } = await getOpenAttachment(context, params.attachment_id)
    const view = await attachmentView(context, attachment)
    const actions = ['getAttachment', ...(runs ? ['updateAttachment', 'deleteAttachment'] : [])]
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(actions) }
  },
})

const updateAttachment = operation({
  id: 'updateAttachment',
  route: 'PATCH /attachments/:attachment_id',
  summary: 'Rename an attachment',
  description: 'Changes the displayed name of an attachment. The file name of the download stays the same.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: AttachmentRef,
  body: AttachmentChanges,
  returns: Attachment,
  fails: [lessonArchived],
  example: { params: flour, body: { name: 'Which flour to buy' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { attachment, lesson } = await lockOwnAttachment(context, params.attachment_id)
    const before = await attachmentView(context, attachment)
    await requireMatch(attachment.revision, () => before)
    checkLive(lesson)
    const name = body.name === undefined ? attachment.name : nameOf(body.name)
    if (name === attachment.name) return before
    await renameAttachment(db, school.id, attachment.id, name)
    const ids = { attachment: params.attachment_id, lesson: before.lesson_id }
    changed({ ids: [ids.attachment], fields: ['name'], revision: attachment.revision + 1 })
    record({ type: 'attachment.updated', payload: ids })
    return stored(context, attachment.id)
  },
})

const deleteAttachment = operation({
  id: 'deleteAttachment',
  route: 'DELETE /attachments/:attachment_id',
  summary: 'Remove an attachment',
  description: 'Removes an attachment from a lesson. The file is deleted 30 days after nothing refers to it any more.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: AttachmentRef,
  returns: undefined,
  fails: [lessonArchived],
  example: { params: flour },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const { attachment, lesson } = await lockOwnAttachment(context, params.attachment_id)
    const before = await attachmentView(context, attachment)
    await requireMatch(attachment.revision, () => before)
    checkLive(lesson)
    await removeAttachmentRow(db, school.id, attachment.id)
    const ids = { attachment: params.attachment_id, lesson: before.lesson_id }
    changed({ ids: Object.values(ids), fields: [] })
    record({ type: 'attachment.deleted', payload: ids })
  },
})

const reorderAttachments = operation({
  id: 'reorderAttachments',
  route: 'PUT /lessons/:lesson_id/attachments/order',
  summary: 'Reorder attachments',
  description: 'Sets the order of the attachments of a lesson. The request names every attachment exactly once.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  params: LessonRef,
  body: AttachmentOrder,
  returns: AttachmentPage,
  fails: [lessonArchived],
  example: { params: lessonExamples.preview, body: { attachment_ids: [flour.attachment_id] } },
  async handle(context) {
    const { db, school, params, body, changed, record } = context
    const { lesson } = await lockOwnLesson(context, params.lesson_id)
    checkLive(lesson)
    const present = await listAttachments(db, school.id, [lesson.id])
    const wanted = body.attachment_ids.map(id => fromId('atc', id))
    const before = present.map(({ id }) => id)
    const errors = faultsOfOrder('/attachment_ids', wanted, before)
    if (errors.length > 0) throw new Refusal(invalidBody, 'The order does not name each attachment once.', { errors })
    if (wanted.join() !== before.join()) {
      await storeOrder(db, school.id, wanted as string[])
      changed({ ids: [params.lesson_id, ...body.attachment_ids], fields: ['position'] })
      record({ type: 'attachment.reordered', payload: { lesson: params.lesson_id } })
    }
    const rows = await listAttachments(db, school.id, [lesson.id])
    const viewOf = await attachmentViews(context, rows)
    return { data: rows.map(viewOf), has_more: false }
  },
})

/** The operations of attachments, in the order of the documentation. */
export const attachmentOperations = [
  listLessonAttachments,
  reorderAttachments,
  getAttachment,
  updateAttachment,
  createAttachment,
  deleteAttachment,
]
