import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAreas } from './check-areas.ts'
import { type Case, type Tree, testCases, violationsIn } from './tree.ts'

const reviews = 'src/areas/courses/reviews'
const domain = { 'src/areas/courses/index.ts': '', 'src/areas/courses/README.md': '' }
const index = (text: string, above = ''): Tree => ({ ...domain, [`${reviews}/index.ts`]: `${above}${text}\n` })
// A tree in which each place inserts the rows of one table.
const tables = {
  ...domain,
  'migrations/0001_all.sql': ['reviews', 'courses', 'people', 'keys']
    .map(name => `create table ${name} (id uuid);`)
    .join('\n'),
  'src/areas/courses/reviews/index.ts': '/** Reviews. */\nexport const reviews = 1\n',
  'src/areas/courses/courses/index.ts': '/** Courses. */\nexport const courses = 1\n',
  'src/areas/courses/courses/queries.ts': 'const a = sql`insert into courses (id)`',
  'src/identity/queries.ts': 'const a = sql`insert into people (id)`',
  'src/oauth/queries.ts': 'const a = sql`insert into keys (id)`',
}
const area = {
  ...domain,
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
// The method of an operation that is declared for somebody says whether it writes.
const declaredFor = (method: string): string =>
  `const getReview = declareFor('staff', 'courses', {\n  route: '${method} /reviews',\n  handle: () => undefined,\n})\n`
const write = (body: string): string => `${declared('PUT', 'write', body)}${listing}`

const ofNotes = {
  'migrations/0001_all.sql':
    'create table notes (\n  school_id uuid not null,\n  id uuid);\ncreate table clock (id uuid);',
}
const selecting = (text: string): Tree => ({ ...ofNotes, 'src/db/queries.ts': `const a = sql\`${text}\`` })

const long = 'const a = 1\n'.repeat(301)
const entryPoint = { ...domain, [`${reviews}/index.ts`]: '/** Reviews. */\nexport const reviews = 1\n' }

const cases: Case[] = [
  {
    rule: 'pages are declared with one kit, which alone has controls',
    bad: [
      [
        { 'src/web/staff/a.ts': "import { endpoint } from '#src/contract/endpoint.ts'\n" },
        /^src\/web\/staff\/a\.ts:1: declare pages and forms with/,
      ],
      [
        {
          'src/web/learn/a.ts': `/** A line. */\nexport const line = (name: string) =>\n  html\`<input id="a" name="\${name}">\`\n`,
        },
        /^src\/web\/learn\/a\.ts:2: controls of forms belong to/,
      ],
    ],
    good: [
      {
        'src/web/page/a.ts': `/** A line. */\nexport const line = (name: string) => html\`<input name="\${name}">\`\n`,
        'src/web/learn/a.ts':
          'import type { endpoint } from \'#src/contract/answer.ts\'\n/** A form. */\nexport const form = html`<input name="q">`\n',
      },
    ],
  },
  {
    rule: 'the context of a call is called context',
    bad: [
      [
        { 'src/kit/money.ts': 'const a = (where: TransactionContext) => where\n' },
        /^src\/kit\/money\.ts:1: .*not where$/,
      ],
      [{ 'src/kit/money.ts': 'const a = (\n  db: Db,\n  place: Pick<ReadContext, "db">,\n) => place\n' }, /not place$/],
    ],
    good: [{ 'src/kit/money.ts': 'const a = (context: WriteContext, { db }: SchoolContext) => [context, db]\n' }],
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
      { 'src/web/browser/drafts.ts': 'Date.now()\n' },
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
        { ...exported('listReviews'), 'src/areas/courses/courses/index.ts': 'area({ operations: [getReview] })' },
        /operations\.ts:2: the operation getReview is in no exported list/,
      ],
      [
        { ...exported('listReviews, getReview'), [`${reviews}/votes.operations.ts`]: declared('GET', 'read', '') },
        /votes\.operations\.ts:1: the operation getReview is in no exported list/,
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
      [
        { ...area, [`${reviews}/operations.ts`]: `${declaredFor('PUT')}${listing}` },
        /does not call changed and record$/m,
      ],
    ],
    good: [
      { ...area, [`${reviews}/operations.ts`]: write('changed({}); record({})') },
      { ...area, [`${reviews}/operations.ts`]: `${declaredFor('GET')}${listing}` },
      {
        ...area,
        [`${reviews}/operations.ts`]: `const store = () => { changed(); record() }\n${write('store(context)')}`,
      },
    ],
  },
  {
    rule: 'an area writes no table of another area, and reads none of a later one',
    bad: [
      [
        { ...tables, [`${reviews}/queries.ts`]: 'const a = sql`update courses set name = 1`' },
        /queries\.ts:1: the table courses belongs to areas\/courses, which alone writes it/,
      ],
      [
        { ...tables, [`${reviews}/queries.ts`]: 'const a = sql`delete from courses where true`' },
        /queries\.ts:1: the table courses belongs to areas\/courses, which alone writes it/,
      ],
      [
        {
          ...tables,
          [`${reviews}/queries.ts`]: 'const a = sql`insert into reviews (id)`',
          'src/areas/courses/courses/lookups.queries.ts': 'const a = sql`select from reviews`',
        },
        /lookups\.queries\.ts:1: the table reviews belongs to areas\/reviews, which is not an earlier area/,
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
      { ...tables, [`${reviews}/queries.ts`]: 'const a = sql`select * from courses e`' },
    ],
  },
  {
    rule: 'no trigger fires while rows are loaded',
    bad: [
      [
        {
          'migrations/0001_loading.sql': 'create function stoa.is_loading()',
          'migrations/0002_a.sql':
            '\ncreate trigger a after insert on a for each row execute function a();\n-- not stoa.is_loading()',
        },
        /^migrations\/0002_a\.sql:2: a trigger has the condition/,
      ],
      [
        {
          'migrations/0001_loading.sql': 'create function stoa.is_loading()',
          'migrations/0002_a.sql':
            'create or replace trigger a after update on a for each row when (b) execute function a();',
        },
        /0002_a\.sql:1: a trigger/,
      ],
    ],
    good: [
      {
        'migrations/0001_a.sql': 'create trigger a after insert on a for each row execute function a();',
        'migrations/0002_loading.sql': 'create function stoa.is_loading()',
        'migrations/0003_b.sql':
          'create trigger b after insert on b for each row when ((c) and not stoa.is_loading()) execute function b();',
      },
    ],
  },
  {
    rule: 'migrations are numbered without gaps, except for reserved numbers',
    bad: [
      [{ 'migrations/0002_a.sql': '' }, /^migrations\/0002_a\.sql:1: the next migration is number 0001/],
      [
        { 'migrations/0001_a.sql': '', 'migrations/0001_b.sql': '' },
        /0001_b\.sql:1: the next migration is number 0002/,
      ],
      [{ 'migrations/0001-a.sql': '' }, /NNNN_snake_case/],
      [{ 'migrations/0045_a.sql': '' }, /^migrations\/0045_a\.sql:1: the next migration is number 0001/],
      [{ 'migrations/0001_Schools.sql': '' }, /NNNN_snake_case/],
    ],
    good: [
      { 'migrations/0001_schools.sql': '', 'migrations/0002_people_and_roles.sql': '', 'migrations/grants.sql': '' },
      { 'migrations/0001_schools.sql': '', 'migrations/0045_orders.sql': '', 'migrations/0053_posts.sql': '' },
    ],
  },
]

testCases(checkAreas, cases)

test('each violation is reported once', () => {
  assert.equal(
    violationsIn(checkAreas, { 'src/kit/utils.ts': 'const at = Date.now()\nconst later = new Date()\n' }).length,
    3,
  )
})
