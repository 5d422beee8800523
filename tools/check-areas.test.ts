import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAreas, summaryOf } from './check-areas.ts'
import { areas } from './check-imports.ts'
import { type Tree, violationsIn, withTree } from './tree.ts'

type Case = { rule: string; bad: [Tree, RegExp][]; good: Tree[] }

const reviews = 'src/areas/reviews'
const index = (text: string, above = ''): Tree => ({ [`${reviews}/index.ts`]: `${above}${text}\n` })
// A tree in which each place inserts the rows of one table.
const tables = {
  'migrations/0001_all.sql': ['reviews', 'courses', 'people', 'keys']
    .map(name => `create table ${name} (id uuid);`)
    .join('\n'),
  'src/areas/reviews/index.ts': '/** Reviews. */\nexport const reviews = 1\n',
  'src/areas/courses/index.ts': '/** Courses. */\nexport const courses = 1\n',
  'src/areas/courses/queries.ts': 'const a = sql`insert into courses (id)`',
  'src/identity/queries.ts': 'const a = sql`insert into people (id)`',
  'src/oauth/queries.ts': 'const a = sql`insert into keys (id)`',
}
const area = {
  [`${reviews}/index.ts`]: '/** Reviews. */\nexport const reviews = 1\n',
  [`${reviews}/reviews.test.ts`]: '',
}
const declared = (method: string, mode: string, body: string): string =>
  `const getReview = operation({\n  route: '${method} /reviews',\n  mode: '${mode}',\n  handle: context => { ${body} },\n})\n`
const listing = '/** In order. */\nexport const operations = [getReview]\n'
const exported = (listed: string): Tree => ({
  ...area,
  ...index(`/** Reviews. */\nexport const reviews = area({ name: 'reviews', operations: [${listed}] })`),
  [`${reviews}/operations.ts`]: `/** One. */\nexport ${declared('GET', 'read', '')}`,
})
const write = (body: string): string => `${declared('PUT', 'write', body)}${listing}`

const ofNotes = {
  'migrations/0001_all.sql':
    'create table notes (\n  school_id uuid not null,\n  id uuid);\ncreate table clock (id uuid);',
}
const selecting = (text: string): Tree => ({ ...ofNotes, 'src/db/queries.ts': `const a = sql\`${text}\`` })

const entryPoint = { [`${reviews}/index.ts`]: '/** Reviews. */\nexport const reviews = 1\n' }
const operations = { [`${reviews}/operations.ts`]: '/** One. */\nexport const list = 1\n' }
const long = 'const a = 1\n'.repeat(301)

const folders = (count: number): Tree =>
  Object.fromEntries(
    [['index', ''], ...Array.from({ length: count }, (_, at) => [`f${at}/rules`, ''])].map(([name, text]) => [
      `${reviews}/${name}.ts`,
      text ?? '',
    ]),
  )
const lines = (files: number, count: number, folder = reviews): Tree =>
  Object.fromEntries(
    Array.from({ length: files }, (_, at) => [`${folder}/f${at}/rules.ts`, 'const a = 1\n'.repeat(count)]),
  )
const hook = (name: string, types = '<undefined, Usage>'): string =>
  `import { hook } from '#src/contract/hook.ts'\n/** A hook. */\nexport const a = hook${types}(\n  '${name}',\n)\n`
// An area that declares these hooks, some of them in another file.
const declaring = (hooks: string, hooksOfVotes = '{}'): Tree => ({
  ...index(`/** Reviews. */\nexport const reviews = area({ name: 'reviews', operations: [],\n  hooks: ${hooks},\n})`),
  [`${reviews}/implementations.ts`]: `/** For votes. */\nexport const hooksOfVotes: Hooks = ${hooksOfVotes}\n`,
})

const cases: Case[] = [
  {
    rule: 'an area has an entry point',
    bad: [[{ [`${reviews}/rules.ts`]: '' }, /^src\/areas\/reviews:1: an area needs an entry point, index\.ts$/]],
    good: [entryPoint],
  },
  {
    rule: 'an area has files of known names, alone or for one resource',
    bad: [
      [
        { ...entryPoint, [`${reviews}/actions.ts`]: '' },
        /^src\/areas\/reviews\/actions\.ts:1: a file in an area is one of index, schema, .* or a test$/,
      ],
      ...[
        'questions',
        'service',
        'manager',
        'helper',
        'util',
        'render',
        'votes.actions',
        'votes.view',
        'votes/tree/rules',
      ].map((name): [Tree, RegExp] => [
        { ...entryPoint, [`${reviews}/${name}.ts`]: '' },
        /a file in an area is one of/,
      ]),
    ],
    good: [
      ...[
        ['index', 'schema', 'operations', 'access', 'rules', 'queries', 'views'],
        ['index', 'hooks', 'implementations', 'subscribers', 'jobs', 'sweeps', 'text', 'constraints'],
      ].map(names => ({
        ...Object.fromEntries(names.map(name => [`${reviews}/${name}.ts`, ''])),
        [`${reviews}/reviews.test.ts`]: '',
      })),
      { ...entryPoint, [`${reviews}/votes.queries.ts`]: '', [`${reviews}/votes/rules.ts`]: '' },
      {
        ...entryPoint,
        [`${reviews}/reviews.test.ts`]: '',
        [`${reviews}/rules.test.ts`]: '',
        [`${reviews}/votes/rules.test.ts`]: '',
      },
      { ...entryPoint, [`${reviews}/search.plan`]: 'Index Scan' },
    ],
  },
  {
    rule: 'an area has at most ten files and folders, its tests not counted',
    bad: [
      [
        { ...folders(9), [`${reviews}/rules.ts`]: '' },
        /^src\/areas\/reviews:1: an area has at most 10 files and folders without its tests, not 11: split it$/,
      ],
      [{ ...folders(9), [`${reviews}/search.plan`]: '' }, /not 11: split it$/],
    ],
    good: [
      { ...folders(9), [`${reviews}/a.test.ts`]: '', [`${reviews}/b.test.ts`]: '', [`${reviews}/f1/views.ts`]: '' },
    ],
  },
  {
    rule: 'an area has at most 2,500 lines, its tests not counted',
    bad: [
      [
        { ...entryPoint, ...lines(9, 278) },
        /^src\/areas\/reviews:1: an area has at most 2500 lines without its tests, not 2504: split it$/,
      ],
    ],
    good: [
      { ...entryPoint, ...lines(9, 277), [`${reviews}/reviews.test.ts`]: 'const a = 1\n'.repeat(300) },
      { ...entryPoint, ...lines(6, 280), 'src/areas/courses/index.ts': '', ...lines(6, 280, 'src/areas/courses') },
    ],
  },
  {
    rule: 'an area with operations has a test',
    bad: [
      [{ ...entryPoint, ...operations }, /an area with operations needs a test/],
      [{ ...entryPoint, [`${reviews}/votes.operations.ts`]: '' }, /an area with operations needs a test/],
    ],
    good: [{ ...entryPoint, ...operations, [`${reviews}/reviews.test.ts`]: '' }],
  },
  {
    rule: 'every area is in the list',
    bad: [
      [
        { 'src/areas/instructors/index.ts': '' },
        /^src\/areas\/instructors:1: instructors is not in the list of areas .*: school,/,
      ],
      [{ 'src/areas/index.ts': '' }, /src\/areas may contain only folders/],
    ],
    good: [Object.fromEntries(areas.map(name => [`src/areas/${name}/index.ts`, '']))],
  },
  {
    rule: 'an area exports no statement',
    bad: [
      [
        { ...entryPoint, ...index(`export { findReview } from './queries.ts'`) },
        /index\.ts:1: findReview of \.\/queries\.ts is exported: an area exports no statements/,
      ],
      [
        index(`export {\n  type Row,\n  findVote as vote,\n} from './votes/queries.ts'`),
        /:4: findVote of \S+ is exported/,
      ],
      [index(`export * from './votes.queries.ts'`), /\* of \S+ is exported/],
      [index(`export * as queries from './queries.ts'`), /\* as queries of \S+ is exported/],
      [index(`import { findReview } from './queries.ts'\nexport { findReview }`), /:2: findReview of \S+ is exported/],
      [
        index(`import { find as findReview } from './queries.ts'\nexport { findReview as f }`),
        /:2: findReview of \S+ is exported/,
      ],
      [
        { ...entryPoint, [`${reviews}/access.ts`]: `export { findReview } from './queries.ts'` },
        /access\.ts:1: findReview/,
      ],
    ],
    good: [
      index(`export type { Row } from './queries.ts'`),
      index(`export { type Row, type VoteRow } from './votes/queries.ts'`),
      index(`export { getReview } from './access.ts'\nexport { type Row } from './queries.ts'`),
      index(`import { findReview } from './queries.ts'\nexport { getReview } from './access.ts'`),
      index(`export type * from './queries.ts'`),
      index(`// export { a } from './queries.ts'\nexport { queries } from './rules.ts'`),
    ],
  },
  {
    rule: 'a hook is declared once',
    bad: [
      [
        { 'src/contract/a.ts': hook('usage'), 'src/contract/b.ts': `\n${hook('usage')}` },
        /^src\/contract\/b\.ts:4: the hook usage is already declared at src\/contract\/a\.ts:3$/,
      ],
      [
        {
          'src/contract/a.ts': hook('usage', '<{ readonly at: () => Map<string, number> }, void>'),
          'src/identity/b.ts': hook('usage', ''),
        },
        /b\.ts:3: the hook usage is already declared/,
      ],
      [{ 'src/contract/a.ts': hook('usage').replace("'usage'", 'NAME') }, /:3: write the name of a hook as a string/],
    ],
    good: [
      {
        'src/contract/a.ts': hook('usage'),
        'src/contract/b.ts': hook('exports'),
        'src/db/a.ts': `const a = hook('usage')`,
      },
      { 'src/contract/a.ts': hook('usage'), 'src/contract/a.test.ts': hook('usage').replace('/** A hook. */\n', '') },
      { 'src/contract/a.ts': `${hook('usage')}// hook('usage')\nconst b = store.hook('usage')\n` },
    ],
  },
  {
    rule: 'an area implements a hook once',
    bad: [
      [declaring('{ usage, usage: countAgain }'), /index\.ts:3: the area implements the hook usage more than once/],
      [declaring(`{ usage, 'usage': countAgain }`), /implements the hook usage more than once/],
      [
        declaring('{ ...hooksOfVotes, usage }', '{ usage: () => ({ a: 1, b: [2, 3] }) }'),
        /the hook usage more than once/,
      ],
      [declaring('hooksOfVotes', '{ usage, ...hooksOfVotes }'), /write the hooks of an area as an object/],
      [declaring('implementAll()'), /write the hooks of an area as an object/],
      [declaring('{ [name]: usage }'), /write the hooks of an area as an object/],
    ],
    good: [
      declaring('{ usage, memberMerge: async ({ a, b }) => ({ usage: 1, a }), exports() { return { usage: 2 } } }'),
      declaring('{ ...hooksOfVotes, usage }', '{ memberMerge }'),
      declaring('hooksOfVotes', '{ usage, memberMerge }'),
      index(`export const reviews = area({ name: 'reviews', operations })`, '/** Reviews. */\n'),
    ],
  },
  {
    rule: 'names say what something is',
    bad: [
      [{ 'src/kit/utils.ts': '' }, /^src\/kit\/utils\.ts:1: "utils" says nothing about/],
      [{ 'src/identity/common/mail.ts': '' }, /"common"/],
      [{ 'src/identity/mail-service.ts': '' }, /"service"/],
      [{ 'src/kit/money.ts': '\nexport class PriceManager {}\n' }, /^src\/kit\/money\.ts:2: .*"Manager"/],
      [{ 'src/kit/money.ts': 'export type OrderDto = 1\n' }, /"Dto"/],
      [{ 'src/kit/money.ts': 'export const order_repository = 1\n' }, /"repository"/],
    ],
    good: [
      {
        'src/identity/common-passwords.ts': '// the OrderService of others\nconst commonPasswords = ["a helper"]\n',
      },
    ],
  },
  {
    rule: 'SQL is in queries.ts',
    bad: [
      [
        { [`${reviews}/index.ts`]: 'a\nexport const f = db.all(sql`select 1`)\n' },
        /index\.ts:2: SQL belongs in queries\.ts/,
      ],
      [{ 'src/identity/sessions.ts': 'sql<{ id: string }>`select 1`' }, /SQL belongs in queries\.ts/],
      [{ 'src/oauth/token/exchange.ts': `f(sql\`a \${x ? sql\`b\` : 1}\`)` }, /exchange/],
      [{ 'src/http/journal.ts': 'sql`select 1`' }, /SQL belongs in queries\.ts/],
      [{ 'src/contract/pagination.ts': 'sql`select 1`' }, /SQL belongs in the queries\.ts of areas/],
    ],
    good: [
      { ...entryPoint, [`${reviews}/queries.ts`]: 'sql`select 1`', [`${reviews}/votes.queries.ts`]: 'sql`select 1`' },
      { 'src/oauth/token/queries.ts': 'sql`select 1`', 'src/demo/queries.ts': 'sql`select 1`' },
      { 'src/http/queries.ts': 'sql`select 1`', 'src/db/sql.ts': 'sql`select 1`' },
      { 'src/kit/html.ts': '// sql`select 1`\nconst a = html`<code>sql</code>`; const b = "sql`"\n' },
    ],
  },
  {
    rule: 'SQL uses stoa.now()',
    bad: [
      [{ 'src/db/a.ts': 'sql`\n  select now()`' }, /^src\/db\/a\.ts:2: use stoa\.now\(\) instead of now\(\)/],
      [{ 'src/db/a.ts': `sql\`select \${id} where a < CURRENT_TIMESTAMP\`` }, /instead of CURRENT_TIMESTAMP/],
      [{ 'src/db/a.ts': `query('select localtimestamp')` }, /instead of localtimestamp/],
      [{ 'src/db/a.ts': 'sql`select clock_timestamp()`' }, /instead of clock_timestamp/],
      [{ 'src/db/a.ts': 'sql`select pg_catalog.now()`' }, /instead of pg_catalog\.now/],
      [{ 'migrations/0001_a.sql': '\ncreate table a (at timestamptz default now());' }, /0001_a\.sql:2: use stoa/],
    ],
    good: [
      { 'src/db/a.ts': `// now()\nconst at = clock.now(); sql\`select (select stoa.now()), \${now()}\`\n` },
      { 'migrations/0001_a.sql': '-- now()\ncreate function stoa.now() returns timestamptz as $$ select now() $$;' },
      { 'migrations/0001_a.sql': 'create or replace function stoa.now() returns timestamptz return now();' },
    ],
  },
  {
    rule: 'statements after the definition of stoa.now() are checked',
    bad: [
      [
        { 'migrations/0001_a.sql': 'create function stoa.now() as $$ select now() $$;\nselect now();' },
        /0001_a\.sql:2: /,
      ],
    ],
    good: [],
  },
  {
    rule: 'a sub-select names its school by value',
    bad: [
      [
        selecting('(select count(*) from notes n where n.school_id = p.school_id and n.post_id = p.id)'),
        /queries\.ts:1: a sub-select names its school by value/,
      ],
      [selecting('exists (select from notes n where n.post_id = p.id)'), /a sub-select/],
      [selecting('p.id in (\n  select post_id from notes)'), /a sub-select/],
      [selecting(`array(select id from notes where school_id = \${id} union select id from notes)`), /a sub-select/],
      [
        selecting(`(select 1 from notes n where n.id in (select id from notes where school_id = \${id}))`),
        /a sub-select/,
      ],
      [selecting('select n.id from notes n where n.school_id = p.school_id'), /a sub-select/],
      [selecting(`\${isIt ? sql\`exists (select from notes)\` : sql\`true\`}`), /a sub-select/],
    ],
    good: [
      selecting(`(select count(*) from notes n where n.school_id = \${id} and n.post_id = p.id)`),
      selecting(`(select count(*) from notes n where n.post_id = p.id and n.school_id = \${id})`),
      selecting(`(select 1 from notes n where (n.school_id, n.id) = (\${id}, p.id))`),
      selecting(`exists (select from notes n where \${matching(id)} and n.post_id = p.id)`),
      selecting('(select count(*) from clock)'),
      selecting('(select count(*) from made)'),
      selecting(`select n.id from notes n where n.school_id = \${id} and n.post_id = p.id`),
      { 'src/db/notes.test.ts': 'const text = `(select from notes)`' },
    ].map(tree => ({ ...ofNotes, ...tree })),
  },
  {
    rule: 'a statement reads the clock once',
    bad: [
      [{ 'src/db/a.ts': '\nsql`select a from b where c > stoa.now()`\n' }, /^src\/db\/a\.ts:2: read the clock once/],
      [{ 'src/db/a.ts': 'sql`update b set c = stoa.now() where d`\n' }, /read the clock once/],
      [{ 'src/db/a.ts': 'sql`select t, t from (select stoa.now() as t) as moment`\n' }, /read the clock once/],
      [
        { 'src/db/a.ts': 'sql`select t, t from b, (select stoa.now() as t offset 0) as moment`\n' },
        /read the clock once/,
      ],
      [{ 'src/db/a.ts': `sql\`select \${sql\`stoa.now()\`} from b\`` }, /read the clock once/],
    ],
    good: [
      { 'src/db/a.ts': 'sql`select a from b where c > (select stoa.now()) - d`\n' },
      { 'src/db/a.ts': 'sql`with clock as materialized (select stoa.now() as now) select now from clock`\n' },
      { 'src/db/a.ts': `// stoa.now()\nquery('select stoa.now() as at, b')\n` },
    ],
  },
  {
    rule: 'only commands read the clock of the machine',
    bad: [
      [{ 'src/http/limits.ts': '\nconst at = Date.now()\n' }, /^src\/http\/limits\.ts:2: take the time as an argument/],
      [{ 'src/http/limits.ts': 'const at = new Date()\n' }, /take the time as an argument/],
      [{ 'src/http/limits.ts': 'const at = new Date ( )\n' }, /take the time as an argument/],
      [{ 'src/http/limits.ts': 'const at = new Date\n' }, /take the time as an argument/],
      [{ 'src/http/limits.ts': 'const at = Temporal.Now.instant()\n' }, /take the time as an argument/],
    ],
    good: [
      { 'src/http/limits.ts': 'const a = new Date("2026-02-03"), b = new Date(x), c = "Date.now()" // Date.now()\n' },
      { 'src/commands/watch.ts': 'Date.now()\n', 'src/commands/doctor.ts': 'new Date()\n' },
    ],
  },
  {
    rule: 'only config reads the environment',
    bad: [
      [{ ...entryPoint, [`${reviews}/rules.ts`]: 'const a = process.env.HOME\n' }, /rules\.ts:1: only config\.ts may/],
      [{ 'src/db/pool.ts': 'const { env } = process\n' }, /only config\.ts may/],
      [{ 'src/db/pool.ts': `import { env } from 'node:process'\n` }, /only config\.ts may/],
    ],
    good: [{ 'src/config.ts': 'process.env.HOME\n', 'src/db/pool.ts': '// process.env\nprocess.pid\n' }],
  },
  {
    rule: 'a file of more than 300 lines names its reason',
    bad: [
      [{ 'src/kit/money.ts': long }, /^src\/kit\/money\.ts:1: a file has at most 300 lines, not 301/],
      [{ 'src/kit/money.ts': `// One thing:\n${long}` }, /not 302/],
    ],
    good: [
      { 'src/kit/money.ts': 'const a = 1\n'.repeat(300) },
      { 'src/kit/money.ts': `// One thing: the currencies of ISO 4217\n${long}` },
    ],
  },
  {
    rule: 'an export has one sentence above it',
    bad: [
      [
        { 'src/kit/money.ts': 'export const cent = 1\n' },
        /^src\/kit\/money\.ts:1: the export cent needs one sentence above it/,
      ],
      [{ 'src/kit/money.ts': '/** A cent. */\n\nexport type Cent = 1\n' }, /:3: the export Cent needs/],
    ],
    good: [{ 'src/kit/money.ts': `/** A cent. */\nexport const cent = 1\nexport { b } from './b.ts'\n` }],
  },
  {
    rule: 'an operation is in a list',
    bad: [
      [
        { ...area, [`${reviews}/operations.ts`]: declared('GET', 'read', '') },
        /operations\.ts:1: the operation getReview is in no exported list/,
      ],
    ],
    good: [{ ...area, [`${reviews}/operations.ts`]: `${declared('GET', 'read', '')}${listing}` }],
  },
  {
    rule: 'an exported operation is in a list of its area',
    bad: [
      [exported('listReviews'), /operations\.ts:2: the operation getReview is in no exported list/],
      [
        { ...exported('listReviews'), 'src/areas/courses/index.ts': 'area({ operations: [getReview] })' },
        /operations\.ts:2: the operation getReview is in no exported list/,
      ],
    ],
    good: [exported('listReviews, getReview')],
  },
  {
    rule: 'a write records an audit entry and a fact',
    bad: [
      [
        { ...area, [`${reviews}/operations.ts`]: write('changed({})') },
        /:1: the write getReview does not call record$/m,
      ],
      [{ ...area, [`${reviews}/operations.ts`]: write('store(context)') }, /does not call changed and record$/m],
      [
        { ...area, [`${reviews}/operations.ts`]: write(`say('changed(', 'record(')`) },
        /does not call changed and record$/m,
      ],
    ],
    good: [
      { ...area, [`${reviews}/operations.ts`]: write('changed({}); record({})') },
      {
        ...area,
        [`${reviews}/operations.ts`]: `const store = () => { changed(); record() }\n${write('store(context)')}`,
      },
    ],
  },
  {
    rule: 'an area names no table of another area',
    bad: [
      [
        { ...tables, [`${reviews}/queries.ts`]: 'const a = sql`select * from courses e`' },
        /queries\.ts:1: the table courses belongs to areas\/courses: call a function of its index\.ts/,
      ],
      [
        { ...tables, [`${reviews}/queries.ts`]: 'const a = sql`select from reviews\n join keys on true`' },
        /:2: the table keys belongs to oauth/,
      ],
      [
        { ...tables, [`${reviews}/queries.ts`]: 'const a = sql`insert into courses (id)`' },
        /areas\/courses and areas\/reviews both insert rows of courses/,
      ],
    ],
    good: [
      {
        ...tables,
        [`${reviews}/queries.ts`]: 'const a = sql`insert into reviews select from people join reviews`',
      },
    ],
  },
  {
    rule: 'migrations are numbered without gaps',
    bad: [
      [{ 'migrations/0002_a.sql': '' }, /^migrations\/0002_a\.sql:1: the next migration is number 0001/],
      [
        { 'migrations/0001_a.sql': '', 'migrations/0001_b.sql': '' },
        /0001_b\.sql:1: the next migration is number 0002/,
      ],
      [{ 'migrations/0001-a.sql': '' }, /NNNN_snake_case/],
      [{ 'migrations/0001_Schools.sql': '' }, /NNNN_snake_case/],
    ],
    good: [
      { 'migrations/0001_schools.sql': '', 'migrations/0002_people_and_roles.sql': '', 'migrations/grants.sql': '' },
    ],
  },
]

for (const { rule, bad, good } of cases) {
  test(rule, () => {
    for (const [tree, message] of bad) assert.match(violationsIn(checkAreas, tree).join('\n'), message)
    for (const tree of good) assert.deepEqual(violationsIn(checkAreas, tree), [])
  })
}

test('the summary names the five largest areas, the largest first', () => {
  const names = ['school', 'members', 'groups', 'storage', 'courses', 'reviews']
  const tree = Object.fromEntries(
    names.flatMap((name, at) => [
      [`src/areas/${name}/rules.ts`, 'const a = 1\n'.repeat(10 * at + 1)],
      [`src/areas/${name}/rules.test.ts`, 'const a = 1\n'.repeat(100)],
    ]),
  )
  assert.equal(
    withTree(tree, summaryOf),
    'areas: 12 files keep the rules; the largest areas: reviews 51 lines (151 with tests), ' +
      'courses 41 lines (141 with tests), storage 31 lines (131 with tests), groups 21 lines (121 with tests), ' +
      'members 11 lines (111 with tests)',
  )
})

test('each violation is reported once', () => {
  assert.equal(
    violationsIn(checkAreas, { 'src/kit/utils.ts': 'const at = Date.now()\nconst later = new Date()\n' }).length,
    3,
  )
})
