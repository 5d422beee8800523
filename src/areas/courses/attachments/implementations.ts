import { lessonsCopied } from '#src/areas/courses/curriculum/index.ts'
import { implement } from '#src/contract/hook.ts'
import { newUuid } from '#src/kit/ids.ts'
import { insertAttachments, listAttachments } from './queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(lessonsCopied, async ({ pairs, now }, { db, school }) => {
    const copyOf = new Map(pairs.map(({ from, into }) => [from, into]))
    const rows = await listAttachments(db, school.id, [...copyOf.keys()])
    if (rows.length === 0) return
    await insertAttachments(
      db,
      school.id,
      rows.map(({ lesson_id: from, file_id, name, position }) => ({
        id: newUuid(now.getTime()),
        lesson_id: copyOf.get(from) ?? '',
        file_id,
        name,
        position,
      })),
    )
  }),
]
