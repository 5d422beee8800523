import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { areas, checkExports, checkImports, listImports } from './check-imports.ts'
import { violationsIn, withTree } from './tree.ts'

type Case = { rule: string; file: string; bad: string[]; good: string[] }

// Each tree is one file with one import; a bad specifier is refused, a good one passes.
const cases: Case[] = [
  {
    rule: 'kit imports only its own files and packages',
    file: 'src/kit/ids.ts',
    bad: ['#src/contract/page.ts', '#src/db/sql.ts', '#src/app.ts', '../contract/page.ts'],
    good: ['./text.ts', 'node:crypto', 'jose'],
  },
  {
    rule: 'contract imports kit',
    file: 'src/contract/pagination.ts',
    bad: ['#src/db/sql.ts', '#src/areas/people/index.ts'],
    good: ['#src/kit/ids.ts'],
  },
  {
    rule: 'db imports kit and contract',
    file: 'src/db/pool.ts',
    bad: ['#src/identity/index.ts', '#src/config.ts'],
    good: ['#src/kit/ids.ts', '#src/contract/db.ts'],
  },
  {
    rule: 'identity imports neither areas nor oauth',
    file: 'src/identity/sessions.ts',
    bad: ['#src/oauth/index.ts', '#src/areas/people/index.ts', '#src/http/index.ts'],
    good: ['#src/db/sql.ts', './people/queries.ts'],
  },
  {
    rule: 'an area imports the areas before it: of its domain by their entry points, and others by those of their domains',
    file: 'src/areas/courses/courses/access.ts',
    bad: [
      '#src/areas/courses/reviews/index.ts',
      '#src/areas/courses/instructors/index.ts',
      '#src/areas/courses/categories/queries.ts',
      '#src/areas/courses/index.ts',
      '#src/areas/learning/index.ts',
      '#src/areas/people/members/index.ts',
      '#src/areas/people/members/profiles/rules.ts',
    ],
    good: ['#src/areas/courses/categories/index.ts', '#src/areas/school/index.ts', '#src/identity/index.ts'],
  },
  {
    rule: 'the last area of a domain does not import the entry point of its domain',
    file: 'src/areas/people/account/access.ts',
    bad: ['#src/areas/people/index.ts'],
    good: ['#src/areas/people/members/index.ts', '#src/areas/files/index.ts'],
  },
  {
    rule: 'the entry point of a domain imports those of its areas',
    file: 'src/areas/people/index.ts',
    bad: [
      '#src/areas/people/members/index.ts',
      './members/member/queries.ts',
      '#src/areas/files/storage/index.ts',
      '#src/areas/courses/index.ts',
    ],
    good: ['./members/index.ts', '#src/contract/area.ts'],
  },
  {
    rule: 'areas import neither http nor what is beside it',
    file: 'src/areas/courses/reviews/operations.ts',
    bad: ['#src/http/index.ts', '#src/oauth/index.ts', '#src/worker/index.ts', '#src/web/account/index.ts'],
    good: ['#src/contract/operation.ts'],
  },
  {
    rule: 'http imports no area',
    file: 'src/http/pipeline.ts',
    bad: ['#src/areas/courses/index.ts', '#src/identity/index.ts', '#src/oauth/index.ts'],
    good: ['#src/contract/operation.ts', '#src/db/sql.ts', '#src/kit/ids.ts'],
  },
  {
    rule: 'oauth imports identity and no area',
    file: 'src/oauth/token/exchange.ts',
    bad: ['#src/areas/people/index.ts', '#src/http/index.ts'],
    good: ['#src/identity/index.ts', '../grants/grant.ts'],
  },
  {
    rule: 'the staff pages import the account pages and shared files',
    file: 'src/web/staff/people.ts',
    bad: ['#src/web/account/frame.ts', '../frame.ts', '#src/oauth/index.ts', '#src/http/index.ts'],
    good: ['#src/web/account/index.ts', '#src/web/frame.ts', './parts.ts', '#src/areas/people/index.ts'],
  },
  {
    rule: 'the account pages do not import the staff pages',
    file: 'src/web/account/apps.ts',
    bad: ['#src/web/staff/index.ts', '#src/areas/people/members/queries.ts'],
    good: ['#src/web/frame.ts', '#src/areas/people/index.ts'],
  },
  {
    rule: 'shared files of web import no unit of web',
    file: 'src/web/frame.ts',
    bad: ['#src/web/account/index.ts', './account/index.ts', '#src/oauth/index.ts'],
    good: ['./language.ts', '#src/kit/html.ts'],
  },
  {
    rule: 'modules for browsers import each other, kit and packages',
    file: 'src/web/browser/drafts.ts',
    bad: ['#src/contract/endpoint.ts', '#src/web/page/index.ts', '#src/texts/index.ts'],
    good: ['./storage.ts', '#src/kit/slug.ts', 'prosemirror-view'],
  },
  {
    rule: 'nothing on the server imports a module for browsers',
    file: 'src/web/page/frame.ts',
    bad: ['#src/web/browser/drafts.ts', '#src/web/browser/index.ts'],
    good: ['./modules.ts'],
  },
  {
    rule: 'a unit of web is in the list',
    file: 'src/web/shop/index.ts',
    bad: ['#src/kit/html.ts'],
    good: [],
  },
  { rule: 'worker', file: 'src/worker/facts.ts', bad: ['#src/areas/learning/index.ts'], good: ['#src/db/sql.ts'] },
  { rule: 'store', file: 'src/store/folder.ts', bad: ['#src/db/sql.ts'], good: ['#src/contract/store.ts'] },
  { rule: 'print', file: 'src/print/fonts.ts', bad: ['#src/db/sql.ts'], good: ['#src/kit/text.ts'] },
  {
    rule: 'the demo data imports entry points',
    file: 'src/demo/school.ts',
    bad: ['#src/areas/courses/courses/queries.ts', '#src/oauth/keys/keys.ts', '#src/http/index.ts', '#src/app.ts'],
    good: ['#src/areas/courses/index.ts', '#src/oauth/index.ts', '#src/identity/index.ts'],
  },
  {
    rule: 'a command imports everything, by entry points',
    file: 'src/commands/serve.ts',
    bad: ['#src/http/pipeline.ts', '../http/index.ts', '#src/web/frame.ts'],
    good: ['#src/http/index.ts', '#src/app.ts', '#src/config.ts', '#src/demo/index.ts', '#src/db/pool.ts'],
  },
  {
    rule: 'config imports kit',
    file: 'src/config.ts',
    bad: ['./app.ts', '#src/db/pool.ts'],
    good: ['#src/kit/net.ts'],
  },
  {
    rule: 'app imports everything, by entry points',
    file: 'src/app.ts',
    bad: [
      '#src/areas/courses/reviews/operations.ts',
      '#src/db/embedded/lock.ts',
      './kit/ids.ts',
      '#src/web/staff/people.ts',
    ],
    good: ['#src/web/staff/index.ts', '#src/db/embedded/index.ts', '#src/db/pool.ts', './config.ts', './areas.ts'],
  },
  {
    rule: 'src/areas.ts imports every domain, and is not an area',
    file: 'src/areas.ts',
    bad: ['#src/areas/courses/reviews/operations.ts'],
    good: ['#src/areas/school/index.ts', '#src/areas/analytics/index.ts'],
  },
  {
    rule: 'an area does not import src/areas.ts',
    file: 'src/areas/school/school/rules.ts',
    bad: ['#src/areas.ts', '../../../areas.ts'],
    good: ['#src/contract/area.ts'],
  },
  {
    rule: 'db/embedded is imported by its index.ts, from db too',
    file: 'src/db/pool.ts',
    bad: ['./embedded/lock.ts'],
    good: ['./embedded/index.ts', './sql.ts'],
  },
  {
    rule: 'inside an area imports are relative',
    file: 'src/areas/courses/reviews/operations.ts',
    bad: ['#src/areas/courses/reviews/rules.ts', '../courses/index.ts', '../../../kit/ids.ts'],
    good: ['./rules.ts', './votes/rules.ts'],
  },
  {
    rule: 'only a test imports testing',
    file: 'src/areas/courses/reviews/operations.ts',
    bad: ['#testing/app.ts', '../../../../testing/app.ts', '../../../../tests/scopes.test.ts', './reviews.test.ts'],
    good: ['./schema.ts'],
  },
  {
    rule: 'a test imports testing and what its place may',
    file: 'src/areas/courses/reviews/reviews.test.ts',
    bad: ['#src/http/index.ts', '../../../../testing/app.ts', '../../../../tests/journey.ts', './rules.test.ts'],
    good: ['#testing/app.ts', './rules.ts'],
  },
  { rule: 'a folder that is not in the table is refused', file: 'src/lib/x.ts', bad: ['node:fs'], good: [] },
]

for (const { rule, file, bad, good } of cases) {
  test(rule, () => {
    for (const specifier of bad) {
      const violations = violationsIn(checkImports, { [file]: `import '${specifier}'\n` })
      assert.equal(violations.length, 1, `${specifier} passes`)
      assert.match(violations[0] ?? '', new RegExp(`^${file}:1: \\S`))
    }
    for (const specifier of good)
      assert.deepEqual(violationsIn(checkImports, { [file]: `import '${specifier}'\n` }), [], specifier)
  })
}

const buildMessage = (file: string, specifier: string): string =>
  violationsIn(checkImports, { [file]: `import '${specifier}'\n` }).join('\n')

test('a message names both sides and the line, and prints the order of the areas', () => {
  const text = `import a from '#src/kit/ids.ts'\nimport type {\n  Course,\n} from '#src/areas/courses/index.ts'\n`
  assert.deepEqual(violationsIn(checkImports, { 'src/areas/files/storage/rules.ts': text }), [
    `src/areas/files/storage/rules.ts:4: areas/files/storage may not import areas/courses: an area may import only kit, texts, contract, db, identity, outbound, areas before it; the order is ${areas.join(', ')}`,
  ])
})

test('a message prints what the importing folder may import, or what to import instead', () => {
  assert.equal(
    buildMessage('src/http/a.ts', '#src/areas/courses/index.ts'),
    'src/http/a.ts:1: http may not import areas/courses: http may import only kit, texts, contract, db',
  )
  assert.equal(
    buildMessage('src/web/account/a.ts', '#src/web/staff/index.ts'),
    'src/web/account/a.ts:1: web/account may not import web/staff: a unit of web may import only kit, texts, contract, db, identity, areas, units before it; the order is browser, page, questions, account, checkout, forms, staff, site, learn',
  )
  assert.equal(
    buildMessage('src/app.ts', '#src/oauth/keys/keys.ts'),
    'src/app.ts:1: src/oauth/keys/keys.ts is internal: import src/oauth/index.ts',
  )
  assert.equal(
    buildMessage('src/areas/courses/courses/rules.ts', '../drips/index.ts'),
    'src/areas/courses/courses/rules.ts:1: ../drips/index.ts is outside areas/courses/courses: import #src/areas/courses/drips/index.ts instead',
  )
  assert.equal(
    buildMessage('src/web/frame.ts', './account/index.ts'),
    'src/web/frame.ts:1: ./account/index.ts is outside web: import #src/web/account/index.ts instead',
  )
  assert.equal(
    buildMessage('src/web/frame.ts', '#src/web/account/index.ts'),
    'src/web/frame.ts:1: files directly in src/web may not import web/account',
  )
  assert.match(
    buildMessage('src/areas/zoo/rules.ts', 'node:fs'),
    /areas\/zoo is not in the list of domains .*: school, /,
  )
  assert.match(
    buildMessage('src/areas/shop/zoo/rules.ts', 'node:fs'),
    /zoo is not in the list of areas .*: shop has coupons, /,
  )
})

test('every form of import is found, and nothing else', () => {
  const text = [
    `import 'a'`,
    `import type { B } from "b"`,
    "import {\n  c, // from 'x'\n} from 'c'",
    `export * from 'd'`,
    `export type { E } from 'e'`,
    `const f = await import('f')`,
    'const g = import(\n  `g`,\n)',
    `type H = import('h').H`,
    `// import 'no1'`,
    `/** {@link import('no2')} */`,
    `const page = html\`<p>import "no3" from \${x ? \`import 'no4'\` : "no5"} from</p>\``,
    `const re = /from '/.test("it's"); const list = Array.from('no6')`,
    `import 'i'`,
  ].join('\n')
  assert.deepEqual(
    listImports(text).map(({ specifier }) => specifier),
    [...'abcdefghi'],
  )
  assert.equal(listImports(text).at(-1)?.line, 17)
})

test('only the entry point of its area gives an adapter of payments its origin, and only as a literal with https', () => {
  const area = 'src/areas/shop/payments'
  const adapter = `export const implementProvider = (origin: string) => [origin]\n`
  const entry = (call: string) =>
    `import { implementProvider } from './implementations.ts'\n\nexport const hooks = ${call}\n`
  const check = (files: Readonly<Record<string, string>>) =>
    violationsIn(checkImports, { [`${area}/implementations.ts`]: adapter, ...files })
  const good = entry(`implementProvider('https://api.example.com')`)
  // In a comment it is not called.
  assert.deepEqual(check({ [`${area}/index.ts`]: `${good}// implementProvider(setting)\n` }), [])
  for (const call of [
    `implementProvider('http://127.0.0.1:8080')`,
    'implementProvider(origin)',
    'implementProvider(`https://api.example.com`)',
    `implementProvider('https://api.example.com' + path)`,
    'implementProvider',
  ])
    assert.match(check({ [`${area}/index.ts`]: entry(call) }).join(), /index\.ts:3: an adapter of payments/, call)
  assert.match(
    check({ [`${area}/index.ts`]: `export { implementProvider } from './implementations.ts'\n` }).join(),
    /index\.ts:1: an adapter of payments/,
  )
  assert.match(check({ [`${area}/rules.ts`]: good }).join(), /rules\.ts:1: an adapter of payments/)
  assert.match(
    check({ [`${area}/implementations.ts`]: `${adapter}implementProvider(origin)\n` }).join(),
    /implementations\.ts:2: an adapter of payments/,
  )
})

test('an import cycle is refused once, for types too', () => {
  const violations = violationsIn(checkImports, {
    'src/kit/a.ts': `import { b } from './b.ts'\n`,
    'src/kit/b.ts': `import { c } from './c.ts'\n`,
    'src/kit/c.ts': `\nimport type { A } from './a.ts'\n`,
    'src/kit/d.ts': `import './a.ts'\nimport './c.ts'\n`,
  })
  const path = 'src/kit/c.ts → src/kit/a.ts → src/kit/b.ts → src/kit/c.ts'
  assert.deepEqual(violations, [`src/kit/c.ts:2: import cycle: ${path}`])
})

test('the command exits 1 and prints the violations, or exits 0 and prints one line', () => {
  const run = (text: string) =>
    withTree({ 'src/kit/ids.ts': text }, root =>
      spawnSync(process.execPath, [join(import.meta.dirname, 'check-imports.ts'), root], { encoding: 'utf8' }),
    )
  const failing = run(`import '#src/app.ts'\n`)
  const message = 'kit may not import app.ts: kit may import only its own files and packages'
  assert.deepEqual([failing.status, failing.stdout], [1, `src/kit/ids.ts:1: ${message}\n`])
  const passing = run(`import 'node:fs'\n`)
  assert.deepEqual([passing.status, passing.stdout], [0, 'imports: 1 files import only what they may\n'])
})

test('an export that no other file imports is refused, also one that an entry point only passes on', () => {
  const tree = {
    'src/kit/ids.ts': 'export const newId = 1\nexport const oldId = 2\nexport type Id = string\n',
    'src/kit/text.ts': "import { newId } from './ids.ts'\nexport const text = newId\n",
    'src/print/index.ts': "export { draw, type Sheet as Page } from './draw.ts'\n",
    'src/print/draw.ts': 'export const draw = 1\nexport type Sheet = string\n',
    'src/print/later.ts': 'export const later = 1\n',
    'src/main.ts': "import * as texts from '#src/kit/text.ts'\nimport { type Page } from './print/index.ts'\n",
    'src/loader.ts': "export const load = () => import('./print/later.ts')\n",
    'tests/ids.test.ts': "import type { Id } from '#src/kit/ids.ts'\nimport { load } from '#src/loader.ts'\n",
  }
  const refused = withTree(tree, root => checkExports(root).map(({ file, line, message }) => [file, line, message]))
  assert.deepEqual(refused, [
    ['src/kit/ids.ts', 2, 'no other file imports oldId: remove it, or its export'],
    ['src/print/index.ts', 1, 'no other file imports draw: remove it, or its export'],
  ])
})
