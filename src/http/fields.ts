import Type, { type TSchema } from 'typebox'
import { csvDialects } from '#src/contract/csv.ts'
import type { Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter } from '#src/contract/problems.ts'
import { didYouMean, quotedName } from '#src/kit/nearest.ts'
import { OneOf } from '#src/kit/shapes.ts'

type WithProperties = TSchema & {
  readonly properties?: Readonly<Record<string, TSchema & { readonly items?: WithProperties }>>
}

/** Reduces an answer to the requested fields. */
type Trim = (value: unknown) => unknown

const unchanged: Trim = value => value

/** The schema of an answer, or of its items when it is a page. */
export const itemSchema = ({ returns }: Pick<Operation, 'returns'>): WithProperties | undefined => {
  const { properties } = (returns ?? {}) as WithProperties
  return properties?.data?.items ?? (returns as WithProperties | undefined)
}

/** Whether the answer is a page of a list. */
export const isPage = ({ returns }: Pick<Operation, 'returns'>): boolean =>
  (returns as WithProperties | undefined)?.properties?.data?.items !== undefined

/** The names that the parameter `fields` may contain for an operation. */
export const listFields = (operation: Operation): string[] => Object.keys(itemSchema(operation)?.properties ?? {})

const readQueries = new WeakMap<Operation, Readonly<Record<string, TSchema>>>()

/** The query parameters of every read: the same schemas each time, since a schema is compiled once. */
export const readQuery = (operation: Operation): Readonly<Record<string, TSchema>> => {
  const existing = readQueries.get(operation)
  if (existing !== undefined) return existing
  const query = createReadQuery(operation)
  readQueries.set(operation, query)
  return query
}

const createReadQuery = (operation: Operation): Readonly<Record<string, TSchema>> => ({
  ...(operation.csv === undefined
    ? {}
    : {
        dialect: OneOf(csvDialects, 'For CSV'),
      }),
  ...(listFields(operation).length === 0
    ? {}
    : {
        fields: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: 50,
          description: 'The names of the fields to return, joined by commas; the id is always included',
        }),
      }),
  ...(Object.keys(operation.expand).length === 0
    ? {}
    : {
        expand: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: 10,
          description: `Relations to embed, joined by commas: ${Object.entries(operation.expand)
            .map(([name, { summary, scope }]) => `${name} (${summary}; ${scope})`)
            .join(', ')}`,
        }),
      }),
})

const pick = (value: unknown, names: ReadonlySet<string>): unknown =>
  Object.fromEntries(Object.entries(value as object).filter(([name]) => names.has(name)))

/** A function that reduces the answer of an operation to these fields; refuses a name that the answer does not have. */
export const trimTo = (operation: Operation, fields: readonly string[] | undefined): Trim => {
  if (fields === undefined) return unchanged
  const names = listFields(operation)
  const wrong = fields.find(name => !names.includes(name))
  if (wrong !== undefined)
    throw new Refusal(
      invalidParameter,
      `The parameter fields names ${quotedName(wrong)}, which the response does not have.${didYouMean(wrong, names)}`,
    )
  const kept = new Set([...fields, 'id'])
  if (!isPage(operation)) return value => pick(value, kept)
  return value => {
    const page = value as { readonly data: readonly unknown[] }
    return { ...page, data: page.data.map(item => pick(item, kept)) }
  }
}
