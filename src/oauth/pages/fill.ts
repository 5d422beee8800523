export { fill } from '#src/contract/language.ts'
