export { edgesOf } from './arbitrary/edges.ts'
export { hostileJson, hostileOf, hostileText } from './arbitrary/hostile.ts'
export { hostileQuery } from './arbitrary/query.ts'
export { validOf } from './arbitrary/valid.ts'
