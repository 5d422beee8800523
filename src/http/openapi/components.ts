import type { TSchema } from 'typebox'
import { answerSchema } from '#src/contract/check.ts'

/** A JSON object of the OpenAPI description. */
export type Json = Record<string, unknown>

/** Replaces a schema and the titled schemas in it by references to components. */
export type Hoist = (schema: TSchema | Json) => Json

/** Components by name, each as JSON text, so that they can be compared. */
type Texts = Map<string, string>

const add = (texts: Texts, name: string, value: unknown): void => {
  const text = JSON.stringify(value)
  if ((texts.get(name) ?? text) !== text) throw new Error(`two different schemas are called ${name}`)
  texts.set(name, text)
}

const buildValues = (texts: Texts): Json =>
  Object.fromEntries([...texts].map(([name, text]) => [name, JSON.parse(text)]))

const isOfUse = ([name]: readonly [string, unknown]): boolean => name === 'description' || name.startsWith('x-')

// The description and the extensions of a scalar belong to its use, not to the component.
const divide = (scalar: Json): { own: Json; siblings: Json } => {
  const entries = Object.entries(scalar)
  const own = entries.filter(entry => !isOfUse(entry))
  return { own: Object.fromEntries(own), siblings: Object.fromEntries(entries.filter(isOfUse)) }
}

/** The name of the component for a schema with a title, given what the component contains. */
type Naming = (title: string, component: Json, schema: TSchema) => string

const replaceWith = (naming: Naming): Hoist => {
  const replace = (value: unknown, isProperties: boolean): unknown => {
    if (Array.isArray(value)) return value.map(item => replace(item, false))
    if (typeof value !== 'object' || value === null) return value
    const { title } = value as { title?: unknown }
    const plain = Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, replace(item, name === 'properties')]),
    )
    if (isProperties || typeof title !== 'string') return plain
    const { own, siblings } = plain.type === 'object' ? { own: plain, siblings: {} } : divide(plain)
    return { $ref: `#/components/schemas/${naming(title, own, value as TSchema)}`, ...siblings }
  }
  return schema => replace(schema, false) as Json
}

/**
 * Collects the schemas of a description: a schema with a title becomes a component with that name. Schemas of responses
 * are hoisted first, and without the rules for texts, which values that were stored earlier may not follow; a schema
 * that requests have with such rules is then a component of its own, with `Input` after its name.
 */
export const createSchemas = () => {
  const answers: Texts = new Map()
  const inputs: Texts = new Map()
  const hoistAnswer = replaceWith((title, component) => {
    add(answers, title, component)
    return title
  })
  const answer: Hoist = schema => hoistAnswer(answerSchema(schema as TSchema))
  const hoist = replaceWith((title, component, schema) => {
    const isAnswered = answers.has(title)
    // Two different schemas of one title are refused here.
    if (isAnswered) answer(schema)
    const name = isAnswered && answers.get(title) !== JSON.stringify(component) ? `${title}Input` : title
    add(inputs, name, name === title ? component : { ...component, title: name })
    return name
  })
  const all = (): Json => {
    for (const [name, text] of answers) add(inputs, name, JSON.parse(text))
    return buildValues(inputs)
  }
  return { hoist, answer, all }
}

type Parameter = { readonly name: string; readonly in: string; readonly required: boolean }
type Operations = readonly { parameters: readonly Json[] }[]

// A name of a component: OpenAPI 3.1 §4.8.7.1.
const formatName = ({ name, in: place, required }: Parameter): string =>
  `${name.replace(/\[(\w+)\]/g, '.$1')}${required && place !== 'path' ? '.required' : ''}`

const mostUsed = (uses: ReadonlyMap<string, number>): Map<string, string> => {
  const found = new Map<string, string>()
  const byUse = [...uses].filter(([, times]) => times > 1).sort(([, a], [, b]) => b - a)
  for (const [text] of byUse) {
    const name = formatName(JSON.parse(text) as Parameter)
    if (![...found.values()].includes(name)) found.set(text, name)
  }
  return found
}

/** Moves parameters that several operations have to the components; of two with one name, the more frequent one. */
export const shareParameters = (operations: Operations): Json => {
  const uses = new Map<string, number>()
  for (const { parameters } of operations)
    for (const one of parameters) uses.set(JSON.stringify(one), (uses.get(JSON.stringify(one)) ?? 0) + 1)
  const shared = mostUsed(uses)
  for (const operation of operations) {
    operation.parameters = operation.parameters.map(one => {
      const name = shared.get(JSON.stringify(one))
      return name === undefined ? one : { $ref: `#/components/parameters/${name}` }
    })
  }
  return Object.fromEntries([...shared].map(([text, name]) => [name, JSON.parse(text)]).sort())
}
