import assert from 'node:assert/strict'
import { access, glob, readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { endpoints } from '#testing/matrix.ts'

const ROOT = new URL('../', import.meta.url)
const text = await readFile(new URL('docs/oauth.md', ROOT), 'utf8')

type Row = {
  readonly clause: string
  readonly files: readonly string[]
  readonly tests: readonly (readonly [string, string])[]
}

const parseCells = (line: string): string[] => line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, ''))

const readRow = (line: string): Row => {
  const [clause = '', , files = '', tests = ''] = parseCells(line)
  return {
    clause,
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    tests: [...tests.matchAll(/`([^`]+)` “([^”]+)”/g)].map(([, path = '', title = '']) => [path, title]),
  }
}

// The last table lists departures from the norms, without files.
const rows = text
  .slice(0, text.indexOf('## Where we depart'))
  .split('\n')
  .filter(line => line.startsWith('| ') && !/^\| (?:clause|---)/.test(line))
  .map(readRow)

// A title is in its file directly after an opening quote.
const hasTitle = (source: string, title: string): boolean =>
  ["'", '"', '`'].some(quote => source.includes(`${quote}${title}`))

const oauthRoutes = endpoints
  .map(({ route }) => route)
  .filter(route => /^\w+ \/(?:oauth\/|api\/oauth\/|\.well-known\/|auth\.md)/.test(route))

suite('docs/oauth.md', () => {
  test('has rows, each with a clause, a file and a test', () => {
    assert.ok(rows.length > 80)
    for (const { clause, files, tests } of rows)
      assert.ok(clause !== '' && files.length > 0 && tests.length > 0, clause)
  })

  test('names only files that exist', async () => {
    for (const path of new Set(rows.flatMap(({ files }) => files)))
      await assert.doesNotReject(access(new URL(path, new URL('src/', ROOT))), path)
  })

  test('names only tests that exist', async () => {
    const sources = new Map<string, string>()
    for (const [path, title] of rows.flatMap(({ tests }) => tests)) {
      const source = sources.get(path) ?? (await readFile(new URL(path, ROOT), 'utf8'))
      sources.set(path, source)
      assert.ok(hasTitle(source, title), `${path} has no test “${title}”`)
    }
  })

  test('names every endpoint that is declared, and no other', () => {
    assert.ok(oauthRoutes.length > 30)
    for (const route of oauthRoutes) assert.ok(text.includes(`\`${route}\``), route)
    const named = [...text.matchAll(/`((?:GET|POST) \/[^`]*)`/g)].map(([, route = '']) => route)
    for (const route of named)
      assert.ok(endpoints.some(declared => declared.route === route) || route === 'GET /openapi.json', route)
  })

  test('names every norm that the server is built on', () => {
    for (const norm of [6749, 6750, 7009, 7591, 7636, 7662, 8252, 8414, 8707, 9207, 9700, 9728])
      assert.ok(rows.length > 0 && new RegExp(`RFC ${norm} §`).test(text), `RFC ${norm}`)
    for (const norm of ['OIDC Core §', 'OIDC Discovery §', 'CIMD draft §']) assert.ok(text.includes(norm), norm)
  })

  test('a title that no longer exists is found', () => {
    assert.equal(hasTitle("test('A-01 something', …)", 'A-01'), true)
    assert.equal(hasTitle("test('not A-01 something', …)", 'A-01'), false)
  })
})

// The abuse cases of docs/security.md about authorization, tokens, registration, sign-in and outgoing requests.
const abuse = {
  A: [1, 2, 5, 10, 13, 16, 17, 20],
  B: [1, 2, 4, 5, 7, 8, 14],
  C: [1, 2, 7, 12, 13, 15, 17],
  D: [1, 2, 3, 4, 5, 7, 9, 10, 13],
  E: [1, 3, 4, 9, 10, 11, 13, 14, 15, 17, 18, 19, 23, 24, 26],
  K: [1, 3, 4],
} as const

test('every abuse case about people, apps and tokens has a test whose title begins with its number', async () => {
  let all = ''
  for await (const path of glob(['tests/**/*.ts', 'src/**/*.test.ts'], { cwd: ROOT }))
    all += await readFile(new URL(path, ROOT), 'utf8')
  for (const [letter, numbers] of Object.entries(abuse))
    for (const number of numbers) {
      const row = `${letter}-${String(number).padStart(2, '0')}`
      assert.match(all, new RegExp(`['"\`](?:[A-Z]-\\d\\d )*${row}\\b`), row)
    }
})
