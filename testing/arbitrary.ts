export { hostileJson, hostileOf, hostileText } from './arbitrary/hostile.ts'
export { hostileQuery } from './arbitrary/query.ts'
export { type Schema, validOf } from './arbitrary/valid.ts'
