// The half of an OpenAPI description that clients send: what an operation takes, without what it answers.

type Json = Readonly<Record<string, unknown>>

type Described = Json & { readonly responses?: unknown }

/** An OpenAPI description as far as this file reads it. */
export type Description = Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: Readonly<Record<string, Json>>
}

// OpenAPI requires a response of each operation.
const NO_RESPONSE = { default: { description: 'Left out' } }

const refsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(refsIn)
  if (typeof value !== 'object' || value === null) return []
  const { $ref, ...rest } = value as { $ref?: unknown }
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(rest).flatMap(refsIn)]
}

// `#/components/schemas/Course` is the component `Course` of the kind `schemas`.
const parseParts = (ref: string): [kind: string, name: string] => {
  const [kind = '', name = ''] = ref.slice('#/components/'.length).split('/')
  return [kind, name]
}

const reachable = (from: unknown, components: Description['components']): ReadonlySet<string> => {
  const found = new Set<string>()
  const waiting = refsIn(from)
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (found.has(ref)) continue
    found.add(ref)
    const [kind, name] = parseParts(ref)
    waiting.push(...refsIn(components[kind]?.[name]))
  }
  return found
}

const keepOnly = (components: Description['components'], refs: ReadonlySet<string>): Description['components'] =>
  Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => refs.has(`#/components/${kind}/${name}`))),
    ]),
  )

const withoutResponses = (methods: Readonly<Record<string, Described>>): Readonly<Record<string, Described>> =>
  Object.fromEntries(
    Object.entries(methods).map(([method, operation]) => [method, { ...operation, responses: NO_RESPONSE }]),
  )

/** Returns the description without responses, and without the components that only responses use. */
export const buildRequests = (description: Description): Description => {
  const paths = Object.fromEntries(
    Object.entries(description.paths).map(([path, methods]) => [path, withoutResponses(methods)]),
  )
  return {
    ...description,
    paths,
    components: keepOnly(description.components, reachable(paths, description.components)),
  }
}
