import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAreas, formatSummary } from './check-areas.ts'
import { domains } from './check-imports.ts'
import { type Case, type Tree, testCases, withTree } from './tree.ts'

const reviews = 'src/areas/courses/reviews'
const domain = { 'src/areas/courses/index.ts': '', 'src/areas/courses/README.md': '' }
const index = (text: string, above = ''): Tree => ({ ...domain, [`${reviews}/index.ts`]: `${above}${text}\n` })
const queries = (...declared: string[]): Tree => ({
  [`${reviews}/queries.ts`]: declared.map(one => `/** One. */\nexport const ${one}\n`).join(''),
})
const entryPoint = { ...domain, [`${reviews}/index.ts`]: '/** Reviews. */\nexport const reviews = 1\n' }
const operations = { [`${reviews}/operations.ts`]: '/** One. */\nexport const list = 1\n' }
const hook = (name: string, types = '<undefined, Usage>'): string =>
  `import { hook } from '#src/contract/hook.ts'\n/** A hook. */\nexport const a = hook${types}(\n  '${name}',\n)\n`

const cases: Case[] = [
  {
    rule: 'an area has an entry point',
    bad: [
      [
        { ...domain, [`${reviews}/rules.ts`]: '' },
        /^src\/areas\/courses\/reviews:1: an area needs an entry point, index\.ts$/,
      ],
    ],
    good: [entryPoint],
  },
  {
    rule: 'an area has files of known names, alone or for one resource',
    bad: [
      [
        { ...entryPoint, [`${reviews}/actions.ts`]: '' },
        /^src\/areas\/courses\/reviews\/actions\.ts:1: a file in an area is one of index, schema, .* or a test$/,
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
        ['index', 'schema', 'operations', 'access', 'rules', 'queries', 'views', 'writes', 'lookups', 'conditions'],
        ['index', 'hooks', 'implementations', 'subscribers', 'jobs', 'sweeps', 'mails', 'text', 'constraints'],
      ].map(names => ({
        ...domain,
        ...Object.fromEntries(names.map(name => [`${reviews}/${name}.ts`, ''])),
        [`${reviews}/reviews.test.ts`]: '',
      })),
      { ...entryPoint, [`${reviews}/votes.queries.ts`]: '', [`${reviews}/votes/rules.ts`]: '' },
      { ...entryPoint, [`${reviews}/votes/account.operations.ts`]: '', [`${reviews}/votes/votes.test.ts`]: '' },
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
    rule: 'an area with operations has a test',
    bad: [
      [{ ...entryPoint, ...operations }, /an area with operations needs a test/],
      [{ ...entryPoint, [`${reviews}/votes.operations.ts`]: '' }, /an area with operations needs a test/],
    ],
    good: [{ ...entryPoint, ...operations, [`${reviews}/reviews.test.ts`]: '' }],
  },
  {
    rule: 'every area is in the list of its domain, and every domain has an entry point and says what belongs to it',
    bad: [
      [
        { ...domain, 'src/areas/courses/instructors/index.ts': '' },
        /^src\/areas\/courses\/instructors:1: instructors is not in the list of courses in tools\/check-imports\.ts$/,
      ],
      [{ ...domain, 'src/areas/courses/members/index.ts': '' }, /members is not in the list of courses/],
      [{ 'src/areas/index.ts': '' }, /src\/areas may contain only folders/],
      [{ 'src/areas/courses/README.md': '' }, /^src\/areas\/courses:1: a domain needs index\.ts/],
      [{ 'src/areas/courses/index.ts': '' }, /^src\/areas\/courses:1: a domain needs README\.md/],
      [
        { ...domain, 'src/areas/courses/rules.ts': '' },
        /rules\.ts:1: a domain has only index\.ts, README\.md and areas$/,
      ],
    ],
    good: [
      Object.fromEntries(
        Object.entries(domains).flatMap(([name, areas]) =>
          ['index.ts', 'README.md', ...areas.map(area => `${area}/index.ts`)].map(file => [
            `src/areas/${name}/${file}`,
            '',
          ]),
        ),
      ),
    ],
  },
  {
    rule: 'the entry point of an area exports no SQL, but functions that run it',
    bad: [
      [
        { ...entryPoint, ...index(`export { findReview } from './queries.ts'`) },
        /index\.ts:1: findReview of \.\/queries\.ts is exported: an entry point exports no SQL/,
      ],
      [
        {
          ...index(`export { listReviews, reviewsStatement } from './queries.ts'`),
          ...queries('listReviews = (db: Db, schoolId: string) => 1', 'reviewsStatement = (schoolId: string) => 1'),
        },
        /index\.ts:1: reviewsStatement of \S+ is exported/,
      ],
      [
        { ...index(`export { columns } from './queries.ts'`), ...queries('columns = 1 // (db: Db)') },
        /index\.ts:1: columns of \S+ is exported/,
      ],
      [
        { ...index(`export * from './queries.ts'`), ...queries('findReview = (db: Db) => 1') },
        /index\.ts:1: \* of \S+ is exported/,
      ],
      [
        { ...entryPoint, [`${reviews}/lookups.ts`]: `export { findReview } from './queries.ts'` },
        /lookups\.ts:1: findReview of \.\/queries\.ts is exported: import it from where it is declared/,
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
    ],
    good: [
      { ...index(`export { reviewStatus } from './queries.ts'`), ...queries('reviewStatus = defineStatus({})') },
      index(`export type { Row } from './queries.ts'`),
      index(`export { type Row, type VoteRow } from './votes/queries.ts'`),
      index(`export { getReview } from './access.ts'\nexport { type Row } from './queries.ts'`),
      index(`import { findReview } from './queries.ts'\nexport { getReview } from './access.ts'`),
      index(`export type * from './queries.ts'`),
      {
        ...index(`export { findReview, listReviews } from './queries.ts'`),
        ...queries('findReview = async <Row>(db: Db, id: Row) => 1', 'listReviews = (\n  db: Db,\n) => 1'),
      },
      {
        ...index(`import { findReview } from './queries.ts'\nexport { findReview }`),
        ...queries('findReview = (db: Db) => 1'),
      },
      { ...entryPoint, [`${reviews}/lookups.ts`]: `export type { Row } from './queries.ts'` },
      index(`// export { a } from './queries.ts'\nexport { queries } from './rules.ts'`),
    ],
  },
  {
    rule: 'types of parameters have names, and literals are written and not spread',
    bad: [
      [
        { 'src/kit/a.ts': 'const a = 1\ntype Input = Parameters<typeof add>[1]\n' },
        /^src\/kit\/a\.ts:2: name the type and export it beside its function$/,
      ],
      [
        { 'src/kit/a.ts': 'const a = {\n  ...{ b, c },\n}\n' },
        /^src\/kit\/a\.ts:2: write the properties instead of spreading a literal$/,
      ],
    ],
    good: [
      { 'src/kit/a.ts': 'type Input = Parameters<Add>[1]\nconst a = { ...b, ...(c === 1 ? {} : { c }) }\n' },
      { 'src/kit/a.ts': `// no Parameters<typeof add>, no ...{ b }\nconst a = '...{ b }'\n` },
      { 'src/kit/a.test.ts': 'type Input = Parameters<typeof add>[1]\nconst a = { ...{ b } }\n' },
    ],
  },
  {
    rule: 'names of functions begin with a verb',
    bad: [
      [
        { 'src/kit/a.ts': 'const a = 1\nconst priceOf = (row: Row): number => row.price\n' },
        /^src\/kit\/a\.ts:2: begin the name of priceOf with a verb: read, find, /,
      ],
      [{ 'src/kit/a.ts': 'const rowsOf = async <Row>(rows: Row) => rows\n' }, /the name of rowsOf with a verb/],
      [{ 'src/kit/a.ts': 'async function* partsOf(rows) {}\n' }, /the name of partsOf with a verb/],
    ],
    good: [
      { 'src/kit/a.ts': 'const readPrice = (row: Row): number => row.price\n' },
      {
        'src/kit/a.ts':
          'const placeOf = new Map()\nconst PageOf = (item: Item) => item\n// const priceOf = (row) => row\n',
      },
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
]

testCases(checkAreas, cases)

test('the summary names the five largest areas, the largest first', () => {
  const names = ['school', 'members', 'groups', 'storage', 'courses', 'reviews']
  const tree = Object.fromEntries(
    names.flatMap((name, at) => [
      [`src/areas/school/${name}/rules.ts`, 'const a = 1\n'.repeat(10 * at + 1)],
      [`src/areas/school/${name}/rules.test.ts`, 'const a = 1\n'.repeat(100)],
    ]),
  )
  assert.equal(
    withTree(tree, formatSummary),
    'areas: 12 files keep the rules; the largest areas: reviews 51 lines (151 with tests), ' +
      'courses 41 lines (141 with tests), storage 31 lines (131 with tests), groups 21 lines (121 with tests), ' +
      'members 11 lines (111 with tests)',
  )
})
