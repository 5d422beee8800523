// What the commands of the operator read of stored files.
export { countMissing } from './queries.ts'
