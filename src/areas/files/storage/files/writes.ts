import type { SchoolContext } from '#src/contract/context.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { invalidBody, refuseInvalid } from '#src/contract/problems.ts'
import { isPicture, PICTURES } from '#src/kit/media-types.ts'
import type { Purpose } from '../uploads/schema.ts'
import { type FileRow, takeFile } from './queries.ts'

const UNUSABLE = 'The file cannot be used here.'

/** Where something is written that refers to a file, and how. */
export type FileReference = {
  readonly id: string
  readonly pointer: string
  readonly purposes: readonly Purpose[]
  readonly memberId?: string
  /** Whether pages show the file, so that it has to be a picture. */
  readonly isShown?: boolean
}

/** The errors of a file that a page is to show as a picture; none where it is one. */
export const errorsOfPicture = (file: FileRow | undefined, pointer: string): FieldError[] => {
  if (!isPicture(file?.content_type ?? ''))
    return [
      { pointer, code: 'unsupported_type', message: `is not a picture of one of the types ${PICTURES.join(', ')}` },
    ]
  const message = 'is kept as it was sent, with its metadata; upload a picture of at most 50 MB without keep_original'
  return file?.keep_original === true ? [{ pointer, code: 'unsuitable', message }] : []
}

/**
 * Takes a file into use in the transaction of the write that refers to it, and returns the id of its row; `pointer` is
 * where the body names it. Refuses what is not ready, for another purpose, with `memberId` of somebody else or, with
 * `isShown`, no picture.
 */
export const useFile = async (
  { db, school }: SchoolContext,
  { id, pointer, purposes, memberId, isShown = false }: FileReference,
): Promise<string> => {
  const row = await takeFile(db, school.id, id, { memberId, purposes })
  const unknown = { pointer, code: 'unknown', message: 'is not a completed file with this purpose' }
  if (row === undefined) throw new Refusal(invalidBody, UNUSABLE, { errors: [unknown] })
  if (isShown) refuseInvalid(errorsOfPicture(row, pointer), UNUSABLE)
  return row.id
}
