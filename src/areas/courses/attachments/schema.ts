import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Line, Nullable, Recorded } from '#src/kit/shapes.ts'

/** The maximum number of attachments of a lesson. */
export const MAX_ATTACHMENTS = 50

const name = Line(200, 'The name; the name of the file by default')

/** A file attached to a lesson. */
export const Attachment = Closed('Attachment', {
  id: Id('atc'),
  lesson_id: Id('les'),
  name,
  file: Nullable(FileView),
  position: Type.Integer({ minimum: 0, description: 'The position, from 0' }),
  ...Recorded,
})

/** A file to be attached to a lesson. */
export const NewAttachment = Closed('NewAttachment', { file_id: Id('fil'), name: Type.Optional(name) })

/** A change of an attachment. */
export const AttachmentChanges = MergePatch(Type.Object({ name }), 'AttachmentChanges')

/** The order of the attachments of a lesson: each once. */
export const AttachmentOrder = Closed('AttachmentOrder', {
  attachment_ids: Type.Array(Id('atc'), { maxItems: MAX_ATTACHMENTS }),
})

/** An attachment in a path. */
export const AttachmentRef = Type.Object({ attachment_id: Id('atc') })

/** The parameters of a list of attachments. */
export const AttachmentsQuery = Type.Object({ ...PageQuery })

/** The attachments of a lesson. */
export const AttachmentPage = PageOf(Attachment, 'AttachmentPage')

/** The values of an attachment. */
export type AttachmentView = Static<typeof Attachment>
