import Type, { type Static } from 'typebox'
import { Closed, Nullable, OneOf } from '#src/kit/shapes.ts'

const messages = {
  not_an_archive: 'The file is not a zip archive, or its directory is damaged.',
  archive_missing: 'The bytes of the archive are not there any more.',
  too_many_entries: 'The archive has more than 10,000 entries.',
  too_many_files: 'The archive has more than 2,000 files.',
  index_missing: 'There is no index.html at the top of the archive.',
  not_utf8: 'The name is not UTF-8.',
  backslash: 'The name has a backslash.',
  absolute_path: 'The name is an absolute path.',
  parent_folder: 'The name leads to another folder with . or ..',
  control_character: 'The name has characters that nobody can see.',
  empty_name: 'The name, or a part of it, is empty.',
  device_name: 'The name is one of a device.',
  name_too_long: 'The name is too long.',
  too_deep: 'The file is more than 20 levels deep.',
  link: 'The entry is a link.',
  special_file: 'The entry is neither a file nor a folder.',
  encrypted: 'The entry is encrypted.',
  duplicate_name: 'The archive has this name twice.',
  colliding_name: 'Another entry has the same name in another case, or has a folder of this name.',
  different_names: 'The archive gives the entry two different names.',
  overlapping: 'The entry shares bytes of the archive with another one.',
  unsupported_method: 'The entry is compressed by an unknown method.',
  unreadable: 'The entry is damaged.',
  wrong_size: 'The entry has another size than the archive says.',
  wrong_checksum: 'The entry has another checksum than the archive says.',
  file_too_large: 'The file has more than 10 MB.',
  bundle_too_large: 'The files have more than 200 MB together; this is where it is reached.',
  quota_exceeded: 'The files exceed what is left of the storage quota of the school.',
} as const

/** Why an archive is refused. */
export type ProblemCode = keyof typeof messages

const problemCodes = Object.keys(messages) as ProblemCode[]

/** What is wrong with an archive. */
export const BundleProblem = Closed('BundleProblem', {
  code: OneOf(problemCodes, 'What is wrong'),
  entry: Nullable(Type.String({ description: 'The name of the entry; null where it is the archive as a whole' })),
  message: Type.String({ description: 'The same in words, for developers' }),
})

/** A problem of an archive, or of the entry with this name. */
export const problemAt = (code: ProblemCode, entry: string | null = null): Static<typeof BundleProblem> => ({
  code,
  entry,
  message: messages[code],
})
