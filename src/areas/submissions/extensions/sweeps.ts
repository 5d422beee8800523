export { resolveExtensionsAgain } from './queries.ts'
