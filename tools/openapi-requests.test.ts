import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { spectral } from './openapi-linters.ts'
import { buildRequests, type Description } from './openapi-requests.ts'

const described = (properties: Readonly<Record<string, object>>): Description => ({
  openapi: '3.1.1',
  info: { title: 'Made up', version: '1' },
  paths: {
    '/things': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NewThing' } } } },
        responses: {
          200: { description: 'OK', content: { json: { schema: { $ref: '#/components/schemas/Thing' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      NewThing: { type: 'object', properties: { name: { $ref: '#/components/schemas/Name' } } },
      Name: { type: 'object', properties },
      Thing: { type: 'object', properties: { note: { type: 'string' } } },
    },
  },
})

const lintRequests = async (schemas: readonly object[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-requests-'))
  const file = join(folder, 'requests.json')
  const properties = Object.fromEntries(schemas.map((schema, index) => [`field${index}`, schema]))
  await writeFile(file, JSON.stringify(buildRequests(described(properties))))
  return spectral(file, 'spectral-requests.yaml').finally(() => rm(folder, { recursive: true, force: true }))
}

test('the half that clients send has no responses and only the components that requests refer to, however indirectly', () => {
  const { paths, components } = buildRequests(described({}))
  assert.deepEqual(Object.keys(components.schemas ?? {}), ['NewThing', 'Name'])
  assert.deepEqual(paths['/things']?.post?.responses, { default: { description: 'Left out' } })
})

const bounded: readonly object[] = [
  { type: 'string', maxLength: 5 },
  { type: 'string', enum: ['a'] },
  { type: 'string', pattern: '^\\+?[A-Z]{1,3}$' },
]
const unbounded: readonly object[] = [
  { type: 'string' },
  { type: 'string', pattern: '[A-Z]{3}' },
  { type: 'string', pattern: '^[A-Z]+$' },
  { type: 'string', pattern: '^[A-Z]{2,}$' },
]

test('a string that is sent needs a bound, for which an anchored pattern without open repetitions is enough', async () => {
  const clean = await lintRequests(bounded)
  assert.ok(clean.passes, clean.output)
  const { passes, output } = await lintRequests([...bounded, ...unbounded])
  assert.equal(passes, false)
  const found = new Set(output.match(/field\d+/g))
  assert.deepEqual(
    [...found].sort(),
    unbounded.map((_schema, index) => `field${bounded.length + index}`),
  )
})
