import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRooms } from './check-areas.ts'
import { rooms } from './check-imports.ts'
import { judge } from './tree.ts'

type Tree = Record<string, string>
type Case = { rule: string; bad: [Tree, RegExp][]; good: Tree[] }

const post = 'src/areas/posts'
// A tree in which each place makes the rows of one table.
const tables = {
  'migrations/0001_all.sql': ['posts', 'events', 'people', 'keys']
    .map(name => `create table ${name} (id uuid);`)
    .join('\n'),
  'src/areas/posts/index.ts': '/** Posts. */\nexport const posts = 1\n',
  'src/areas/events/index.ts': '/** Events. */\nexport const events = 1\n',
  'src/areas/events/queries.ts': 'const a = sql`insert into events (id)`',
  'src/identity/queries.ts': 'const a = sql`insert into people (id)`',
  'src/oauth/queries.ts': 'const a = sql`insert into keys (id)`',
}
const room = {
  [`${post}/index.ts`]: '/** Posts. */\nexport const posts = 1\n',
  [`${post}/posts.test.ts`]: '',
}
const declared = (method: string, mode: string, work: string): string =>
  `const getPost = operation({\n  route: '${method} /posts',\n  mode: '${mode}',\n  handle: context => { ${work} },\n})\n`
const listing = '/** In order. */\nexport const operations = [getPost]\n'
const write = (work: string): string => `${declared('PUT', 'write', work)}${listing}`

const ofNotes = {
  'migrations/0001_all.sql':
    'create table notes (\n  school_id uuid not null,\n  id uuid);\ncreate table clock (id uuid);',
}
const selecting = (text: string): Tree => ({ ...ofNotes, 'src/db/queries.ts': `const a = sql\`${text}\`` })

const door = { [`${post}/index.ts`]: '/** Posts. */\nexport const posts = 1\n' }
const operations = { [`${post}/operations.ts`]: '/** One. */\nexport const list = 1\n' }
const long = 'const a = 1\n'.repeat(301)

const cases: Case[] = [
  {
    rule: 'a room has a door',
    bad: [[{ [`${post}/rules.ts`]: '' }, /^src\/areas\/posts:1: a room has a door/]],
    good: [door],
  },
  {
    rule: 'a room holds known furniture, one resource deep',
    bad: [
      [{ ...door, [`${post}/render.ts`]: '' }, /posts\/render\.ts:1: no furniture/],
      [{ ...door, [`${post}/categories.view.ts`]: '' }, /no furniture/],
      [{ ...door, [`${post}/categories/tree/rules.ts`]: '' }, /no furniture/],
    ],
    good: [
      {
        ...door,
        [`${post}/schema.ts`]: '',
        [`${post}/rules.ts`]: '',
        [`${post}/actions.ts`]: '',
        [`${post}/text.ts`]: '',
      },
      { ...door, [`${post}/categories.queries.ts`]: '', [`${post}/categories/rules.ts`]: '' },
      {
        ...door,
        [`${post}/posts.test.ts`]: '',
        [`${post}/rules.test.ts`]: '',
        [`${post}/categories/rules.test.ts`]: '',
      },
      { ...door, [`${post}/search.plan`]: 'Index Scan' },
    ],
  },
  {
    rule: 'a room with operations has a test',
    bad: [
      [{ ...door, ...operations }, /a room with operations has a test/],
      [{ ...door, [`${post}/categories.operations.ts`]: '' }, /a room with operations has a test/],
    ],
    good: [{ ...door, ...operations, [`${post}/posts.test.ts`]: '' }],
  },
  {
    rule: 'areas are the twenty and entitlements',
    bad: [
      [{ 'src/areas/instructors/index.ts': '' }, /^src\/areas\/instructors:1: instructors is neither/],
      [{ 'src/areas/index.ts': '' }, /holds rooms alone/],
    ],
    good: [Object.fromEntries(rooms.map(room => [`src/areas/${room}/index.ts`, '']))],
  },
  {
    rule: 'names are things of a school',
    bad: [
      [{ 'src/kit/utils.ts': '' }, /^src\/kit\/utils\.ts:1: .*"utils" says nothing/],
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
    rule: 'SQL stands in queries',
    bad: [
      [
        { [`${post}/index.ts`]: 'a\nexport const f = db.all(sql`select 1`)\n' },
        /index\.ts:2: SQL stands in queries\.ts/,
      ],
      [{ 'src/identity/sessions.ts': 'sql<{ id: string }>`select 1`' }, /SQL stands in queries\.ts/],
      [{ 'src/oauth/token/exchange.ts': `f(sql\`a \${x ? sql\`b\` : 1}\`)` }, /exchange/],
      [{ 'src/http/journal.ts': 'sql`select 1`' }, /SQL stands in queries\.ts/],
      [{ 'src/contract/pagination.ts': 'sql`select 1`' }, /SQL stands in the queries\.ts of areas/],
    ],
    good: [
      { ...door, [`${post}/queries.ts`]: 'sql`select 1`', [`${post}/categories.queries.ts`]: 'sql`select 1`' },
      { 'src/oauth/token/queries.ts': 'sql`select 1`', 'src/demo/queries.ts': 'sql`select 1`' },
      { 'src/http/queries.ts': 'sql`select 1`', 'src/db/sql.ts': 'sql`select 1`' },
      { 'src/kit/html.ts': '// sql`select 1`\nconst a = html`<code>sql</code>`; const b = "sql`"\n' },
    ],
  },
  {
    rule: 'SQL says stoa.now()',
    bad: [
      [{ 'src/db/a.ts': 'sql`\n  select now()`' }, /^src\/db\/a\.ts:2: SQL says stoa\.now\(\), not now\(\)/],
      [{ 'src/db/a.ts': `sql\`select \${id} where a < CURRENT_TIMESTAMP\`` }, /not CURRENT_TIMESTAMP/],
      [{ 'src/db/a.ts': `query('select localtimestamp')` }, /not localtimestamp/],
      [{ 'src/db/a.ts': 'sql`select clock_timestamp()`' }, /not clock_timestamp/],
      [{ 'src/db/a.ts': 'sql`select pg_catalog.now()`' }, /not pg_catalog\.now/],
      [{ 'migrations/0001_a.sql': '\ncreate table a (at timestamptz default now());' }, /0001_a\.sql:2: SQL says/],
    ],
    good: [
      { 'src/db/a.ts': `// now()\nconst at = clock.now(); sql\`select (select stoa.now()), \${now()}\`\n` },
      { 'migrations/0001_a.sql': '-- now()\ncreate function stoa.now() returns timestamptz as $$ select now() $$;' },
      { 'migrations/0001_a.sql': 'create or replace function stoa.now() returns timestamptz return now();' },
    ],
  },
  {
    rule: 'the definition of stoa.now() excuses nothing after it',
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
      [{ 'src/db/a.ts': '\nsql`select a from b where c > stoa.now()`\n' }, /^src\/db\/a\.ts:2: the clock is read once/],
      [{ 'src/db/a.ts': 'sql`update b set c = stoa.now() where d`\n' }, /the clock is read once/],
      [{ 'src/db/a.ts': 'sql`select t, t from (select stoa.now() as t) as moment`\n' }, /the clock is read once/],
      [{ 'src/db/a.ts': 'sql`select t, t from b, (select stoa.now() as t offset 0) as moment`\n' }, /read once/],
      [{ 'src/db/a.ts': `sql\`select \${sql\`stoa.now()\`} from b\`` }, /the clock is read once/],
    ],
    good: [
      { 'src/db/a.ts': 'sql`select a from b where c > (select stoa.now()) - d`\n' },
      { 'src/db/a.ts': 'sql`with clock as materialized (select stoa.now() as now) select now from clock`\n' },
      { 'src/db/a.ts': `// stoa.now()\nquery('select stoa.now() as at, b')\n` },
    ],
  },
  {
    rule: 'the machine is asked for its clock in one file',
    bad: [
      [{ 'src/http/limits.ts': '\nconst at = Date.now()\n' }, /^src\/http\/limits\.ts:2: the time is an argument/],
      [{ 'src/http/limits.ts': 'const at = new Date()\n' }, /the time is an argument/],
      [{ 'src/http/limits.ts': 'const at = new Date ( )\n' }, /the time is an argument/],
      [{ 'src/http/limits.ts': 'const at = new Date\n' }, /the time is an argument/],
      [{ 'src/http/limits.ts': 'const at = Temporal.Now.instant()\n' }, /the time is an argument/],
    ],
    good: [
      { 'src/http/limits.ts': 'const a = new Date("2026-02-03"), b = new Date(x), c = "Date.now()" // Date.now()\n' },
      { 'src/kit/clock.ts': 'Date.now()\n', 'src/commands/doctor.ts': 'new Date()\n' },
    ],
  },
  {
    rule: 'only config reads the environment',
    bad: [
      [{ ...door, [`${post}/rules.ts`]: 'const a = process.env.HOME\n' }, /rules\.ts:1: only config\.ts/],
      [{ 'src/db/pool.ts': 'const { env } = process\n' }, /only config\.ts/],
      [{ 'src/db/pool.ts': `import { env } from 'node:process'\n` }, /only config\.ts/],
    ],
    good: [{ 'src/config.ts': 'process.env.HOME\n', 'src/db/pool.ts': '// process.env\nprocess.pid\n' }],
  },
  {
    rule: 'a file past 300 lines names its reason',
    bad: [
      [{ 'src/kit/money.ts': long }, /^src\/kit\/money\.ts:1: 301 lines/],
      [{ 'src/kit/money.ts': `// One thing:\n${long}` }, /302 lines/],
    ],
    good: [
      { 'src/kit/money.ts': 'const a = 1\n'.repeat(300) },
      { 'src/kit/money.ts': `// One thing: the currencies of ISO 4217\n${long}` },
    ],
  },
  {
    rule: 'an export has one sentence above it',
    bad: [
      [{ 'src/kit/money.ts': 'export const cent = 1\n' }, /^src\/kit\/money\.ts:1: say in one sentence .* cent/],
      [{ 'src/kit/money.ts': '/** A cent. */\n\nexport type Cent = 1\n' }, /:3: say in one sentence/],
    ],
    good: [{ 'src/kit/money.ts': `/** A cent. */\nexport const cent = 1\nexport { b } from './b.ts'\n` }],
  },
  {
    rule: 'an operation stands in a list',
    bad: [
      [{ ...room, [`${post}/operations.ts`]: declared('GET', 'read', '') }, /operations\.ts:1: getPost stands in no/],
    ],
    good: [{ ...room, [`${post}/operations.ts`]: `${declared('GET', 'read', '')}${listing}` }],
  },
  {
    rule: 'a write says what changed and what happened',
    bad: [
      [{ ...room, [`${post}/operations.ts`]: write('changed({})') }, /:1: the write getPost never calls record$/m],
      [{ ...room, [`${post}/operations.ts`]: write('store(context)') }, /never calls changed and record$/m],
      [{ ...room, [`${post}/operations.ts`]: write(`say('changed(', 'record(')`) }, /never calls changed and record$/m],
    ],
    good: [
      { ...room, [`${post}/operations.ts`]: write('changed({}); record({})') },
      { ...room, [`${post}/operations.ts`]: `const store = () => { changed(); record() }\n${write('store(context)')}` },
    ],
  },
  {
    rule: 'a room names no table of another room',
    bad: [
      [
        { ...tables, [`${post}/queries.ts`]: 'const a = sql`select * from events e`' },
        /queries\.ts:1: the table events is of/,
      ],
      [
        { ...tables, [`${post}/queries.ts`]: 'const a = sql`select from posts\n join keys on true`' },
        /:2: the table keys is of oauth/,
      ],
      [
        { ...tables, [`${post}/queries.ts`]: 'const a = sql`insert into events (id)`' },
        /two rooms make rows of events/,
      ],
    ],
    good: [
      {
        ...tables,
        [`${post}/queries.ts`]: 'const a = sql`insert into posts select from people join posts`',
      },
    ],
  },
  {
    rule: 'migrations are numbered without gaps',
    bad: [
      [{ 'migrations/0002_a.sql': '' }, /^migrations\/0002_a\.sql:1: here the number 0001 is due/],
      [{ 'migrations/0001_a.sql': '', 'migrations/0001_b.sql': '' }, /0001_b\.sql:1: here the number 0002/],
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
    for (const [tree, sentence] of bad) assert.match(judge(checkRooms, tree).join('\n'), sentence)
    for (const tree of good) assert.deepEqual(judge(checkRooms, tree), [])
  })
}

test('each breach is said once', () => {
  assert.equal(judge(checkRooms, { 'src/kit/utils.ts': 'const at = Date.now()\nconst later = new Date()\n' }).length, 3)
})
