import { area } from '#src/contract/area.ts'
import { sweepRows } from '#src/contract/sweep.ts'
import { implementations } from './implementations.ts'
import { operations } from './operations.ts'
import { dropOld } from './queries.ts'

export { binnable } from './binnable.operations.ts'
export { isKept } from './conditions.ts'
export { ownBinned } from './hooks.ts'
export { putInBin } from './queries.ts'
export { BinPage } from './schema.ts'

/** What was deleted and can be restored, of all areas. */
export const bin = area({ name: 'bin', operations, hooks: implementations, sweeps: [sweepRows(dropOld)] })
