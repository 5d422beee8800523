import type { Static } from 'typebox'
import { listStatement } from '#src/db/list.ts'
import { buildViewer } from './access.ts'
import { lecturerList } from './queries.ts'
import type { Lecturer } from './schema.ts'
import { lecturerViews, type Showing } from './views.ts'

/** Some profiles by their ids, as a caller sees them, in the school's order. */
export const listLecturersById = async (
  context: Showing,
  ids: readonly string[],
): Promise<Static<typeof Lecturer>[]> => {
  const filter = { viewer: buildViewer(context.caller), ids }
  return lecturerViews(context, await context.db.all(listStatement(lecturerList(context.school.id, filter))))
}
