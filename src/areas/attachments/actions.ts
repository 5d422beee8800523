import { getOpenLesson, isNothing, type Looking, lockOwnLesson, type SeenLesson } from '#src/areas/curriculum/index.ts'
import { fileViews } from '#src/areas/storage/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { type AttachmentRow, findAttachment } from './queries.ts'
import type { AttachmentView } from './schema.ts'

type Showing = Looking & { keyFor(purpose: string): Buffer }

/** Attachments as they are shown to who may read their lesson. */
export const attachmentViews = async (
  looking: Showing,
  rows: readonly AttachmentRow[],
): Promise<(row: AttachmentRow) => AttachmentView> => {
  const files = await fileViews(
    looking,
    rows.map(row => row.file_id),
  )
  return row => ({
    id: toId('atc', row.id),
    lesson_id: toId('les', row.lesson_id),
    name: row.name,
    file: files.get(row.file_id) ?? null,
    position: row.position,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  })
}

/** One attachment as it is shown. */
export const attachmentView = async (looking: Showing, row: AttachmentRow): Promise<AttachmentView> =>
  (await attachmentViews(looking, [row]))(row)

/** An attachment with its lesson. */
export type SeenAttachment = SeenLesson & { readonly attachment: AttachmentRow }

const nothing = (): Refusal => new Refusal(notFound, 'There is no such attachment.')

const withLesson = async (
  looking: Looking,
  ref: string,
  get: (looking: Looking, ref: string) => Promise<SeenLesson>,
): Promise<SeenAttachment> => {
  const { db, school } = looking
  const found = await findAttachment(db, school.id, fromId('atc', ref))
  if (found === undefined) throw nothing()
  try {
    const seen = await get(looking, toId('les', found.lesson_id))
    const attachment = await findAttachment(db, school.id, found.id)
    if (attachment === undefined) throw nothing()
    return { ...seen, attachment }
  } catch (error) {
    throw isNothing(error) ? nothing() : error
  }
}

/** The attachment a path names, for who may read its lesson. */
export const getOpenAttachment = (looking: Looking, ref: string): Promise<SeenAttachment> =>
  withLesson(looking, ref, getOpenLesson)

/** The attachment a path names with its course held, for those who run the course alone. */
export const lockOwnAttachment = (looking: Looking, ref: string): Promise<SeenAttachment> =>
  withLesson(looking, ref, lockOwnLesson)
