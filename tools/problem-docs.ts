import { readFileSync, writeFileSync } from 'node:fs'
import { oauthErrors } from '#src/contract/oauth-error.ts'
import { problems } from '#src/contract/problem.ts'
import { areas } from '../src/areas.ts'

/** The path of the page. */
export const PROBLEMS_PAGE = 'docs/problems.md'

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

// The operations that declare a refusal in addition to those of every operation of their kind.
const declaring = (code: string): string =>
  areas
    .flatMap(area => area.operations)
    .filter(({ fails }) => fails.some(problem => problem.code === code))
    .map(({ id }) => `\`${id}\``)
    .join(', ')

const problemRows = (): string[][] =>
  [...problems()]
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, title, explanation, retryable }) => [
      String(status),
      `\`${code}\``,
      `**${title}.** ${explanation}`,
      retryable ? 'yes' : '',
      declaring(code),
    ])

const oauthRows = (): string[][] =>
  Object.entries(oauthErrors).map(([code, [status, explanation]]) => [String(status), `\`${code}\``, explanation])

/** The page of all refusals: the declared problems of the API and errors of the OAuth endpoints. */
export const problemsPage = (): string => `<!-- Written by \`npm run docs\` from the declarations; do not edit. -->

# Problems

Every refusal of the API is \`application/problem+json\` (RFC 9457) with one of these codes. Codes stay; titles may be
reworded. The address in \`type\`, \`{base_url}/problems/{code}\`, is a page that says the same. *Again* tells whether the
same request may succeed later. Where no operation is named, every operation of a kind can answer so, and its entry in
\`/openapi.json\` says whether it does.

${table(['status', 'code', 'what it means and what to do', 'again', 'declared by'], problemRows())}

## At the OAuth endpoints

These speak the words of their norms: \`{"error", "error_description", "error_uri"}\`, or the same as parameters of the
redirect. The status is the one at an endpoint.

${table(['status', 'error', 'what it means and what to do'], oauthRows())}
`

if (import.meta.main) {
  const page = problemsPage()
  const isSame = readFileSync(PROBLEMS_PAGE, { encoding: 'utf8', flag: 'a+' }) === page
  if (!isSame) writeFileSync(PROBLEMS_PAGE, page)
  console.log(`${PROBLEMS_PAGE}: ${isSame ? 'was up to date' : 'written'}`)
}
