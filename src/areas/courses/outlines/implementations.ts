import { courseCopied } from '#src/areas/courses/courses/index.ts'
import { implement } from '#src/contract/hook.ts'
import { copyCurriculum } from './writes.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [implement(courseCopied, (copied, context) => copyCurriculum(context, copied))]
