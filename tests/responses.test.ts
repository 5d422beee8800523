import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fieldErrors } from '#src/contract/check.ts'
import { EXAMPLES_FILE } from '#src/http/index.ts'
import { testApp } from '#testing/app.ts'
import { operations } from '#testing/matrix.ts'
import { recordResponses } from '#testing/responses.ts'

const app = testApp({ hasSubscriptions: true })

const written = (examples: object): string =>
  `{\n${Object.entries(examples)
    .map(([id, value]) => `${JSON.stringify(id)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n}\n`

test('the recorded responses are what the operations answer and declare; npm run docs writes them', async () => {
  const examples = await recordResponses(app)
  for (const { id, returns } of operations) {
    if (returns === undefined) assert.ok(!(id in examples), id)
    else assert.deepEqual(fieldErrors(returns, examples[id]), [], id)
  }
  if (process.env.STOA_WRITE_EXAMPLES === '1') await writeFile(EXAMPLES_FILE, written(examples))
  const kept = JSON.parse(await readFile(EXAMPLES_FILE, 'utf8'))
  for (const { id } of operations) assert.deepEqual(examples[id], kept[id], `${id}: run npm run docs`)
  assert.deepEqual(Object.keys(kept), Object.keys(examples))
})
