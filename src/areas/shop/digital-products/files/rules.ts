import type { FieldError } from '#src/contract/problem.ts'
import type { FilesInput } from './schema.ts'

/** A file that a product has now, and the upload of its latest version. */
export type CurrentFile = { readonly id: string; readonly upload_id: string; readonly version: number }

/**
 * A file of a product after a change: one that it has or, without an id, a new one. An upload is its next version; `pointer`
 * is where the body names it.
 */
export type PlannedFile = {
  readonly id: string | undefined
  readonly upload: { readonly id: string; readonly pointer: string; readonly version: number } | undefined
}

const kept = (id: string): PlannedFile => ({ id, upload: undefined })

type Entry = FilesInput['files'][number]

const error = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const errorsOfEntry = ({ id, file_id: fileId, replaces }: Entry, at: string, current: readonly CurrentFile[]) => {
  const isKnown = (named: string | undefined): boolean => named === undefined || current.some(one => one.id === named)
  if ((id === undefined) === (fileId === undefined)) return [error(at, 'one_of', 'has either id or file_id')]
  return [
    ...(isKnown(id) ? [] : [error(`${at}/id`, 'unknown', 'is not a file of this product')]),
    ...(isKnown(replaces) ? [] : [error(`${at}/replaces`, 'unknown', 'is not a file of this product')]),
    ...(id !== undefined && replaces !== undefined ? [error(`${at}/replaces`, 'unwanted', 'goes with file_id')] : []),
  ]
}

const findTarget = ({ id, replaces }: Entry): string | undefined => id ?? replaces

const repeated = (entries: readonly Entry[]): FieldError[] =>
  entries.flatMap((entry, index) => {
    const named = findTarget(entry)
    const first = entries.findIndex(one => findTarget(one) === named)
    if (named === undefined || first === index) return []
    return [error(`/files/${index}`, 'duplicate', `names the same file of the product as /files/${first}`)]
  })

/** The errors of a list of files for a product that has these. */
export const errorsOfFiles = ({ files }: FilesInput, current: readonly CurrentFile[]): FieldError[] => [
  ...files.flatMap((entry, index) => errorsOfEntry(entry, `/files/${index}`, current)),
  ...repeated(files),
]

/**
 * What the files of a product become by a list without errors. An upload that is the latest version of a file already
 * stands for this file, so that the same list can be sent again.
 */
export const planFiles = ({ files }: FilesInput, current: readonly CurrentFile[]): PlannedFile[] => {
  const named = new Set(files.map(findTarget))
  const free = current.filter(({ id }) => !named.has(id))
  return files.flatMap((entry, index): PlannedFile[] => {
    const { id, file_id: uploadId, replaces } = entry
    if (uploadId === undefined) return id === undefined ? [] : [kept(id)]
    const upload = { id: uploadId, pointer: `/files/${index}/file_id`, version: 1 }
    const replaced = current.find(one => one.id === replaces)
    if (replaced !== undefined)
      return replaced.upload_id === uploadId
        ? [kept(replaced.id)]
        : [{ id: replaced.id, upload: { ...upload, version: replaced.version + 1 } }]
    const at = free.findIndex(one => one.upload_id === uploadId)
    const [same] = at === -1 ? [] : free.splice(at, 1)
    return [same === undefined ? { id: undefined, upload } : kept(same.id)]
  })
}
