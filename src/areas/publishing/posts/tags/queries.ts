import { sql } from '#src/db/sql.ts'
import { defineTags } from '#src/db/tags.ts'
import { buildViewer } from '../post/access.ts'
import { listedFor } from '../post/queries.ts'

/** How the tags of posts are read. */
export const postTagCounts = defineTags({
  from: sql`post_tags t join posts p on p.school_id = t.school_id and p.id = t.post_id`,
  listedFor: (schoolId, caller) => listedFor(schoolId, buildViewer(caller)),
})
