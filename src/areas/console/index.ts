import type { Area } from '#src/contract/area.ts'
import { guide } from './guide/index.ts'
import { standing } from './standing/index.ts'
import { today } from './today/index.ts'

export { Guide, type GuideStep, guideSteps } from './guide/index.ts'
export { Standing } from './standing/index.ts'
export { Today, type WaitingKind } from './today/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const consoleAreas: readonly Area[] = [standing, guide, today]
