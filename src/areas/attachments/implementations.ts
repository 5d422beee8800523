import { lessonsCopied } from '#src/areas/curriculum/index.ts'
import { implement } from '#src/contract/hook.ts'
import { newUuid } from '#src/kit/ids.ts'
import { copyAttachments } from './queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(lessonsCopied, ({ pairs, now }, { db, school }) =>
    copyAttachments(db, school.id, pairs, () => newUuid(now.getTime())),
  ),
]
