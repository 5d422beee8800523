import Type, { type Static } from 'typebox'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Line, Nullable, OneOf, OptionalLine, Person, Recorded } from '#src/kit/shapes.ts'
import { ImageShape } from '../uploads/schema.ts'

/** What staff upload files for that are in their library; those of learners and of Stoa itself are not. */
export const libraryPurposes = ['course', 'post', 'page', 'product', 'plan', 'event', 'appearance'] as const

/** The kinds of files, by what is done with them. */
export const fileKinds = ['picture', 'video', 'audio', 'document', 'other'] as const

/** The most characters that say what a picture shows. */
export const MAX_ALT = 500

const alt = OptionalLine(MAX_ALT, 'What a picture shows, in words; empty: nobody has said it')

/** What refers to a file. */
const Use = Closed('FileUse', {
  kind: Type.String({ description: 'What it is, such as lesson' }),
  id: Type.String(),
  name: Nullable(Type.String()),
  within: Nullable(Type.String({ description: 'The id of what it is a part of, such as the course of a lesson' })),
})

/** A file of the school as those who manage it see it. */
export const LibraryFile = Closed('LibraryFile', {
  id: Id('fil'),
  purpose: OneOf(libraryPurposes, 'What it was uploaded for, and where it can be used'),
  name: Type.String(),
  kind: OneOf(fileKinds, 'What is done with it'),
  content_type: Type.String(),
  byte_size: Type.Integer({ minimum: 1 }),
  image: Nullable(ImageShape),
  alt,
  version: Type.Integer({ minimum: 1, description: 'How often its bytes were replaced, and once more' }),
  keep_original: Type.Boolean(),
  url: Type.String(),
  uploaded_by: Nullable(Person),
  used_by: Type.Array(Use),
  is_replaceable: Type.Boolean({ description: 'Whether its bytes can be replaced where it is used' }),
  ...Recorded,
})

/** What a file is named by. */
export const FileRef = Type.Object({ file_id: Id('fil') })

/** The filters of the library. */
export const LibraryQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(['created_at', 'name', 'byte_size']),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'A part of the name or of the alternative text' })),
  kind: Type.Optional(OneOf(fileKinds, 'Only this kind')),
  purpose: Type.Optional(OneOf(libraryPurposes, 'Only what was uploaded for this')),
  used: Type.Optional(Type.Boolean({ description: 'Only what something refers to, or only what nothing does' })),
})

/** One page of the library. */
export const LibraryPage = PageOf(LibraryFile, 'LibraryPage')

/** A change of a file. */
export const FileChange = Closed('FileChange', {
  name: Type.Optional(Line(150, 'Its name; its ending stays')),
  alt: Type.Optional(alt),
})

/** The upload whose bytes take the place of those of a file. */
export const FileReplacement = Closed('FileReplacement', { upload_id: Id('upl') })

/** A file of the library, as a value. */
export type LibraryFileValues = Static<typeof LibraryFile>
