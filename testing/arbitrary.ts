export { listEdges } from './arbitrary/edges.ts'
export { buildHostile, hostileJson, hostileText } from './arbitrary/hostile.ts'
export { hostileQuery } from './arbitrary/query.ts'
export { buildValid } from './arbitrary/valid.ts'
