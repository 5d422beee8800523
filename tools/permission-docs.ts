import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from '#src/contract/operation.ts'
import { areas } from '../src/areas.ts'

/** The path of the page in the repository. */
export const PERMISSIONS_PAGE = 'docs/permissions.md'

const HEAD = ['operation', 'method and path', 'scope', 'who', 'mode', 'confirm', 'If-Match', 'Idempotency-Key', 'more']

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

// Each of these shows or keeps something from a caller.
const moreOf = ({ expand, csv, dryRun }: Operation): string =>
  [
    ...Object.entries(expand).map(([name, { scope, who }]) => `expand ${name}: \`${scope}\`, ${who}`),
    ...(csv === undefined ? [] : ['CSV']),
    ...(dryRun === undefined ? [] : [`dry run ${dryRun}`]),
  ].join('; ')

const takesKey = ({ method, mode }: Operation): boolean => method !== 'GET' && mode === 'write'

const rowOf = (operation: Operation): string => {
  const { id, method, path, scope, who, mode, confirm = '', ifMatch = '' } = operation
  const key = takesKey(operation) ? 'yes' : ''
  return row([id, `\`${method} ${path}\``, `\`${scope}\``, who, mode, confirm, ifMatch, key, moreOf(operation)])
}

const sections = (): string[] =>
  areas
    .filter(({ operations }) => operations.length > 0)
    .map(({ name, operations }) =>
      [`## ${name}`, '', row(HEAD), row(HEAD.map(() => '---')), ...operations.map(rowOf)].join('\n'),
    )

/** Builds the page that lists for every operation who may call it and how it runs, from its declaration. */
export const permissionsPage = (): string => `<!-- Written by \`npm run docs\` from the declarations; do not edit. -->

# Permissions

Who may call which operation. The tests derive what they expect from the declarations, so a wrong declaration would pass
them: this page is compared with the declarations in a test, and a review of a change sees what it gives to whom.

- **scope**: what the token must have; \`none\` is no scope.
- **who**: the role that the person needs. \`anyone\` includes anonymous requests; \`holder\` and \`lecturer_of\` let every
  member through to a check of the operation itself.
- **mode**: \`read\`, \`write\` (one transaction, with an audit entry where something changes), \`stream\` or \`outside\`.
- **confirm**: the person approves the write in a browser.
- **If-Match**, **Idempotency-Key**: whether the header is required or honoured; whether a key makes a retry safe.
- **more**: relations that can be embedded, with what a caller needs for them; lists that staff can download as CSV; dry
  runs that keep the answer to themselves.

${sections().join('\n\n')}
`

if (import.meta.main) {
  const file = join(import.meta.dirname, '..', PERMISSIONS_PAGE)
  const page = permissionsPage()
  const isSame = readFileSync(file, { encoding: 'utf8', flag: 'a+' }) === page
  if (!isSame) writeFileSync(file, page)
  console.log(`${PERMISSIONS_PAGE}: ${isSame ? 'was up to date' : 'written'}`)
}
