import { resolveExample } from '#src/contract/example.ts'
import { hasOptionalBody, type Operation } from '#src/contract/operation.ts'
import { readQuery } from '../fields.ts'
import type { Hoist, Json } from './components.ts'

const DRY_RUN: Json = {
  name: 'dry_run',
  in: 'query',
  required: false,
  description: 'Run the write, roll it back and return what it would do',
  schema: { type: 'boolean' },
}

const idempotencyKey = (required: boolean): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  required,
  description: 'Makes the write safe to repeat for 24 hours: the same request with the same key is done once',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
})

const ifMatch = (required: boolean): Json => ({
  name: 'If-Match',
  in: 'header',
  required,
  description: 'The ETag of the last read; if the resource has changed since, the write is refused with 412',
  schema: { type: 'string', maxLength: 16_384 },
})

// Generators skip an operation whose body has no schema.
const BYTES: Json = { type: 'string', format: 'binary' }

// Viewers and generators show the description of the parameter, not that of its schema.
const parameter = (place: 'path' | 'query', name: string, schema: Json, required: boolean, hoist: Hoist): Json => {
  const { description, ...rest } = hoist(schema) as Json & { description?: string }
  return {
    name,
    in: place,
    required,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }
}

/** The parameters of an operation. */
export const listParameters = (operation: Operation, hoist: Hoist): Json[] => {
  const { params, query, method, mode } = operation
  const isWrite = method !== 'GET' && mode === 'write'
  const own = Object.entries((query?.properties ?? {}) as Record<string, Json>)
  const read = method === 'GET' ? Object.entries(readQuery(operation) as Record<string, Json>) : []
  return [
    ...Object.entries((params?.properties ?? {}) as Record<string, Json>).map(([name, schema]) =>
      parameter('path', name, schema, true, hoist),
    ),
    ...own.map(([name, schema]) => parameter('query', name, schema, query?.required?.includes(name) ?? false, hoist)),
    ...read.map(([name, schema]) => parameter('query', name, schema, false, hoist)),
    ...(isWrite ? [DRY_RUN, idempotencyKey(operation.idempotency === 'required')] : []),
    ...(operation.ifMatch === undefined ? [] : [ifMatch(operation.ifMatch === 'required')]),
  ]
}

/** The request body of an operation. */
export const buildBody = (operation: Operation, hoist: Hoist): Json => {
  if (operation.mode === 'stream' && operation.method !== 'GET')
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: BYTES } } } }
  if (operation.body === undefined) return {}
  const example = resolveExample(operation.example.body)
  const schema = hoist(operation.body)
  const media = example === undefined ? { schema } : { schema, example }
  const types =
    operation.method === 'PATCH' ? ['application/merge-patch+json', 'application/json'] : ['application/json']
  const content = Object.fromEntries(types.map(type => [type, media]))
  return { requestBody: { required: !hasOptionalBody(operation), content } }
}
