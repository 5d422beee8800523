import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Static } from 'typebox'
import { Upload } from '#src/areas/files/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { CallAsPerson, SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, payloadTooLarge } from '#src/contract/problems.ts'
import { type ChosenFile, isSameSite } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { FormPart } from '#src/kit/multipart.ts'
import { findSender, keepUnsent, MAX_POSTED, readPosted, refuseSender, type Sender } from './kept.ts'
import { orNothing } from './refused.ts'
import type { Bound } from './request.ts'
import type { FormFile, FormWithFiles } from './uploaded.ts'

/** A form that somebody sends; `maxBytes` is the most that the form has with all of its files. */
type Sending = {
  readonly request: EndpointRequest
  readonly secret: string
  readonly maxBytes: number
  /** Whose forms are accepted; undefined where nobody is signed in on a page for people who are. */
  readonly bound: Bound | undefined
}

const MAX_FILES = 20
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/i

const tooMuch = (detail: string): Refusal => new Refusal(payloadTooLarge, detail, { headers: { connection: 'close' } })

const readText = async ({ content }: FormPart, left: number): Promise<string> => {
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

const store = async (part: FormPart, path: string): Promise<FormFile> => {
  const { name: field, filename = '', contentType, content } = part
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
  // A browser may add parameters, such as the codec of a recording.
  const declared = contentType.split(';')[0]?.trim() ?? ''
  const type = MEDIA_TYPE.test(declared) ? declared : 'application/octet-stream'
  return { field, name: filename.slice(0, 1000), type, path, bytes }
}

// Ends the reading of a form that is answered at once.
class Answered extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('the form is answered')
    this.reply = reply
  }
}

const count = async ({ name: field, filename = '', content }: FormPart): Promise<ChosenFile> => {
  let bytes = 0
  for await (const chunk of content) bytes += chunk.length
  return { field, name: filename.slice(0, 1000), bytes }
}

type Read = FormWithFiles & { readonly sender: Sender; readonly dropped: readonly ChosenFile[] }

// The token comes before the first file, and no byte of a file is stored without it.
const partsIn = async (
  parts: AsyncIterable<FormPart>,
  folder: string,
  judge: (form: Pairs) => Promise<Sender>,
): Promise<Read> => {
  const form: (readonly [string, string])[] = []
  const files: FormFile[] = []
  const dropped: ChosenFile[] = []
  let sender: Sender | undefined
  let left = MAX_POSTED
  for await (const part of parts) {
    if (part.filename === undefined) {
      const value = await readText(part, left)
      left -= Buffer.byteLength(value) + part.name.length
      form.push([part.name, value])
    } else if (part.filename !== '') {
      sender ??= await judge(form)
      if (files.length + dropped.length >= MAX_FILES) throw tooMuch(`A form may have at most ${MAX_FILES} files.`)
      if (sender === 'own') files.push(await store(part, join(folder, String(files.length))))
      else dropped.push(await count(part))
    }
  }
  return { form, files, dropped, sender: sender ?? (await judge(form)) }
}

const senderFor = ({ network }: EndpointRequest, bound: Bound | undefined) => {
  if (bound === undefined || !('session' in bound)) return { memberId: network, isPrivileged: false, isAnonymous: true }
  const { id, role } = bound.session.member
  return { memberId: id, isPrivileged: isAtLeast(role, 'lecturer') }
}

const readParts = async (sending: Sending, answer: (form: FormWithFiles) => Promise<Reply>): Promise<Reply> => {
  const { request, secret, maxBytes, bound } = sending
  const judge = async (form: Pairs): Promise<Sender> => {
    const sender = isSameSite(request) ? await findSender(request, secret, bound, form) : 'other'
    if (sender === 'other') throw new Answered(refuseSender(request, bound))
    return sender
  }
  const folder = await mkdtemp(join(tmpdir(), 'stoa-form-'))
  try {
    const { form, files, dropped, sender } = await request.formParts(
      { ...senderFor(request, bound), maxBytes },
      parts => partsIn(parts, folder, judge),
    )
    if (typeof sender === 'string') return await answer({ form, files })
    return await keepUnsent(request, { secret, memberId: sender.memberId, bound }, { typed: form, files: dropped })
  } catch (error) {
    if (error instanceof Answered) return error.reply
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Reads a form, with or without files, and answers it; its files are gone afterwards. Decision 123. A form that cannot be accepted
 * now is kept without its files.
 */
export const withFormFiles = async (
  sending: Sending,
  answer: (form: FormWithFiles) => Promise<Reply>,
): Promise<Reply> => {
  const { request, secret, bound } = sending
  if (/^multipart\/form-data/i.test(request.header('content-type') ?? '')) return readParts(sending, answer)
  const form = await readPosted(request, secret, bound)
  return 'status' in form ? form : answer({ form, files: [] })
}

/** What a file is uploaded for; `keepOriginal`: to be handed over as it is, with the metadata of a picture. */
export type FileUse = {
  readonly purpose: Encoded<Static<typeof Upload>>['purpose']
  readonly keepOriginal?: boolean
}

/** A file that is stored, with its address and the checksum of what is, both null for one of the library; or why it cannot be. */
type StoredFile =
  | { readonly fileId: string; readonly url: string | null; readonly sha256: string | null }
  | { readonly rejectedFor: string }

// What a file is used for is checked where it is used.
const takeUpload = async (
  performAs: CallAsPerson,
  person: SignedInPerson,
  id: string,
  { purpose, keepOriginal }: FileUse,
): Promise<StoredFile> => {
  if (id.startsWith('fil_')) return { fileId: id, url: null, sha256: null }
  const call = { operation: 'getUpload', params: { upload_id: id }, returns: Upload }
  const upload = await orNothing(performAs(person, call))
  if (upload?.file === undefined) return { rejectedFor: upload?.rejected_for ?? 'missing' }
  if (upload.purpose !== purpose || upload.keep_original !== keepOriginal) return { rejectedFor: 'unsuitable' }
  return { fileId: upload.file.file_id, url: upload.file.url, sha256: upload.sha256 }
}

/** Uploads a file of a form, unless that was done before; returns the id of the file and the checksum of what is stored, or why it cannot be stored. */
export const uploadFormFile = async (
  performAs: CallAsPerson,
  person: SignedInPerson,
  file: FormFile,
  { purpose, keepOriginal = false }: FileUse,
): Promise<StoredFile> => {
  const { name, type, path, bytes, stored } = file
  if (stored !== undefined) return takeUpload(performAs, person, stored, { purpose, keepOriginal })
  if (bytes === 0) return { rejectedFor: 'empty_file' }
  const { id } = await performAs(person, {
    operation: 'createUpload',
    body: { filename: name, content_type: type, byte_size: bytes, purpose, keep_original: keepOriginal },
    returns: Upload,
  })
  file.stored = id
  const params = { upload_id: id }
  const content = { length: bytes, range: undefined, read: () => createReadStream(path) }
  await performAs(person, { operation: 'setUploadContent', params, content, returns: Upload })
  const done = await performAs(person, { operation: 'completeUpload', params, returns: Upload })
  if (done.file !== undefined) return { fileId: done.file.file_id, url: done.file.url, sha256: done.sha256 }
  delete file.stored
  return { rejectedFor: done.rejected_for ?? '' }
}
