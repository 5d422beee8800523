import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkImports, importsOf } from './check-imports.ts'
import { judge } from './tree.ts'

type Case = { rule: string; file: string; bad: string[]; good: string[] }

// Each file stands alone with one import; a bad specifier is refused, a good one passes.
const cases: Case[] = [
  {
    rule: 'kit knows nobody',
    file: 'src/kit/ids.ts',
    bad: ['#src/contract/page.ts', '#src/db/sql.ts', '#src/app.ts', '../contract/page.ts'],
    good: ['./text.ts', 'node:crypto', 'jose'],
  },
  {
    rule: 'contract knows kit',
    file: 'src/contract/pagination.ts',
    bad: ['#src/db/sql.ts'],
    good: ['#src/kit/ids.ts'],
  },
  {
    rule: 'db knows kit and contract',
    file: 'src/db/pool.ts',
    bad: ['#src/identity/index.ts', '#src/config.ts'],
    good: ['#src/kit/ids.ts', '#src/contract/db.ts'],
  },
  {
    rule: 'identity stands under areas and oauth',
    file: 'src/identity/sessions.ts',
    bad: ['#src/oauth/index.ts', '#src/areas/members/index.ts', '#src/http/index.ts'],
    good: ['#src/db/sql.ts', './people/queries.ts'],
  },
  {
    rule: 'a room knows the doors of earlier rooms',
    file: 'src/areas/orders/actions.ts',
    bad: ['#src/areas/subscriptions/index.ts', '#src/areas/account/index.ts', '#src/areas/instructors/index.ts'],
    good: ['#src/areas/coupons/index.ts', '#src/areas/entitlements/index.ts', '#src/identity/index.ts'],
  },
  {
    rule: 'account is the last room',
    file: 'src/areas/account/actions.ts',
    bad: ['#src/areas/orders/queries.ts'],
    good: ['#src/areas/analytics/index.ts', '#src/areas/school/index.ts'],
  },
  {
    rule: 'areas and http do not know each other',
    file: 'src/areas/posts/operations.ts',
    bad: ['#src/http/index.ts', '#src/oauth/index.ts', '#src/worker/index.ts', '#src/world/index.ts'],
    good: ['#src/contract/operation.ts'],
  },
  {
    rule: 'http performs what it does not know',
    file: 'src/http/pipeline.ts',
    bad: ['#src/areas/posts/index.ts', '#src/identity/index.ts', '#src/oauth/index.ts'],
    good: ['#src/contract/operation.ts', '#src/db/sql.ts', '#src/kit/ids.ts'],
  },
  {
    rule: 'oauth knows identity and no room',
    file: 'src/oauth/token/exchange.ts',
    bad: ['#src/areas/members/index.ts', '#src/http/index.ts'],
    good: ['#src/identity/index.ts', '../grants/grant.ts'],
  },
  { rule: 'worker', file: 'src/worker/facts.ts', bad: ['#src/areas/orders/index.ts'], good: ['#src/db/sql.ts'] },
  {
    rule: 'the world is made through doors',
    file: 'src/demo/crumb.ts',
    bad: ['#src/areas/courses/queries.ts', '#src/oauth/keys/keys.ts', '#src/http/index.ts', '#src/app.ts'],
    good: ['#src/areas/courses/index.ts', '#src/oauth/index.ts', '#src/identity/index.ts'],
  },
  {
    rule: 'a command knows everything but what lies behind a door',
    file: 'src/commands/serve.ts',
    bad: ['#src/http/pipeline.ts', '../http/index.ts'],
    good: ['#src/http/index.ts', '#src/app.ts', '#src/config.ts', '#src/world/index.ts', '#src/db/pool.ts'],
  },
  { rule: 'config knows kit', file: 'src/config.ts', bad: ['./app.ts', '#src/db/pool.ts'], good: ['#src/kit/net.ts'] },
  {
    rule: 'app knows everything, by its door',
    file: 'src/app.ts',
    bad: ['#src/areas/posts/operations.ts', '#src/db/embedded/lock.ts', './kit/ids.ts'],
    good: ['#src/areas/posts/index.ts', '#src/db/embedded/index.ts', '#src/db/pool.ts', './config.ts'],
  },
  {
    rule: 'db/embedded is entered by its index, from db too',
    file: 'src/db/pool.ts',
    bad: ['./embedded/lock.ts'],
    good: ['./embedded/index.ts', './sql.ts'],
  },
  {
    rule: 'inside a room paths are relative',
    file: 'src/areas/posts/operations.ts',
    bad: ['#src/areas/posts/rules.ts', '../pages/index.ts', '../../kit/ids.ts'],
    good: ['./rules.ts'],
  },
  {
    rule: 'only a test imports testing',
    file: 'src/areas/posts/operations.ts',
    bad: ['#testing/app.ts', '../../../testing/app.ts', '../../../tests/scopes.test.ts', './posts.test.ts'],
    good: ['./schema.ts'],
  },
  {
    rule: 'a test imports testing and what its place may',
    file: 'src/areas/posts/posts.test.ts',
    bad: ['#src/http/index.ts', '../../../testing/app.ts', '../../../tests/journey.ts', './rules.test.ts'],
    good: ['#testing/app.ts', './rules.ts'],
  },
  { rule: 'a place outside the table is refused', file: 'src/lib/x.ts', bad: ['node:fs'], good: [] },
]

for (const { rule, file, bad, good } of cases) {
  test(rule, () => {
    for (const specifier of bad) {
      const said = judge(checkImports, { [file]: `import '${specifier}'\n` })
      assert.equal(said.length, 1, `${specifier} passes`)
      assert.match(said[0] ?? '', new RegExp(`^${file}:1: \\S`))
    }
    for (const specifier of good) assert.deepEqual(judge(checkImports, { [file]: `import '${specifier}'\n` }), [])
  })
}

test('the sentence names both sides and the line', () => {
  const text = `import a from '#src/kit/ids.ts'\nimport type { \n  Order, \n } from '#src/areas/orders/index.ts'\n`
  assert.deepEqual(judge(checkImports, { 'src/areas/coupons/rules.ts': text }), [
    'src/areas/coupons/rules.ts:4: areas/coupons may not import areas/orders, which does not stand before it in the order of rooms',
  ])
})

test('every way to import is seen, and nothing else', () => {
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
    importsOf(text).map(({ specifier }) => specifier),
    [...'abcdefghi'],
  )
  assert.equal(importsOf(text).at(-1)?.line, 17)
})

test('a circle of files is refused once, for types too', () => {
  const said = judge(checkImports, {
    'src/kit/a.ts': `import { b } from './b.ts'\n`,
    'src/kit/b.ts': `import { c } from './c.ts'\n`,
    'src/kit/c.ts': `\nimport type { A } from './a.ts'\n`,
    'src/kit/d.ts': `import './a.ts'\nimport './c.ts'\n`,
  })
  const way = 'src/kit/c.ts → src/kit/a.ts → src/kit/b.ts → src/kit/c.ts'
  assert.deepEqual(said, [`src/kit/c.ts:2: imports go in a circle: ${way}`])
})

test('the command exits 1 with the breaches, or 0 with one line', () => {
  const root = mkdtempSync(join(tmpdir(), 'stoa-tree-'))
  const run = () =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'check-imports.ts'), root], { encoding: 'utf8' })
  try {
    mkdirSync(join(root, 'src/kit'), { recursive: true })
    writeFileSync(join(root, 'src/kit/ids.ts'), `import '#src/app.ts'\n`)
    const bad = run()
    assert.deepEqual([bad.status, bad.stdout], [1, 'src/kit/ids.ts:1: kit may not import app, only files of its own\n'])
    writeFileSync(join(root, 'src/kit/ids.ts'), `import 'node:fs'\n`)
    const good = run()
    assert.deepEqual([good.status, good.stdout.split('\n').length], [0, 2])
  } finally {
    rmSync(root, { recursive: true })
  }
})
