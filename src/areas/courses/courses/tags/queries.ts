import { sql } from '#src/db/sql.ts'
import { defineTags } from '#src/db/tags.ts'
import { buildViewer } from '../course/access.ts'
import { listedFor } from '../course/queries.ts'

/** How the tags of courses are read. */
export const courseTagCounts = defineTags({
  from: sql`course_tags t join courses c on c.school_id = t.school_id and c.id = t.course_id`,
  listedFor: (schoolId, caller) => listedFor(schoolId, buildViewer(caller)),
})
