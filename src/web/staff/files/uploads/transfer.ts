import type { Static } from 'typebox'
import { Upload } from '#src/areas/files/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, invalidRequest, payloadTooLarge } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { answerJson, form, isShown, noticeFor, type PageContext, page, streamedForm } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { fileRefusals } from './files.ts'

const PATH = '/staff/uploads'

// A whole file where its store takes no pieces, and the fields before it.
const MAX_BYTES = 5_000_000_000 + 10_000

const said = { ...fileRefusals, other: texts.staff.uploads.control.failed }

const refuse = (refusal: Refusal, { language }: PageContext): Reply => {
  const { status, code } = refusal.problem
  const error = noticeFor(refusal, language, { said }).notice?.text
  return answerJson({ code, error, received: refusal.extras.members?.received_bytes }, status, refusal.extras.headers)
}

const answer = async (context: PageContext, work: () => Promise<object>): Promise<Reply> => {
  try {
    return answerJson(await work())
  } catch (error) {
    if (!isShown(error)) throw error
    return refuse(error, context)
  }
}

type UploadView = Encoded<Static<typeof Upload>>

const isPicture = ({ image }: UploadView): boolean => image !== null

const show = (upload: UploadView) => {
  const { id, status, filename: name, byte_size: bytes, received_bytes: received, transfer, file } = upload
  const picture = file && isPicture(upload) ? `${file.url}${file.url.includes('?') ? '&' : '?'}width=320` : null
  return { id, status, name, bytes, received, is_resumable: transfer?.is_resumable ?? false, picture }
}

const create = async ({ call }: StaffContext, typed: Pairs): Promise<object> => {
  const body = {
    filename: formField(typed, 'name'),
    content_type: formField(typed, 'type') || 'application/octet-stream',
    byte_size: Number(formField(typed, 'bytes')),
    purpose: formField(typed, 'purpose'),
    keep_original: formField(typed, 'keep') === 'true',
  }
  return show(await call({ operation: 'createUpload', body, returns: Upload }))
}

const complete = async ({ call, params }: StaffContext): Promise<object> => {
  const upload = await call({
    operation: 'completeUpload',
    params: { upload_id: params.upload ?? '' },
    returns: Upload,
  })
  if (upload.file !== undefined) return show(upload)
  const errors = [{ pointer: '', code: upload.rejected_for ?? '', message: 'is a file that cannot be stored' }]
  throw new Refusal(invalidBody, 'The file cannot be stored.', { errors })
}

const describe = async ({ call, params }: StaffContext, typed: Pairs): Promise<object> => {
  const file_id = `fil_${(params.upload ?? '').slice(4)}`
  await call({ operation: 'updateFile', params: { file_id }, body: { alt: formField(typed, 'alt') } })
  return {}
}

const change = async (context: StaffContext, typed: Pairs): Promise<object> => {
  if (formField(typed, 'act') === 'complete') return complete(context)
  if (formField(typed, 'act') === 'describe') return describe(context, typed)
  await context.call({ operation: 'deleteUpload', params: { upload_id: context.params.upload ?? '' } })
  return {}
}

async function* readPiece(content: AsyncIterable<Buffer>, most: number, expected: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > most) throw new Refusal(payloadTooLarge, 'The piece is longer than what is missing.')
    yield chunk
  }
  if (size < expected) throw new Refusal(invalidRequest, 'The piece is shorter than announced.')
}

// A store that takes no pieces is told the size of the whole; other pieces say where they begin.
const storePiece = async (
  { call, params }: StaffContext,
  fields: Pairs,
  content: AsyncIterable<Buffer>,
): Promise<object> => {
  const range = formField(fields, 'range') || undefined
  const length = Number(formField(fields, 'bytes')) || undefined
  const read = (most: number) => readPiece(content, most, range === undefined ? (length ?? 0) : 0)
  const upload = await call({
    operation: 'setUploadContent',
    params: { upload_id: params.upload ?? '' },
    content: { length, range, read },
    returns: Upload,
  })
  return show(upload)
}

// Nothing of them is kept for who has to sign in first: the module sends it again.
const afterSignIn = (): string => '/staff'

/**
 * What the module `upload` calls as the person of the page: the operations of uploads, for a form that has not been sent.
 * Decision 284.
 */
export const transfers: StaffSection = {
  pages: [
    form(
      `POST ${PATH}`,
      courseTeachers,
      (context, typed) => answer(context, () => create(context, typed)),
      afterSignIn,
    ),
    form(
      `POST ${PATH}/:upload`,
      courseTeachers,
      (context, typed) => answer(context, () => change(context, typed)),
      afterSignIn,
    ),
    streamedForm(
      `POST ${PATH}/:upload/content`,
      { ...courseTeachers, maxBytes: MAX_BYTES },
      (context, fields, content) => answer(context, () => storePiece(context, fields, content)),
    ),
    page(`GET ${PATH}/:upload`, courseTeachers, context =>
      answer(context, async () => {
        const params = { upload_id: context.params.upload ?? '' }
        return show(await context.call({ operation: 'getUpload', params, returns: Upload }))
      }),
    ),
  ],
}
