import { useCourseFile } from '#src/areas/courses/contents/index.ts'
import {
  accessRequired,
  checkNotArchived,
  cleanName,
  errorsOfOrder,
  getOpenLesson,
  LessonRef,
  lessonArchived,
  lessonExamples,
  lessonLocked,
  lockOwnLesson,
} from '#src/areas/courses/curriculum/index.ts'
import { fileView } from '#src/areas/files/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { getOpenAttachment, lockOwnAttachment } from './access.ts'
import {
  insertAttachment,
  listAttachments,
  listSomeAttachments,
  removeAttachmentRow,
  renameAttachment,
  storeOrder,
} from './queries.ts'
import { tooManyAttachments } from './rules.ts'
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
import { attachmentView, attachmentViews } from './views.ts'

const flour = { attachment_id: exampleFrom('atc', 'listLessonAttachments') }

const listLessonAttachments = declareFor('anyone', 'curriculum', {
  id: 'listLessonAttachments',
  route: 'GET /lessons/:lesson_id/attachments',
  summary: "List a lesson's attachments",
  description:
    'Lists the files attached to a lesson in their order, for those who may read the lesson. Each download address works for anyone who has it until it expires.',
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
    const renderView = await attachmentViews(context, found)
    return buildPage(context, found, {
      readPosition: row => [String(row.position), row.id],
      renderViews: rows => rows.map(row => renderView(row)),
      total: async () => (await listAttachments(db, school.id, [lesson.id])).length,
    })
  },
})

const createAttachment = declareFor('lecturer_of', 'curriculum', {
  id: 'createAttachment',
  route: 'POST /lessons/:lesson_id/attachments',
  summary: 'Add an attachment',
  description: 'Attaches a completed upload with the purpose `course` to a lesson, after the other attachments.',
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
    checkNotArchived(lesson)
    const present = await listAttachments(db, school.id, [lesson.id])
    if (present.length >= MAX_ATTACHMENTS)
      throw new Refusal(tooManyAttachments, `There are ${present.length} attachments already.`)
    const requested = body.name === undefined ? undefined : cleanName(body.name)
    const file = { id: body.file_id, pointer: '/file_id', accepts: () => true }
    const fileId = await useCourseFile({ ...context, course }, file)
    const name = requested ?? (await fileView(context, fileId))?.name ?? 'file'
    const id = newUuid(now.getTime())
    const position = (present.at(-1)?.position ?? -1) + 1
    const row = await insertAttachment(db, school.id, { id, lesson_id: lesson.id, file_id: fileId, name, position })
    const ids = { attachment_id: toId('atc', id), lesson_id: toId('les', params.lesson_id) }
    changed({ ids: Object.values(ids), fields: Object.keys(body), revision: 1 })
    record({ type: 'attachment.created', payload: ids })
    return attachmentView(context, row)
  },
})

const getAttachment = declareFor('anyone', 'curriculum', {
  id: 'getAttachment',
  route: 'GET /attachments/:attachment_id',
  summary: 'Get an attachment',
  description: 'Returns one attachment of a lesson, for those who may read the lesson.',
  params: AttachmentRef,
  returns: Attachment,
  fails: [accessRequired, lessonLocked],
  example: { params: flour },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const { attachment, canManage } = await getOpenAttachment(context, params.attachment_id)
    const view = await attachmentView(context, attachment)
    const actions = ['getAttachment', ...(canManage ? ['updateAttachment', 'deleteAttachment'] : [])]
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(actions) }
  },
})

const updateAttachment = declareFor('lecturer_of', 'curriculum', {
  id: 'updateAttachment',
  route: 'PATCH /attachments/:attachment_id',
  summary: 'Rename an attachment',
  description: 'Changes the displayed name of an attachment. The file name of the download stays the same.',
  ifMatch: 'honoured',
  params: AttachmentRef,
  body: AttachmentChanges,
  returns: Attachment,
  fails: [lessonArchived],
  example: { params: flour, body: { name: 'Which flour to buy' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { attachment, lesson } = await lockOwnAttachment(context, params.attachment_id)
    await requireMatch(attachment.revision, () => attachmentView(context, attachment))
    checkNotArchived(lesson)
    const name = body.name === undefined ? attachment.name : cleanName(body.name)
    if (name === attachment.name) return attachmentView(context, attachment)
    const renamed = await renameAttachment(db, school.id, attachment.id, name)
    const ids = { attachment_id: toId('atc', params.attachment_id), lesson_id: toId('les', lesson.id) }
    changed({ ids: [ids.attachment_id], fields: ['name'], revision: attachment.revision + 1 })
    record({ type: 'attachment.updated', payload: ids })
    return attachmentView(context, renamed)
  },
})

const deleteAttachment = declareFor('lecturer_of', 'curriculum', {
  id: 'deleteAttachment',
  route: 'DELETE /attachments/:attachment_id',
  summary: 'Remove an attachment',
  description: 'Removes an attachment from a lesson. The file is deleted 30 days after nothing refers to it any more.',
  ifMatch: 'honoured',
  params: AttachmentRef,
  returns: undefined,
  fails: [lessonArchived],
  example: { params: flour },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const { attachment, lesson } = await lockOwnAttachment(context, params.attachment_id)
    await requireMatch(attachment.revision, () => attachmentView(context, attachment))
    checkNotArchived(lesson)
    await removeAttachmentRow(db, school.id, attachment.id)
    const ids = { attachment_id: toId('atc', params.attachment_id), lesson_id: toId('les', lesson.id) }
    changed({ ids: Object.values(ids), fields: [] })
    record({ type: 'attachment.deleted', payload: ids })
  },
})

const reorderAttachments = declareFor('lecturer_of', 'curriculum', {
  id: 'reorderAttachments',
  route: 'PUT /lessons/:lesson_id/attachments/order',
  summary: 'Reorder attachments',
  description: 'Sets the order of the attachments of a lesson. The request names every attachment exactly once.',
  params: LessonRef,
  body: AttachmentOrder,
  returns: AttachmentPage,
  fails: [lessonArchived],
  example: { params: lessonExamples.preview, body: { attachment_ids: [flour.attachment_id] } },
  async handle(context) {
    const { db, school, params, body, changed, record } = context
    const { lesson } = await lockOwnLesson(context, params.lesson_id)
    checkNotArchived(lesson)
    const present = await listAttachments(db, school.id, [lesson.id])
    const order = body.attachment_ids
    const before = present.map(({ id }) => id)
    refuseInvalid(
      errorsOfOrder('/attachment_ids', order, before),
      'The order does not name each attachment exactly once.',
    )
    const renderView = await attachmentViews(context, present)
    if (order.join() === before.join()) return { data: present.map(renderView), has_more: false }
    await storeOrder(db, school.id, order)
    changed({ ids: [toId('les', params.lesson_id), ...order.map(id => toId('atc', id))], fields: ['position'] })
    record({ type: 'attachment.reordered', payload: { lesson_id: toId('les', params.lesson_id) } })
    const data = present.map(row => renderView({ ...row, position: order.indexOf(row.id) }))
    return { data: data.sort((one, other) => one.position - other.position), has_more: false }
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
