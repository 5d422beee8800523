import { lineAt, only } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

const REEXPORT = /\bexport\s+(type\s+)?(\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*$/
const IMPORT = /\bimport\s+(type\s+)?(\*\s+as\s+\w+|\{[^}]*\})\s*from\s*$/
const LOCAL_EXPORT = /\bexport\s+\{([^}]*)\}(?!\s*from\b)/g
const QUERIES = /^['"]\.[^'"]*[./]queries\.ts['"]$/

/** Entry points that export a statement of their area; types may be exported. */
export const exportedStatements = ({ path, text, all }: Source): Violation[] => {
  if (!/^src\/areas\/[^/]+\/index\.ts$/.test(path)) return []
  const code = only(['code'], all)
  const specifiers = all.filter(({ kind, text }) => kind === 'string' && QUERIES.test(text))
  const clauses = specifiers.map(({ at, text }) => ({ at, queries: text.slice(1, -1), before: code.slice(0, at) }))
  const reexported = clauses.flatMap(({ before, queries, at }) =>
    valuesOf(REEXPORT.exec(before)).map(({ name }) => ({ name, queries, at })),
  )
  const imported = clauses.flatMap(({ before, queries }) =>
    valuesOf(IMPORT.exec(before)).map(({ local }) => ({ local, queries })),
  )
  const exported = [...code.matchAll(LOCAL_EXPORT)].flatMap(({ 1: names = '', index }) =>
    namesIn(names).flatMap(({ name }) => {
      const { queries } = imported.find(({ local }) => local === name) ?? {}
      return queries === undefined ? [] : [{ name, queries, at: index }]
    }),
  )
  return [...reexported, ...exported].map(({ name, queries, at }) => ({
    file: path,
    line: lineAt(text, at),
    message: `${name} of ${queries} is exported: an area exports no statements, but functions of access.ts, lookups.ts, writes.ts or conditions.ts`,
  }))
}

type Name = { readonly name: string; readonly local: string }

// The names of an import or export clause that are values; a star is all of them.
const valuesOf = (clause: RegExpExecArray | null): Name[] => {
  const [, isType, names = ''] = clause ?? []
  if (clause === null || isType !== undefined) return []
  if (!names.startsWith('*')) return namesIn(names.slice(1, -1))
  return [{ name: names, local: names.split(/\s+/).at(-1) ?? '' }]
}

const namesIn = (names: string): Name[] =>
  names
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '' && !/^type\s/.test(part))
    .map(part => ({ name: part.split(/\s+/)[0] ?? '', local: part.split(/\s+/).at(-1) ?? '' }))
