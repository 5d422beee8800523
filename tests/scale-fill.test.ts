import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '#testing/database.ts'
import { loadSchool, type TriggerMode } from '../bench/scale/load.ts'
import { HOST } from '../bench/scale/serving.ts'

const ROWS = 200

/** What triggers keep, without the instants at which they are filled. */
const KEPT: Readonly<Record<string, string>> = {
  words: `select kind, words::text from stoa.search_entries where kind in ('member', 'order') order by 1, 2`,
  'words of courses': `select words::text, body_words::text from stoa.search_entries where kind = 'course' order by 1, 2`,
  terms: 'select term, parts from stoa.search_terms order by 1',
  ratings: 'select count, sum from course_ratings order by 1, 2',
  activity: 'select count(*)::integer as rows from activity_hours',
  counts: `select (select count(*) from orders)::integer as orders, (select count(*) from members)::integer as members`,
}

const keptBy = async (mode: TriggerMode): Promise<Readonly<Record<string, unknown>>> => {
  const database = await createTestDatabase('world')
  try {
    const [host] = await database.query<{ id: string }>('select school_id as id from hosts where host = $1', [HOST])
    await loadSchool(database.ownerUrl, { schoolId: host?.id ?? '', rows: ROWS }, mode)
    const kept: Record<string, unknown> = {}
    for (const [name, text] of Object.entries(KEPT)) kept[name] = await database.query(text)
    return kept
  } finally {
    await database.drop()
  }
}

test('a school that is filled set by set has what triggers would have kept', async () => {
  const [sets, triggers] = [await keptBy('sets'), await keptBy('triggers')]
  for (const name of Object.keys(KEPT)) assert.deepEqual(sets[name], triggers[name], name)
})
