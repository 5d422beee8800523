import { blank, lineAt, only, type Token } from './source.ts'
import { matchViolations, type Violation } from './violations.ts'

/** A source file and its tokens. */
export type Source = { path: string; text: string; all: Token[] }

/** Places whose SQL is in files called queries, and the one place where it may be anywhere. */
const sqlInQueries = ['areas', 'identity', 'oauth', 'http', 'worker', 'demo']
const sqlAnywhere = 'db'

/** The files that may read the machine's clock, and the files that may read its environment. */
// What somebody else has signed at an instant is compared with the real clock, also after the computer has slept; receivers of
// webhooks compare theirs with ours.
const mayReadClock = [
  'src/background.ts',
  'src/commands/',
  'src/http/endpoints.ts',
  'src/kit/clock-difference.ts',
  'src/web/browser/',
]
// The search path for programs is not a setting of ours.
const mayReadEnvironment = ['src/config.ts', 'src/db/embedded/way.ts']

/** Who may use the database's own time: the migrator records when it ran, before stoa.now() has to exist. */
const mayUseDatabaseTime = ['src/db/migrate.ts']

const machineClock = /\bDate\.now\b|\bnew Date\b(?:\s*\(\s*\))?(?!\s*\()|\bTemporal\.Now\b/g
const environment = /\bprocess\s*(?:\?\.|\.)\s*env\b|\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/g
const environmentImport = /\{[^{}]*\benv\b[^{}]*\}\s*from\s*['"](?:node:)?process['"]/g

const databaseClock = new RegExp(
  String.raw`(?<![\w.])(?:pg_catalog\.)?` +
    String.raw`(?:(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(\s*\)` +
    String.raw`|(?:current_timestamp|localtimestamp|current_date)\b)`,
  'gi',
)

// Only the definition of the school's clock may use the database's.
const clockDefinition =
  /create\s+(?:or\s+replace\s+)?function\s+stoa\.\w*(?:now|clock)[\s\S]*?(?:(\$\w*\$)[\s\S]*?\1|;)/gi

/** SQL that is neither in a file called queries nor in db. */
export const sqlOutsideQueries = ({ path, text, all }: Source): Violation[] => {
  const place = path.split('/')[1] ?? ''
  if (place === sqlAnywhere) return []
  const inQueries = sqlInQueries.includes(place)
  if (inQueries && /[./](?:queries|conditions)\.ts$/.test(path)) return []
  const message = inQueries
    ? 'SQL belongs in queries.ts'
    : `SQL belongs in the queries.ts of ${sqlInQueries.join(', ')}, or in ${sqlAnywhere}`
  return sqlTemplates(all).map(({ at }) => ({ file: path, line: lineAt(text, at), message }))
}

/** SQL that uses the database's time instead of the school's. */
export const sqlClock = ({ path, all }: Source): Violation[] => {
  if (isAmong(mayUseDatabaseTime, path)) return []
  return matchViolations(databaseClock, only(['string', 'template'], all), path, stoaNow)
}

// A sub-select without a table and a materialized clock are evaluated once; so is a statement without a table.
const readOnce =
  /\(select stoa\.now\(\)\)|\bclock as materialized \(select stoa\.now\(\) as now\)|(?<=[`';]\s*)select stoa\.now\(\) as \w+/g

/** SQL that may read the clock again for each row. */
export const sqlReadings = ({ path, all }: Source): Violation[] => {
  if (isForTests(path)) return []
  return matchViolations(
    /stoa\.now\(\)/g,
    only(['string', 'template'], all).replace(readOnce, cut => blank(cut)),
    path,
    () => 'read the clock once: (select stoa.now()), or "with clock as materialized (select stoa.now() as now)"',
  )
}

/** A migration that uses the database's time instead of the school's. */
export const migrationClock = (path: string, text: string): Violation[] => {
  const statements = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, cut => blank(cut))
  return matchViolations(
    databaseClock,
    statements.replace(clockDefinition, cut => blank(cut)),
    path,
    stoaNow,
  )
}

/** Code that reads the machine's clock instead of taking the time as an argument. */
export const clockReads = ({ path, all }: Source): Violation[] => {
  if (isAmong(mayReadClock, path)) return []
  return matchViolations(
    machineClock,
    only(['code'], all),
    path,
    () => 'take the time as an argument; measure durations with performance.now()',
  )
}

const isForTests = (path: string): boolean => /\.test\.ts$|\/test-[\w-]+\.ts$/.test(path)

/** Code that reads the environment instead of taking a setting as an argument. */
export const environmentReads = ({ path, all }: Source): Violation[] => {
  if (isAmong(mayReadEnvironment, path) || isForTests(path)) return []
  const message = () => 'only config.ts may read process.env'
  return [
    ...matchViolations(environment, only(['code'], all), path, message),
    ...matchViolations(environmentImport, only(['code', 'string'], all), path, message),
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

const stoaNow = (match: RegExpExecArray) => `use stoa.now() instead of ${match[0]}`
