import { lineAt, only, tokens } from './source.ts'
import type { Violation } from './violations.ts'

const NAME = /\bimplementProvider\b/g
const DECLARED = /\bexport const implementProvider = \(/g
const IMPORTED = /\bimport \{[^}]*\bimplementProvider\b[^}]*\} from '\.\/implementations\.ts'/g
const CALLED = /\bimplementProvider\('https:\/\/[a-z0-9.-]+(?:\/[\w/.-]*)?'\)/g

const MESSAGE =
  "an adapter of payments gets its origin from implementProvider('https://…'), called with a literal by index.ts of its area"

const isIn = (at: number, ranges: readonly (readonly [from: number, until: number])[]): boolean =>
  ranges.some(([from, until]) => from <= at && at < until)

const listRanges = (text: string, patterns: readonly RegExp[]) =>
  patterns.flatMap(pattern =>
    [...text.matchAll(pattern)].map(found => [found.index, found.index + found[0].length] as const),
  )

const choosePatterns = (path: string): readonly RegExp[] => {
  if (/^src\/areas\/[\w-]+\/[\w-]+\/implementations\.ts$/.test(path)) return [DECLARED]
  return /^src\/areas\/[\w-]+\/[\w-]+\/index\.ts$/.test(path) ? [IMPORTED, CALLED] : []
}

/**
 * Where something else than a literal decides with which server an adapter of payments talks: no setting names another server, and
 * only tests start one of their own.
 */
export const findProviderOrigins = (path: string, source: string): Violation[] => {
  const text = only(['code', 'string'], tokens(source))
  const allowed = listRanges(text, choosePatterns(path))
  return [...text.matchAll(NAME)]
    .filter(({ index }) => !isIn(index, allowed))
    .map(({ index }) => ({ file: path, line: lineAt(text, index), message: MESSAGE }))
}
