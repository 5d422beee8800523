import type { Static } from 'typebox'
import { viewerOf } from './access.ts'
import { listLecturerRows } from './queries.ts'
import type { Lecturer } from './schema.ts'
import { lecturerViews, type Showing } from './views.ts'

/** Some profiles by their ids, as a caller sees them, in the school's order. */
export const listLecturersById = async (
  context: Showing,
  ids: readonly string[],
): Promise<Static<typeof Lecturer>[]> => {
  const filter = { viewer: viewerOf(context.caller), ids }
  const page = { rows: ids.length, after: undefined }
  const order = { key: 'position', isDescending: false } as const
  return lecturerViews(context, await listLecturerRows(context.db, context.school.id, filter, order, page))
}

export { findLecturerOf } from './queries.ts'
