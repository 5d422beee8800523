import { area } from '#src/contract/area.ts'
import { dripOperations } from './operations.ts'

export { type DripPeriod, listDripPeriods, listDripPeriodsOf, listDrips, putDrips } from './queries.ts'
export { type Drip, dripOf, errorsOfDrip, IMMEDIATE, isSameDrip } from './rules.ts'
export { Drip as DripShape, type DripInput, LessonDrip, NewDrip } from './schema.ts'

/** Release schedules: by which rule a lesson becomes available. */
export const drips = area({ name: 'drips', operations: dripOperations })
