import { type CallingMember, isAtLeast, type Role } from '#src/contract/caller.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, roleRequired } from '#src/contract/problems.ts'
import { PICTURES, withoutParameters } from '#src/kit/media-types.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { Purpose } from './schema.ts'

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

// Programs and systems name the same file differently: with Excel installed, Windows calls CSV its own.
const TABLES = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/csv',
  'application/vnd.ms-excel',
  'application/zip',
  'application/x-zip-compressed',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]

type Limit = { readonly from: Role; readonly bytes: number; readonly types?: readonly string[] }

const limits: Readonly<Record<Purpose, Limit>> = {
  avatar: { from: 'member', bytes: 5 * MB, types: PICTURES },
  submission: { from: 'member', bytes: 500 * MB },
  course: { from: 'lecturer', bytes: 5 * GB },
  post: { from: 'lecturer', bytes: 100 * MB },
  page: { from: 'admin', bytes: 100 * MB },
  product: { from: 'admin', bytes: 5 * GB },
  plan: { from: 'admin', bytes: 100 * MB },
  event: { from: 'lecturer', bytes: 100 * MB },
  appearance: { from: 'admin', bytes: 10 * MB },
  import: { from: 'lecturer', bytes: 50 * MB, types: TABLES },
}

/** The most bytes of a file for a purpose; of a picture that a page shows. */
export const maxBytesFor = (purpose: Purpose, isShown: boolean): number =>
  isShown ? Math.min(limits[purpose].bytes, MAX_MEASURED_BYTES) : limits[purpose].bytes

/** Why the bytes of an upload are rejected, and what is said of the file then. */
export const rejections: Readonly<Record<string, string>> = {
  wrong_size: 'has another size than was announced',
  wrong_checksum: 'has another checksum than was announced',
  type_mismatch: 'is not of the type that it was declared to be',
  unsupported_type: 'is of a type that is not accepted here',
  unreadable_image: 'is a picture that cannot be read',
  too_many_pixels: 'is a picture of more than 40 million pixels',
  unreadable_captions: 'has no captions in WebVTT or SRT, or is larger than 5 MB',
}

/** Uploads that nothing refers to, for each member. */
export const MAX_UNLINKED = 100

/** How many pieces an upload may come in. */
export const MAX_PARTS = 1000

/** Pictures larger than this are kept, but neither measured, rewritten nor made smaller, and no page shows them. */
export const MAX_MEASURED_BYTES = 50 * MB

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
    ...(types === undefined || types.includes(withoutParameters(file.content_type))
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

/** Where an object of an upload lies until the upload is complete. */
export const partKey = (schoolId: string, uploadId: string, part: string): string =>
  `${schoolId}/incoming/${uploadId}/${part}`

/** Where bytes lie that were sent past us. */
export const directKey = (schoolId: string, uploadId: string): string => partKey(schoolId, uploadId, 'direct')
