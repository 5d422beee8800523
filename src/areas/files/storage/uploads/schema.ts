import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Recorded } from '#src/kit/shapes.ts'

/** The purpose of an upload, which decides the required role, the maximum size and the allowed types. */
const purposes = [
  'avatar',
  'submission',
  'course',
  'post',
  'page',
  'product',
  'plan',
  'event',
  'appearance',
  'import',
] as const

/** The status of an upload; deleted ones are not shown. */
export const statuses = ['created', 'received', 'ready', 'rejected'] as const

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the bytes, in hexadecimal' })

/** A media type as a client declares it, which may be what a browser says of a recording. */
export const DeclaredType = Type.String({
  maxLength: 255,
  pattern: '^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,62}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,62}[ \\t]*(?:;[\\t -~]*)?$',
  description: 'The media type; its parameters are dropped',
})

/** A file as every resource that refers to one shows it. */
export const FileView = Closed('FileView', {
  file_id: Id('fil'),
  name: Type.String(),
  content_type: Type.String(),
  byte_size: Type.Integer({ minimum: 1 }),
  url: Type.String({
    description: 'The address of the bytes, for GET and HEAD; for images with ?width=320, 640 or 1280',
  }),
  url_expires_at: Nullable(Type.String({ description: 'When the address expires; null for a public file' })),
})

const Transfer = Closed(
  'Transfer',
  {
    method: OneOf(['PUT'], 'How the bytes are sent'),
    url: Type.String({ description: 'The address to send the bytes to' }),
    authorization: OneOf(['bearer', 'none'], 'bearer: with the access token; none: the address is a secret in itself'),
    is_resumable: Type.Boolean({
      description: 'Whether an upload can be continued from received_bytes with Content-Range',
    }),
    expires_at: Instant,
  },
  'Where and how to send the bytes',
)

/** The size of a picture in pixels. */
export const ImageShape = Closed('ImageShape', {
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  is_animated: Type.Boolean({ description: 'Whether it moves' }),
})

/** A file on its way into the school. */
export const Upload = Closed('Upload', {
  id: Id('upl'),
  status: OneOf(statuses, 'The status of the upload'),
  purpose: OneOf(purposes, 'The purpose of the file'),
  filename: Type.String({
    description: 'The stored file name, which may be a cleaned form of the one that was sent',
  }),
  content_type: Type.String({ description: 'The declared media type; once ready, the detected one' }),
  byte_size: Type.Integer({ minimum: 1 }),
  received_bytes: Type.Integer({ minimum: 0, description: 'How many bytes were received; continue from there' }),
  sha256: Nullable(Sha256),
  rejected_for: Nullable(
    Type.String({
      description:
        'Why it was rejected: wrong_size, wrong_checksum, type_mismatch, unsupported_type, unreadable_image, too_many_pixels or unreadable_captions',
    }),
  ),
  image: Nullable(ImageShape),
  keep_original: Type.Boolean({
    description: 'Whether the bytes stay as they were sent; a picture then keeps its metadata, and no page shows it',
  }),
  transfer: Type.Optional(Transfer),
  file: Type.Optional(FileView),
  expires_at: Nullable(Type.String({ description: 'When it is deleted unless something refers to it by then' })),
  ...Recorded,
})

/** The announcement of a file. */
export const NewUpload = Closed('NewUpload', {
  filename: Type.String({ minLength: 1, maxLength: 1000, description: 'The name of the file' }),
  content_type: DeclaredType,
  byte_size: Type.Integer({ minimum: 1, maximum: 5_000_000_000, description: 'How many bytes there are' }),
  sha256: Type.Optional(Sha256),
  purpose: OneOf(purposes, 'The purpose of the file'),
  keep_original: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Keeps the bytes of a picture, for files to download. Otherwise a picture is stored without EXIF, XMP and IPTC, unless it is for a submission.',
    }),
  ),
})

/** What an upload is named by in a path. */
export const UploadRef = Type.Object({ upload_id: Id('upl') })

/** The query parameters of the list of uploads. */
export const UploadsQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(statuses, 'Only this status')),
})

/** One page of uploads. */
export const UploadPage = PageOf(Upload, 'UploadPage')

/** A file as a resource shows it, as a value. */
export type FileValues = Static<typeof FileView>

/** What a member uploads a file for. */
export type Purpose = (typeof purposes)[number]

/** What Stoa generates a file for. */
export type GeneratedPurpose = 'export' | 'invoice'

/** What a file is for; `form`: an answer to a form, sent by anybody. */
export type StoredPurpose = Purpose | GeneratedPurpose | 'form'
