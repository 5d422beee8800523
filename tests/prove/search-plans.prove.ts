import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'

const LARGE = '00000000-0000-7000-8000-00000000000a'
const SMALL = '00000000-0000-7000-8000-00000000000b'
const FILE = new URL('../../docs/plans/search.txt', import.meta.url)

// Words of which some are in every text and most are in few.
const ENTRIES = `
  insert into stoa.search_entries (school_id, kind, id, words, body_words, listed_at)
  select $1::uuid, kind, gen_random_uuid(), stoa.search_vector($1, kind, 'name' || n, 200),
    stoa.search_vector($1, kind, 'name' || n || ' everywhere ' || body, 2000), timestamptz '2026-01-01' + n * interval '1 minute'
  from generate_series(1, $2::integer) as n, lateral (select (array['post', 'course', 'page'])[1 + n % 3] as kind) as k,
    lateral (select string_agg('w' || (n * 7919 + i * i * 104729) % (50 * i + 50), ' ') as body
      from generate_series(1, 60) as i) as b`

const TERMS = `
  insert into stoa.search_terms (school_id, term, parts)
  select $1::uuid, term, stoa.term_parts($1::uuid, term)
  from (select translate(to_char(n * 7919, 'FM0000000000'), '0123456789', 'abehilorst') as term
    from generate_series(1, $2::integer) as n) as made`

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(ENTRIES, [LARGE, 5000])
  await owner.query(ENTRIES, [SMALL, 100])
  await owner.query(TERMS, [LARGE, 20_000])
  await owner.query(TERMS, [SMALL, 100])
  await owner.query('vacuum (analyze) stoa.search_entries, stoa.search_terms')
  await owner.end()
})
after(() => database.drop())

type Explained = { readonly statement: string; readonly inside: string; readonly from: RegExp }

const SEARCH: Explained = {
  statement: `select * from stoa.search_all(array['post', 'course', 'page'], $1, 20, null, null, null, null)`,
  inside: 'with found as materialized',
  from: /^Limit/m,
}

const CORRECTION: Explained = {
  statement: `select * from stoa.near_terms(array['post', 'course', 'page'], $1, 50)`,
  inside: 'with near as materialized',
  from: /^(?:Result|Limit)/m,
}

/** The plan of the statement within a function, which only the owner's connection can show. */
const explainPlan = async (
  schoolId: string,
  q: string,
  mode: string,
  { statement, inside, from } = SEARCH,
): Promise<string> => {
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  const notices: string[] = []
  owner.on('notice', ({ message }) => notices.push(String(message)))
  await owner.connect()
  await owner.query(`load 'auto_explain'`)
  await owner.query(`set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
    set auto_explain.log_level = notice; set plan_cache_mode = ${mode}; set stoa.school_id = '${schoolId}'`)
  await owner.query(statement, [q])
  await owner.end()
  const [found] = notices.filter(text => text.includes(inside))
  assert.ok(found !== undefined, notices.join('\n'))
  return found
    .slice(found.search(from))
    .replace(/ *\(cost=[^)]*\)/g, '')
    .replace(/'(?:[^']|'')*'::(?:tsquery|uuid|text\[\]|text)/g, '?')
    .replace(/^\s*Query Identifier.*$/gm, '')
    .trimEnd()
}

const SEARCHES = ['everywhere', 'w77', 'name100 everywhere', 'nowhere'] as const

test('a search of the site reads the index of words and no entry of another school, however much it finds', async () => {
  const plans: string[] = []
  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    for (const q of SEARCHES) {
      const plan = await explainPlan(LARGE, q, mode)
      assert.match(plan, /Bitmap Index Scan on search_entries_bodies/, `${q}\n${plan}`)
      assert.doesNotMatch(plan, /Seq Scan|Filter: \(.*body_words/, `${q}\n${plan}`)
      plans.push(`# ${q}, ${mode}\n${plan}`)
    }
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    const plan = await explainPlan(LARGE, 'aaaabehlix', mode, CORRECTION)
    assert.match(plan, /Bitmap Index Scan on search_terms_parts/, plan)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
    plans.push(`# a mistyped word, ${mode}\n${plan}`)
  }
  const text = `${plans.join('\n\n')}\n`
  if (process.env.STOA_WRITE_PLANS === '1') await writeFile(FILE, text)
  assert.equal(text, await readFile(FILE, 'utf8'), 'read the difference, and run STOA_WRITE_PLANS=1 npm run prove')
  for (const q of SEARCHES)
    assert.equal(await explainPlan(SMALL, q, 'force_generic_plan'), await explainPlan(LARGE, q, 'force_generic_plan'))
})
