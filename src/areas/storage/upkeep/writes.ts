// What the commands of the operator write.
export { storeQuota } from './queries.ts'
