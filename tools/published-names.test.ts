// Runs in its own process: areas of other tests declare operations and problems, which are not published.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FACTS_PAGE, factsPage } from './fact-docs.ts'
import { declaredNames, PUBLISHED_NAMES, publishedNames, withDeclared } from './published-names.ts'

const kinds = ['facts', 'fact_fields', 'problems', 'operations'] as const
const declared = declaredNames()
const published = publishedNames()

for (const kind of kinds) {
  test(`published names of ${kind} stay, and new ones are added to the list`, () => {
    const gone = published[kind].filter(name => !declared[kind].includes(name))
    assert.deepEqual(
      gone,
      [],
      `${gone} were published: programs of others use them. Keep them, beside a new name if need be`,
    )
    const added = declared[kind].filter(name => !published[kind].includes(name))
    assert.deepEqual(
      added,
      [],
      `${added} are not in ${PUBLISHED_NAMES}: review them, since they will stay; then run npm run docs`,
    )
  })
}

const FORMS = {
  facts: /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/,
  fact_fields: /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/,
  problems: /^[a-z]+(_[a-z]+)*$/,
  operations: /^[a-z]+([A-Z][a-z]+)+$/,
}

for (const kind of kinds) {
  test(`names of ${kind} have one form, and each is there once`, () => {
    for (const name of declared[kind]) assert.match(name, FORMS[kind])
    assert.equal(new Set(declared[kind]).size, declared[kind].length)
  })
}

test('names that were published stay in the list when they are no longer declared', () => {
  const none = { facts: [], fact_fields: [], problems: [], operations: [] }
  const kept = withDeclared({ ...none, facts: ['loaf.baked'] }, { ...none, facts: ['loaf.sold', 'loaf.baked'] })
  assert.deepEqual(kept, { ...none, facts: ['loaf.baked', 'loaf.sold'] })
})

test('docs/facts.md is what npm run docs writes, and has a sentence for each fact', () => {
  const written = readFileSync(join(import.meta.dirname, '..', FACTS_PAGE), 'utf8')
  assert.ok(written === factsPage(), `${FACTS_PAGE} is not up to date: run npm run docs`)
  for (const type of declared.facts) assert.match(written, new RegExp(`\\| \`${type}\` \\| [A-Z][^|]+\\. \\|`))
})
