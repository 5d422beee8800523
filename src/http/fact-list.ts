import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { factTypes } from '#src/contract/fact-types.ts'
import type { FactDeclaration } from '#src/contract/facts/declaration.ts'
import { stable } from '#src/kit/cacheable.ts'

const SECONDS = 300

let text: string | undefined

// The declarations do not change while the process runs.
const buildText = (): string => {
  const all: readonly (readonly [string, FactDeclaration])[] = Object.entries(factTypes)
  const shown = all
    .filter(([, { scope }]) => scope !== 'internal')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, { sentence, scope, subject, readBy, payload, example }]) => [
      type,
      { sentence, scope, subject, read_by: readBy, schema: payload, example },
    ])
  return JSON.stringify(Object.fromEntries(shown))
}

/** The facts that apps may be told, by type, for programs. */
export const factListEndpoint: Endpoint = endpoint({
  route: 'GET /facts.json',
  handle: async request => {
    text ??= buildText()
    return stable(request.header('if-none-match'), 'application/json; charset=utf-8', text, SECONDS)
  },
})
