export { type DripPeriod, listDripPeriods, listDripPeriodsOf } from './queries.ts'
