import { area } from '#src/contract/area.ts'
import { dripOperations } from './operations.ts'

export { type DripPeriod, listDripPeriods, listDrips, listLessonDripPeriods, putDrips } from './queries.ts'
export { buildDrip, type Drip, errorsOfDrip, IMMEDIATE, isSameDrip } from './rules.ts'
export { Drip as DripShape, type DripInput, LessonDrip, NewDrip } from './schema.ts'

/** Release schedules: by which rule a lesson becomes available. */
export const drips = area({ name: 'drips', operations: dripOperations })
