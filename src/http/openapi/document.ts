import { type Area, routedOperations } from '#src/contract/area.ts'
import type { Operation } from '#src/contract/operation.ts'
import { problems } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { getSection, scopeSections } from '#src/contract/scopes.ts'
import { createSchemas, type Hoist, type Json, shareParameters } from './components.ts'
import { buildDescription } from './description.ts'
import { EXAMPLE_BASE } from './examples.ts'
import { HEADERS } from './headers.ts'
import { createRefusals, PROBLEM_SCHEMA } from './refusals.ts'
import { buildBody, listParameters } from './requests.ts'
import { describeSuccesses, sharedResponses } from './responses.ts'

// `bearer` is for clients that already have a token, from `stoa tokens` or another app.
const listSecurity = ({ scope, who }: Operation): Json[] =>
  scope === 'none' ? [{}] : [...(who === 'anyone' ? [{}] : []), { oauth: [scope] }, { bearer: [] }]

const chooseTag = ({ section, scope }: Operation): string => section ?? getSection(scope).name

/** What a description says of its school. */
type Named = Pick<School, 'name' | 'baseUrl'>

type Described = Json & { parameters: readonly Json[] }

type Parts = { readonly hoist: Hoist; readonly successes: Json; readonly refusals: Json }

const describeOperation = (operation: Operation, { hoist, successes, refusals }: Parts): Described => ({
  operationId: operation.id,
  tags: [chooseTag(operation)],
  summary: operation.summary,
  description: buildDescription(operation),
  'x-who': operation.who,
  'x-scope': operation.scope,
  ...(operation.confirm === undefined ? {} : { 'x-confirm': operation.confirm }),
  ...(operation.rateLimit === undefined ? {} : { 'x-rate-limit': operation.rateLimit }),
  security: listSecurity(operation),
  parameters: listParameters(operation, hoist),
  ...buildBody(operation, hoist),
  responses: { ...successes, ...refusals },
})

const buildPath = (path: string): string => `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`

const scopesInWords: Json = Object.fromEntries(
  scopeSections.flatMap(({ scopes }) => Object.entries(scopes).map(([scope, { sentence }]) => [scope, sentence.en])),
)

const buildSecuritySchemes = (school: Named): Json => ({
  oauth: {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: `${school.baseUrl}/oauth/authorize`,
        tokenUrl: `${school.baseUrl}/api/oauth/token`,
        refreshUrl: `${school.baseUrl}/api/oauth/token`,
        scopes: scopesInWords,
      },
    },
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token that you already have; `x-scope` names the scope that an operation needs',
  },
})

const ROLES =
  'Roles: a member is anyone with an account, a lecturer also teaches courses, and staff are the admins and owners of the school.'

const ORIGINS = 'Pages of every origin may call it: all responses have `Access-Control-Allow-Origin: *`.'

const buildInfo = (school: Named): Json => ({
  title: `${school.name}: the school's API`,
  version: '1',
  description: `See ${school.baseUrl}/auth.md for how to get a token. ${ROLES} ${ORIGINS}`,
  contact: { name: school.name, url: school.baseUrl },
  license: { name: 'MIT', identifier: 'MIT' },
})

const describe = (school: Named, areas: readonly Area[]): Json => {
  const { hoist, answer, all } = createSchemas()
  const operations = routedOperations(areas)
  const used = new Set(operations.map(chooseTag))
  const refusals = createRefusals(operations)
  const shared = sharedResponses(answer)
  const successes = new Map(operations.map(operation => [operation, describeSuccesses(operation, answer)]))
  const paths: Record<string, Record<string, Described>> = {}
  for (const operation of operations) {
    const path = buildPath(operation.path)
    const responses = { successes: successes.get(operation) ?? {}, refusals: refusals.of(operation) }
    const described = describeOperation(operation, { hoist, ...responses })
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described }
  }
  const parameters = shareParameters(Object.values(paths).flatMap(one => Object.values(one)))
  return {
    openapi: '3.1.1',
    info: buildInfo(school),
    servers: [{ url: school.baseUrl, 'x-internal': false }],
    // A section without operations is not implemented yet.
    tags: scopeSections
      .filter(({ name }) => used.has(name))
      .map(({ name, summary }) => ({ name, description: summary })),
    paths,
    components: {
      schemas: { ...all(), Problem: PROBLEM_SCHEMA },
      responses: { ...shared, ...refusals.all() },
      parameters,
      headers: HEADERS,
      securitySchemes: buildSecuritySchemes(school),
    },
    'x-problems': problems().map(({ code, status, title }) => ({ code, status, title })),
  }
}

/** The OpenAPI 3.1 description of a school's API as JSON, from the declared operations. */
export const openapiText = (school: Named, areas: readonly Area[]): string =>
  JSON.stringify(describe(school, areas)).replaceAll(EXAMPLE_BASE, school.baseUrl)

/** The OpenAPI 3.1 description of a school's API, from the declared operations. */
export const openapi = (school: Named, areas: readonly Area[]): Json => JSON.parse(openapiText(school, areas)) as Json
