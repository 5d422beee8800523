import type { TSchema } from 'typebox'
import type { Area } from '#src/contract/area.ts'
import { ConfirmationAsked } from '#src/contract/confirmation.ts'
import { filled } from '#src/contract/example.ts'
import type { Operation } from '#src/contract/operation.ts'
import { type Problem, problems } from '#src/contract/problem.ts'
import * as common from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { readQuery } from './fields.ts'

type Json = Record<string, unknown>

const PROBLEM_SCHEMA: Json = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'retryable'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'Stable; the title may be reworded' },
    request_id: { type: 'string' },
    retryable: { type: 'boolean' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: { pointer: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
    error: { type: 'string', description: 'RFC 6750, with 400, 401 and 403' },
    error_description: { type: 'string' },
  },
}

const takesId = (schema: TSchema | undefined): boolean =>
  schema !== undefined && JSON.stringify(schema).includes('_[0-7]')

/** The refusals an operation can give: those of its kind and those it declares. */
export const refusalsOf = (operation: Operation): Problem[] => {
  const { who, scope, method, body, ifMatch } = operation
  const list = [common.invalidRequest, common.unknownParameter, common.invalidParameter, common.invalidToken]
  list.push(common.notAcceptable, common.rateLimited, common.internalError, common.unavailable)
  if (who !== 'anyone') list.push(common.signInRequired)
  if (who !== 'anyone' && who !== 'self') list.push(common.roleRequired)
  if (scope !== 'none') list.push(common.insufficientScope)
  // CSV is for staff, whoever may read the list.
  if (operation.csv !== undefined) list.push(common.signInRequired, common.roleRequired)
  if (operation.params !== undefined || takesId(operation.query) || takesId(body)) list.push(common.notFound)
  if (body !== undefined) list.push(common.payloadTooLarge, common.invalidBody)
  // A Content-Type that cannot be read is refused also where no body is wanted.
  if (method !== 'GET') list.push(common.unsupportedMediaType, common.outcomeUnknown)
  if (operation.mode === 'write') list.push(common.requestInFlight, common.idempotencyKeyReused)
  if (operation.mode === 'stream') list.push(common.payloadTooLarge, common.requestTimeout)
  if (operation.confirm !== undefined) list.push(common.tooManyConfirmations)
  if (ifMatch !== undefined) list.push(common.preconditionFailed)
  if (ifMatch === 'required') list.push(common.preconditionRequired)
  return [...new Set([...list, ...operation.fails])]
}

type Hoist = (schema: TSchema | Json) => Json

// A schema with a title becomes a component; the same title for another schema is a mistake.
const hoister = (components: Map<string, string>): Hoist => {
  const hoist = (value: unknown, isRoot: boolean): unknown => {
    if (Array.isArray(value)) return value.map(item => hoist(item, false))
    if (typeof value !== 'object' || value === null) return value
    const { title } = value as { title?: unknown }
    const plain = Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, hoist(item, name === 'properties')]),
    )
    if (isRoot || typeof title !== 'string') return plain
    const text = JSON.stringify(plain)
    if ((components.get(title) ?? text) !== text) throw new Error(`two different schemas are called ${title}`)
    components.set(title, text)
    return { $ref: `#/components/schemas/${title}` }
  }
  return schema => hoist(schema, false) as Json
}

const contentOf = ({ csv }: Operation, schema: Json): Json => ({
  'application/json': { schema },
  ...(csv === undefined
    ? {}
    : {
        'text/csv': {
          schema: { type: 'string', description: `For staff, every row; the columns: ${csv.columns.join(', ')}` },
        },
      }),
})
const askedOf = (operation: Operation, hoist: Hoist): Json => {
  if (operation.confirm === undefined) return {}
  const description =
    'Nothing has happened yet: the person has to approve it at the url of the confirmation. Location tells what came of it'
  const headers = { Location: { description: 'The address of getConfirmation', schema: { type: 'string' } } }
  return { 202: { description, headers, content: { 'application/json': { schema: hoist(ConfirmationAsked) } } } }
}

const responsesOf = (operation: Operation, hoist: Hoist): Json => {
  const byStatus = new Map<number, Problem[]>()
  for (const problem of refusalsOf(operation))
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), problem])
  const refusals = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, list]) => [
      String(status),
      {
        description: list.map(problem => `\`${problem.code}\`: ${problem.title}`).join('; '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ])
  const done =
    operation.returns === undefined
      ? { description: 'Done' }
      : { description: operation.summary, content: contentOf(operation, hoist(operation.returns)) }
  const known =
    operation.method === 'GET' ? { 304: { description: 'Not changed since the ETag in If-None-Match' } } : {}
  return {
    [operation.returns === undefined ? 204 : operation.status]: done,
    ...askedOf(operation, hoist),
    ...known,
    ...Object.fromEntries(refusals),
  }
}

const parametersOf = (operation: Operation, hoist: Hoist): Json[] => {
  const list: Json[] = []
  for (const [name, schema] of Object.entries(operation.params?.properties ?? {})) {
    list.push({ name, in: 'path', required: true, schema: hoist(schema) })
  }
  for (const [name, schema] of Object.entries(operation.query?.properties ?? {})) {
    list.push({
      name,
      in: 'query',
      required: operation.query?.required?.includes(name) ?? false,
      ...((schema as Json).type === 'array' ? { style: 'form', explode: false } : {}),
      schema: hoist(schema),
    })
  }
  if (operation.method === 'GET') {
    for (const [name, schema] of Object.entries(readQuery(operation)))
      list.push({ name, in: 'query', required: false, style: 'form', explode: false, schema: hoist(schema) })
  } else if (operation.mode === 'write') {
    list.push({
      name: 'dry_run',
      in: 'query',
      required: false,
      description: 'Run the write, roll it back and tell its effects',
      schema: { type: 'boolean' },
    })
    list.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  }
  if (operation.ifMatch !== undefined) {
    list.push({
      name: 'If-Match',
      in: 'header',
      required: operation.ifMatch === 'required',
      schema: { type: 'string' },
    })
  }
  return list
}

const bodyOf = (operation: Operation, hoist: Hoist): Json => {
  if (operation.mode === 'stream' && operation.method !== 'GET')
    return { requestBody: { required: true, content: { 'application/octet-stream': {} } } }
  if (operation.body === undefined) return {}
  const schema = hoist(operation.body)
  const example = filled(operation.example.body)
  const media = example === undefined ? { schema } : { schema, example }
  const types =
    operation.method === 'PATCH' ? ['application/merge-patch+json', 'application/json'] : ['application/json']
  return { requestBody: { required: true, content: Object.fromEntries(types.map(type => [type, media])) } }
}

const operationOf = (area: Area, operation: Operation, hoist: Hoist): Json => ({
  operationId: operation.id,
  tags: [area.name],
  summary: operation.summary,
  ...(operation.description === undefined ? {} : { description: operation.description }),
  'x-who': operation.who,
  'x-scope': operation.scope,
  ...(operation.confirm === undefined ? {} : { 'x-confirm': operation.confirm }),
  security:
    operation.scope === 'none' ? [{}] : [...(operation.who === 'anyone' ? [{}] : []), { oauth: [operation.scope] }],
  parameters: parametersOf(operation, hoist),
  ...bodyOf(operation, hoist),
  responses: responsesOf(operation, hoist),
})

const pathOf = (path: string): string => `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`

const pathsOf = (areas: readonly Area[], hoist: Hoist): Json => {
  const paths: Record<string, Json> = {}
  for (const area of areas) {
    for (const operation of area.operations) {
      const path = pathOf(operation.path)
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(area, operation, hoist) }
    }
  }
  return paths
}

const scopesOf = (areas: readonly Area[]): Json =>
  Object.fromEntries(
    areas.flatMap(area => Object.entries(area.scopes).map(([scope, { sentence }]) => [scope, sentence.en])),
  )

/** The OpenAPI 3.1 description of a school's API, from the declared operations. */
export const openapi = (school: School, areas: readonly Area[]): Json => {
  const components = new Map<string, string>()
  const paths = pathsOf(areas, hoister(components))
  const schemas = Object.fromEntries([...components].map(([title, text]) => [title, JSON.parse(text)]))
  return {
    openapi: '3.1.1',
    info: {
      title: `${school.name}: the school's API`,
      version: '1',
      description: `How to get a token stands in ${school.baseUrl}/auth.md`,
    },
    servers: [{ url: school.baseUrl }],
    tags: areas.map(area => ({ name: area.name, description: area.summary })),
    paths,
    components: {
      schemas: { ...schemas, Problem: PROBLEM_SCHEMA },
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${school.baseUrl}/oauth/authorize`,
              tokenUrl: `${school.baseUrl}/api/oauth/token`,
              scopes: scopesOf(areas),
            },
          },
        },
      },
    },
    'x-problems': problems().map(({ code, status, title }) => ({ code, status, title })),
  }
}
