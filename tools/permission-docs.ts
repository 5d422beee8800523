import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Area, routedOperations, unroutedOperations } from '#src/contract/area.ts'
import type { AnyOperation, Operation, UnroutedOperation } from '#src/contract/operation.ts'
import { isOfPeople, listColumns } from '#src/http/csv.ts'
import { areas } from '../src/areas.ts'

/** The path of the page in the repository. */
export const PERMISSIONS_PAGE = 'docs/permissions.md'

const HEAD = [
  'operation',
  'method and path',
  'scope',
  'who',
  'mode',
  'confirm',
  'proof',
  'If-Match',
  'Idempotency-Key',
  'limit',
  'more',
]

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

// Each of these shows or keeps something from a caller.
const formatMore = (operation: Operation): string => {
  const { expand, csv, dryRun } = operation
  return [
    ...Object.entries(expand).map(([name, { scope, who }]) => `expand ${name}: \`${scope}\`, ${who}`),
    ...(csv === undefined ? [] : [isOfPeople(operation, listColumns(operation)) ? 'CSV with a recent proof' : 'CSV']),
    ...(dryRun === undefined ? [] : [`dry run ${dryRun}`]),
  ].join('; ')
}

const formatLimit = ({ rateLimit }: AnyOperation): string =>
  rateLimit === undefined ? '' : `${rateLimit.times} in ${rateLimit.seconds} s by ${rateLimit.by}`

const takesKey = ({ method, mode }: Operation): boolean => method !== 'GET' && mode === 'write'

const buildRow = (operation: Operation): string => {
  const { id, method, path, scope, who, mode, confirm = '', proof = '', ifMatch = '' } = operation
  const key = takesKey(operation) ? (operation.idempotency ?? 'yes') : ''
  return row([
    id,
    `\`${method} ${path}\``,
    `\`${scope}\``,
    who,
    mode,
    confirm,
    proof,
    ifMatch,
    key,
    formatLimit(operation),
    formatMore(operation),
  ])
}

const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(head), row(head.map(() => '---')), ...rows].join('\n')

const sections = (areas: readonly Area[]): string[] =>
  areas
    .map(area => ({ name: area.name, operations: routedOperations([area]) }))
    .filter(({ operations }) => operations.length > 0)
    .map(({ name, operations }) => `## ${name}\n\n${table(HEAD, operations.map(buildRow))}`)

const UNROUTED_HEAD = ['operation', 'area', 'what it does', 'who', 'mode', 'proof', 'limit', 'more']

const formatUnroutedRow = (area: string, operation: UnroutedOperation): string => {
  const { id, summary, who, mode, proof = '', dryRun } = operation
  const more = dryRun === undefined ? '' : `dry run ${dryRun}`
  return row([id, area, summary, who, mode, proof, formatLimit(operation), more])
}

const unroutedTable = (areas: readonly Area[]): string => {
  const rows = areas.flatMap(area =>
    unroutedOperations([area]).map(operation => formatUnroutedRow(area.name, operation)),
  )
  return rows.length === 0 ? 'There is none yet.' : table(UNROUTED_HEAD, rows)
}

/** The page that says of every operation of these areas who may call it, and how it runs, as it is declared. */
export const permissionsPage = (
  areas: readonly Area[],
): string => `<!-- Written by \`npm run docs\` from the declarations; do not edit. -->

# Permissions

Who may call which operation. The tests derive what they expect from the declarations, so a wrong declaration would pass
them: this page is compared with the declarations in a test, and a review of a change sees what it gives to whom.

- **scope**: what the token must have; \`none\` is no scope.
- **who**: the role that the person needs. \`anyone\` includes anonymous requests; \`holder\` and \`lecturer_of\` let every
  member through to a check of the operation itself.
- **mode**: \`read\`, \`write\` (one transaction, with an audit entry where something changes), \`stream\` or \`outside\`.
- **confirm**: the person approves the write in a browser.
- **proof**: what the person has to have proven on a page, in the last two hours for \`recent\`; some handlers require it for some inputs,
  and a CSV of people requires it too. An app needs none, since its person gives it where they confirm.
- **If-Match**, **Idempotency-Key**: whether the header is required or honoured; whether a key makes a retry safe.
- **limit**: how many calls are allowed for each network or member, and in how many seconds; calls that are refused count.
- **more**: relations that can be embedded, with what a caller needs for them; lists that staff can download as CSV; dry
  runs that keep the answer to themselves.

${sections(areas).join('\n\n')}

## Operations without a route

No app can call these, whatever its scopes: they have no method, path or scope. Pages of the school perform them for the
person who is signed in, with the role in the column *who*, and commands for the operator, who may do what owners may.

${unroutedTable(areas)}
`

if (import.meta.main) {
  const file = join(import.meta.dirname, '..', PERMISSIONS_PAGE)
  const page = permissionsPage(areas)
  const isSame = readFileSync(file, { encoding: 'utf8', flag: 'a+' }) === page
  if (!isSame) writeFileSync(file, page)
  console.log(`${PERMISSIONS_PAGE}: ${isSame ? 'was up to date' : 'written'}`)
}
