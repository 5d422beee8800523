import { blank, lineAt, only, type Token } from './source.ts'
import { each, type Violation } from './violations.ts'

/** A source file cut into its stretches. */
export type Source = { path: string; text: string; all: Token[] }

/** Places where SQL stands in files called queries, and the one place where it stands anywhere. */
const sqlInQueries = ['areas', 'identity', 'oauth', 'http', 'worker', 'world']
const sqlAnywhere = 'db'

/** Who may look at the clock of the machine, and who at its environment. */
const mayReadClock = ['src/kit/clock.ts', 'src/commands/']
// A search path for programs is no setting of ours.
const mayReadEnvironment = ['src/config.ts', 'src/db/embedded/way.ts']

/** Who may ask the database for its own time: the migrator stamps what it did before stoa.now() need exist. */
const mayAskDatabase = ['src/db/migrate.ts']

const machineClock = /\bDate\.now\b|\bnew Date\b(?:\s*\(\s*\))?(?!\s*\()|\bTemporal\.Now\b/g
const environment = /\bprocess\s*(?:\?\.|\.)\s*env\b|\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/g
const environmentImport = /\{[^{}]*\benv\b[^{}]*\}\s*from\s*['"](?:node:)?process['"]/g

const databaseClock = new RegExp(
  String.raw`(?<![\w.])(?:pg_catalog\.)?` +
    String.raw`(?:(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(\s*\)` +
    String.raw`|(?:current_timestamp|localtimestamp|current_date)\b)`,
  'gi',
)

// The definition of the school's own clock is the only SQL that may ask the database's.
const clockDefinition =
  /create\s+(?:or\s+replace\s+)?function\s+stoa\.\w*(?:now|clock)[\s\S]*?(?:(\$\w*\$)[\s\S]*?\1|;)/gi

/** SQL that stands anywhere but in the queries of a room, or in db. */
export const sqlOutsideQueries = ({ path, text, all }: Source): Violation[] => {
  const place = path.split('/')[1] ?? ''
  if (place === sqlAnywhere) return []
  const inQueries = sqlInQueries.includes(place)
  if (inQueries && /[./]queries\.ts$/.test(path)) return []
  const says = inQueries
    ? 'SQL stands in queries.ts alone'
    : `SQL stands in the queries.ts of ${sqlInQueries.join(', ')}, and in ${sqlAnywhere}`
  return sqlTemplates(all).map(({ at }) => ({ file: path, line: lineAt(text, at), says }))
}

/** SQL that asks the database for the time instead of the school's clock. */
export const sqlClock = ({ path, all }: Source): Violation[] => {
  if (isAmong(mayAskDatabase, path)) return []
  return each(databaseClock, only(['string', 'template'], all), path, stoaNow)
}

// A sub-select without a table and a materialized clock are evaluated once, and so is a statement that has no table.
const readOnce =
  /\(select stoa\.now\(\)\)|\bclock as materialized \(select stoa\.now\(\) as now\)|(?<=[`';]\s*)select stoa\.now\(\) as \w+/g

/** SQL that may read the clock for each row that a plan visits. */
export const sqlReadings = ({ path, all }: Source): Violation[] => {
  if (isForTests(path)) return []
  return each(
    /stoa\.now\(\)/g,
    only(['string', 'template'], all).replace(readOnce, cut => blank(cut)),
    path,
    () => 'the clock is read once: (select stoa.now()), or "with clock as materialized (select stoa.now() as now)"',
  )
}

/** A migration that asks the database for the time instead of the school's clock. */
export const migrationClock = (path: string, text: string): Violation[] => {
  const statements = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, cut => blank(cut))
  return each(
    databaseClock,
    statements.replace(clockDefinition, cut => blank(cut)),
    path,
    stoaNow,
  )
}

/** Code that looks at the machine's clock instead of being told the time. */
export const clockReads = ({ path, all }: Source): Violation[] => {
  if (isAmong(mayReadClock, path)) return []
  return each(
    machineClock,
    only(['code'], all),
    path,
    () => 'the time is an argument, and a duration is measured with performance.now()',
  )
}

const isForTests = (path: string): boolean => /\.test\.ts$|\/test-[\w-]+\.ts$/.test(path)

/** Code that reads the environment instead of being told a setting. */
export const environmentReads = ({ path, all }: Source): Violation[] => {
  if (isAmong(mayReadEnvironment, path) || isForTests(path)) return []
  const says = () => 'only config.ts reads process.env'
  return [
    ...each(environment, only(['code'], all), path, says),
    ...each(environmentImport, only(['code', 'string'], all), path, says),
  ]
}

const sqlTemplates = (all: Token[]): Token[] => {
  const code = only(['code'], all)
  return all.filter(({ kind, text, at }) => {
    if (kind !== 'template' || !text.startsWith('`')) return false
    return /\bsql(?:<[^;]*>)?\s*$/.test(code.slice(Math.max(0, at - 200), at))
  })
}

const isAmong = (allowed: string[], path: string) =>
  allowed.some(start => (start.endsWith('/') ? path.startsWith(start) : path === start))

const stoaNow = (said: RegExpExecArray) => `SQL says stoa.now(), not ${said[0]}`
