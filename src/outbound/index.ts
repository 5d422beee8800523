export { internet, internetWith } from './internet.ts'
export { resolverAt } from './resolve.ts'
export { sendOutside } from './send.ts'
