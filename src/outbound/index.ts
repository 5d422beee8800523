export { internet, internetWith } from './internet.ts'
export { resolverAt } from './resolve.ts'
export { AddressRefused, NameFailed, type OutsideRequest, sendOnLoopback, sendOutside } from './send.ts'
