import { posix } from 'node:path'
import { lineAt, only } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

const REEXPORT = /\bexport\s+(type\s+)?(\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*$/
const IMPORT = /\bimport\s+(type\s+)?(\*\s+as\s+\w+|\{[^}]*\})\s*from\s*$/
const LOCAL_EXPORT = /\bexport\s+\{([^}]*)\}(?!\s*from\b)/g
const QUERIES = /^['"]\.[^'"]*[./]queries\.ts['"]$/

/**
 * What entry points export of the statements of their area: functions that run a statement on the connection of the caller and
 * return what it found, and no SQL. Files that export what is in queries.ts a second time, so that an entry point can.
 */
export const exportedStatements = (sources: readonly Source[]): Violation[] =>
  sources
    .filter(({ path }) => path.startsWith('src/areas/') && !path.endsWith('.test.ts'))
    .flatMap(source => {
      const exported = exportsOfQueries(source)
      const isEntryPoint = /^src\/areas\/[^/]+\/[^/]+\/index\.ts$/.test(source.path)
      const wrong = isEntryPoint ? exported.filter(one => !isRun(sources, source.path, one)) : exported
      return wrong.map(({ name, queries, at }) => ({
        file: source.path,
        line: lineAt(source.text, at),
        message: `${name} of ${queries} is exported: ${isEntryPoint ? NO_SQL : NO_SECOND_EXPORT}`,
      }))
    })

const NO_SQL =
  'an entry point exports no SQL, but functions that run it (their first parameter is db: Db), by their names, and those of conditions.ts'
const NO_SECOND_EXPORT = 'import it from where it is declared'

type Exported = { readonly name: string; readonly declared: string; readonly queries: string; readonly at: number }

// What a file exports of a queries.ts; types may be exported.
const exportsOfQueries = ({ all }: Source): Exported[] => {
  const code = only(['code'], all)
  const specifiers = all.filter(({ kind, text }) => kind === 'string' && QUERIES.test(text))
  const clauses = specifiers.map(({ at, text }) => ({ at, queries: text.slice(1, -1), before: code.slice(0, at) }))
  const reexported = clauses.flatMap(({ before, queries, at }) =>
    listValues(REEXPORT.exec(before)).map(({ name }) => ({ name, declared: name, queries, at })),
  )
  const imported = clauses.flatMap(({ before, queries }) =>
    listValues(IMPORT.exec(before)).map(({ name, local }) => ({ declared: name, local, queries })),
  )
  const exported = [...code.matchAll(LOCAL_EXPORT)].flatMap(({ 1: names = '', index }) =>
    namesIn(names).flatMap(({ name }) => {
      const found = imported.find(({ local }) => local === name)
      return found === undefined ? [] : [{ name, declared: found.declared, queries: found.queries, at: index }]
    }),
  )
  return [...reexported, ...exported]
}

// Whether a name is a function that runs a statement, since the connection is its first parameter, or a trait that has such
// functions (db/status.ts, db/versions.ts).
const isRun = (sources: readonly Source[], path: string, { declared, queries }: Exported): boolean => {
  const declaring = sources.find(source => source.path === posix.join(posix.dirname(path), queries))
  if (declaring === undefined || !/^\w+$/.test(declared)) return false
  const run = new RegExp(
    `\\bexport const ${declared} = (?:(?:async )?(?:<[^>]*>)?\\(\\s*db: Db\\b|defineStatus\\(|defineVersions<\\w+>\\()`,
  )
  return run.test(only(['code'], declaring.all))
}

type Name = { readonly name: string; readonly local: string }

// The names of an import or export clause that are values; a star is all of them.
const listValues = (clause: RegExpExecArray | null): Name[] => {
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
