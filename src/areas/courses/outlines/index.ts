import { courseCopied } from '#src/areas/courses/courses/index.ts'
import { area } from '#src/contract/area.ts'
import { implement } from '#src/contract/hook.ts'
import { copyOperations } from './copies.operations.ts'
import { outlineOperations } from './operations.ts'
import { copyCurriculum } from './writes.ts'

export type { RequestedSection } from './rules.ts'
export { Outline } from './schema.ts'
export { addOutline } from './writes.ts'

/** The sections and lessons of a course, read, replaced and copied as a whole. */
export const outlines = area({
  name: 'outlines',
  operations: [...outlineOperations, ...copyOperations],
  hooks: [implement(courseCopied, (copied, context) => copyCurriculum(context, copied))],
})
