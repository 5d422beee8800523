import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Upload } from '#src/areas/storage/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, payloadTooLarge } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { FormPart } from '#src/kit/multipart.ts'
import { checkToken, readForm } from '#src/web/account/index.ts'
import type { LearnPagesParts } from './parts.ts'
import { read, type Visit } from './visit.ts'

/** A file of a form, on this computer's disk until the form is answered: its size is known only at its end. */
export type WaitingFile = {
  readonly name: string
  readonly type: string
  readonly path: string
  readonly bytes: number
}

/** A form with its files. */
export type LessonForm = { readonly form: Pairs; readonly files: readonly WaitingFile[] }

/** The most bytes of a form with all of its files; larger files are sent by an app. */
const MAX_BYTES = 100_000_000
const MAX_FILES = 20
const MAX_FIELDS = 1_000_000
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/i

const tooMuch = (detail: string): Refusal => new Refusal(payloadTooLarge, detail, { headers: { connection: 'close' } })

const textOf = async ({ content }: FormPart, left: number): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > left) throw tooMuch('The fields of the form are too long.')
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  if (text.includes('\0')) throw new Refusal(invalidRequest, 'A NUL cannot be stored.')
  return text
}

const store = async ({ filename = '', contentType, content }: FormPart, path: string): Promise<WaitingFile> => {
  const file = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of content) {
      await file.write(chunk)
      bytes += chunk.length
    }
  } finally {
    await file.close()
  }
  const type = MEDIA_TYPE.test(contentType) ? contentType : 'application/octet-stream'
  return { name: filename.slice(0, 1000), type, path, bytes }
}

// The token comes before the first file, and no byte of a file is stored without it.
const partsIn = async (
  parts: AsyncIterable<FormPart>,
  folder: string,
  checkFields: (form: Pairs) => void,
): Promise<LessonForm> => {
  const form: (readonly [string, string])[] = []
  const files: WaitingFile[] = []
  let left = MAX_FIELDS
  for await (const part of parts) {
    if (part.filename === undefined) {
      const value = await textOf(part, left)
      left -= Buffer.byteLength(value) + part.name.length
      form.push([part.name, value])
    } else if (part.filename !== '') {
      checkFields(form)
      if (files.length >= MAX_FILES) throw tooMuch(`A form may have at most ${MAX_FILES} files.`)
      files.push(await store(part, join(folder, String(files.length))))
    }
  }
  checkFields(form)
  return { form, files: files.filter(({ bytes }) => bytes > 0) }
}

const readParts = async <T>(
  { request, session }: Visit,
  { secret }: LearnPagesParts,
  answer: (form: LessonForm) => Promise<T>,
): Promise<T> => {
  const { id, role } = session.member
  const sender = { memberId: id, isPrivileged: isAtLeast(role, 'lecturer'), maxBytes: MAX_BYTES }
  const folder = await mkdtemp(join(tmpdir(), 'stoa-form-'))
  try {
    const form = await request.formParts(sender, parts =>
      partsIn(parts, folder, fields => checkToken(request, secret, fields, { session })),
    )
    return await answer(form)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads the form of a lesson, with or without files, and answers it; its files are gone afterwards. */
export const withLessonForm = async <T>(
  visit: Visit,
  parts: LearnPagesParts,
  answer: (form: LessonForm) => Promise<T>,
): Promise<T> => {
  const { request, session } = visit
  if (/^multipart\/form-data/i.test(request.header('content-type') ?? '')) return readParts(visit, parts, answer)
  return answer({ form: await readForm(request, parts.secret, { session }), files: [] })
}

/** Uploads a file of a form for work that is handed in; returns the id of the file, or undefined where it is rejected. */
export const uploadWork = async (
  visit: Visit,
  parts: LearnPagesParts,
  { name, type, path, bytes }: WaitingFile,
): Promise<string | undefined> => {
  const { id } = await read(visit, parts, {
    operation: 'createUpload',
    body: { filename: name, content_type: type, byte_size: bytes, purpose: 'submission' },
    returns: Upload,
  })
  const params = { upload_id: id }
  const content = { length: bytes, range: undefined, read: () => createReadStream(path) }
  await read(visit, parts, { operation: 'setUploadContent', params, content, returns: Upload })
  const { file } = await read(visit, parts, { operation: 'completeUpload', params, returns: Upload })
  return file?.file_id
}
