import { type CallingMember, isAtLeast, type Role } from '#src/contract/caller.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, roleRequired } from '#src/contract/problems.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { Purpose, StoredPurpose } from './schema.ts'

/** The file exceeds what is left of the school's quota. */
export const quotaExceeded = problem(
  409,
  'quota_exceeded',
  'The file exceeds the storage quota of the school',
  'The files of the school, including announced uploads, may not exceed its quota. Delete files that are not needed, or ask the operator for a larger quota.',
)

/** The person has too many uploads that nothing refers to. */
export const tooManyUploads = problem(
  409,
  'too_many_uploads',
  'Too many unused uploads',
  'A person has at most 100 uploads that nothing refers to. Use or delete some of them first.',
)

/** The bytes do not continue the upload. */
export const invalidOffset = problem(
  409,
  'invalid_offset',
  'The bytes do not continue the upload',
  'Content-Range must begin at received_bytes of the upload, which this response contains. Continue from that byte.',
)

/** Something refers to the file. */
export const fileInUse = problem(
  409,
  'file_in_use',
  'Something refers to this file',
  'A file can be deleted when nothing refers to it. used_by lists what refers to it.',
)

/** The requested range is not within the file. */
export const rangeNotSatisfiable = problem(
  416,
  'range_not_satisfiable',
  'The range is not within the file',
  'Content-Range of the response has the size of the file.',
)

const MB = 1_000_000

const GB = 1000 * MB

const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

type Limit = { readonly from: Role; readonly bytes: number; readonly types?: readonly string[] }

const limits: Readonly<Record<Purpose, Limit>> = {
  avatar: { from: 'member', bytes: 5 * MB, types: IMAGES },
  submission: { from: 'member', bytes: 500 * MB },
  course: { from: 'lecturer', bytes: 5 * GB },
  post: { from: 'lecturer', bytes: 100 * MB },
  page: { from: 'admin', bytes: 100 * MB },
  product: { from: 'admin', bytes: 5 * GB },
  plan: { from: 'admin', bytes: 100 * MB },
  event: { from: 'lecturer', bytes: 100 * MB },
  appearance: { from: 'admin', bytes: 10 * MB },
}

/** Uploads that nothing refers to, for each member. */
export const MAX_UNLINKED = 100

/** How many pieces an upload may come in. */
export const MAX_PARTS = 1000

/** Images larger than this are kept, but neither measured nor made smaller. */
export const MAX_MEASURED_PIXELS = 50 * MB

/** The widths in which an image can be had. */
export const widths: readonly number[] = [320, 640, 1280]

/** Refuses a file that this person may not upload for this purpose. */
export const checkPurpose = (
  caller: CallingMember,
  file: { readonly purpose: Purpose; readonly byte_size: number; readonly content_type: string },
): void => {
  const { from, bytes, types } = limits[file.purpose]
  if (!isAtLeast(caller.role, from))
    throw new Refusal(roleRequired, `Files for ${file.purpose} are uploaded by those who are ${from} or more.`)
  const errors = [
    ...(file.byte_size > bytes
      ? [{ pointer: '/byte_size', code: 'maximum', message: `is more than ${bytes}, the most for ${file.purpose}` }]
      : []),
    ...(types === undefined || types.includes(file.content_type.toLowerCase())
      ? []
      : [{ pointer: '/content_type', code: 'enum', message: `is not one of ${types.join(', ')}` }]),
  ]
  refuseInvalid(errors, 'The file is not allowed for this purpose.')
}

const NAME_BYTES = 150

const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

const cutTo = (text: string, bytes: number): string => {
  let shortened = ''
  for (const character of text) {
    if (Buffer.byteLength(shortened + character) > bytes) break
    shortened += character
  }
  return shortened
}

/** A file's name as people see it: one visible line without folders, short enough for an address; its ending stays. */
export const cleanName = (input: string): string => {
  const last = input.split(/[/\\]/).at(-1) ?? ''
  const plain = cleanLine(last, 1000)
    .replace(/[<>:"|?*;%#]/g, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .replace(DEVICES, '_$&')
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(plain)?.[0] ?? ''
  const stem = plain.slice(0, plain.length - ending.length)
  const name = `${cutTo(stem, NAME_BYTES - ending.length).trimEnd()}${ending}`
  return name === '' || name === ending ? `file${ending}` : name
}

// What a browser may show; everything else is handed over as an attachment, in a sandbox.
const INLINE_TYPES = new Set([
  ...IMAGES,
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/ogg',
  'audio/wav',
  'audio/vnd.wave',
  'audio/flac',
  'audio/aac',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'video/x-m4v',
  'application/pdf',
])

/** Whether a browser may show files of this type in place. */
export const isInlineType = (contentType: string): boolean => INLINE_TYPES.has(contentType)

/** Whether files of this type are images that can be measured. */
export const isImage = (contentType: string): boolean => IMAGES.includes(contentType)

const typesFor = (purpose: StoredPurpose): readonly string[] | undefined =>
  Object.entries(limits).find(([name]) => name === purpose)?.[1].types

/**
 * The type a file is served as: what its bytes show, where a browser would show it in place; undefined when it was
 * declared to be something it is not.
 */
export const typeOf = (declared: string, sniffed: string | undefined, purpose: StoredPurpose): string | undefined => {
  const type = declared.toLowerCase()
  const types = typesFor(purpose)
  const found = sniffed === undefined || !isInlineType(sniffed) ? undefined : sniffed
  if (types !== undefined) return found !== undefined && types.includes(found) ? found : undefined
  if (found !== undefined) return found
  const isClaim = isInlineType(type) || (/^(?:image|audio|video)\//.test(type) && type !== 'image/svg+xml')
  // An unknown kind of sound or film is kept, as what nobody shows; a picture that is none is a lie.
  if (!isClaim) return type
  return /^(?:audio|video)\//.test(type) && sniffed !== undefined && /^(?:audio|video)\//.test(sniffed)
    ? sniffed
    : undefined
}

/** Where an object of an upload lies until the upload is complete. */
export const partKey = (schoolId: string, uploadId: string, part: string): string =>
  `${schoolId}/incoming/${uploadId}/${part}`

/** Where bytes lie that were sent past us. */
export const directKey = (schoolId: string, uploadId: string): string => partKey(schoolId, uploadId, 'direct')
