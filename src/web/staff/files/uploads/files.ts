import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { CAPTIONS_TYPE } from '#src/kit/captions.ts'
import { texts } from '#src/texts/index.ts'
import { fileReasons } from '#src/web/file-reasons.ts'
import { type FileUse, type FormFile, uploadFormFile } from '#src/web/page/index.ts'
import type { StaffPagesParts } from '../../parts.ts'

const words = texts.staff.uploads.files

const badFile = (code: string, message: string): Refusal =>
  new Refusal(invalidBody, 'The file cannot be used.', { errors: [{ pointer: '/file', code, message }] })

/**
 * Uploads the file of a form, by the operations of uploads, and returns its id; `keepOriginal`: to be handed over as it
 * is, with the metadata of a picture. Refuses a form without a file, and a file
 * that cannot be stored, as an invalid body at `/file`.
 */
export const storeFile = async (
  { performAs }: Pick<StaffPagesParts, 'performAs'>,
  person: SignedInPerson,
  file: FormFile | undefined,
  purpose: FileUse['purpose'],
  keepOriginal = false,
): Promise<string> => {
  if (file === undefined) throw badFile('missing', 'is required')
  const stored = await uploadFormFile(performAs, person, file, { purpose, keepOriginal })
  if ('rejectedFor' in stored) throw badFile(stored.rejectedFor, 'is a file that cannot be stored')
  return stored.fileId
}

/** Uploads the captions of a form in the same way, whatever the browser calls them, and says whether they were converted. */
export const storeCaptions = async (
  { performAs }: Pick<StaffPagesParts, 'performAs'>,
  person: SignedInPerson,
  file: FormFile | undefined,
): Promise<{ readonly fileId: string; readonly isConverted: boolean }> => {
  // Captions are compared with what is stored of them, so they come with their form.
  if (file === undefined || file.stored !== undefined) throw badFile('missing', 'is required')
  const captions = { ...file, name: file.name.replace(/\.srt$/i, '.vtt'), type: CAPTIONS_TYPE }
  const stored = await uploadFormFile(performAs, person, captions, { purpose: 'course' })
  if ('rejectedFor' in stored) throw badFile(stored.rejectedFor, 'has no captions that can be stored')
  const sent = createHash('sha256')
    .update(await readFile(file.path))
    .digest('hex')
  return { fileId: stored.fileId, isConverted: stored.sha256 !== sent }
}

// The code of the error says more than its field.
const reasons: Readonly<Record<string, Phrase>> = Object.fromEntries(
  Object.entries(fileReasons).map(([code, phrase]) => [`invalid_body: ${code}`, phrase]),
)

/** The sentences for refusals of files, for `noticeFor`. */
export const fileRefusals = {
  ...reasons,
  'invalid_body file': words.fileRefusals['invalid_body file'],
  'invalid_body file_id': words.fileRefusals['invalid_body file_id'],
  'invalid_body content_type': words.fileRefusals['invalid_body content_type'],
  'invalid_body byte_size': words.fileRefusals['invalid_body byte_size'],
  quota_exceeded: words.fileRefusals.quota_exceeded,
  too_many_uploads: words.fileRefusals.too_many_uploads,
} as const

/** What is wrong with the file of a form that was refused. */
export const fileErrorIn = (refusal: Refusal | undefined, language: Language): string | undefined => {
  const error = refusal?.extras.errors?.find(({ pointer }) => pointer === '/file')
  const known: Readonly<Record<string, Phrase>> = { ...texts.page.errors, ...fileReasons }
  return error && fill(known[error.code] ?? texts.page.errors.notAllowed, language, error.values)
}
