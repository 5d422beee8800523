export { setExtension } from './queries.ts'
