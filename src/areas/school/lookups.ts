// What later areas read of the school.
export { listTimeZones } from './queries.ts'
