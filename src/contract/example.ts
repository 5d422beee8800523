import { type IdPrefix, toId } from '#src/kit/ids.ts'

/** A value of an example that differs from school to school, read from the response to another operation's example. */
export type ExampleReference = {
  readonly prefix: IdPrefix
  /** The id of the operation to call. */
  readonly operationId: string
  /** In a list, the first item that has these values. */
  readonly having: Readonly<Record<string, unknown>>
  /** The path of the value in that item, its names joined by dots. */
  readonly at: string
}

/** Values of which each may be a reference to look up, or a list of them. */
export type Example<Values> = {
  readonly [Name in keyof Values]: Values[Name] | ExampleReference | readonly ExampleReference[]
}

/** A value for an example: by default the id of the first item with these values that another operation returns. */
export const exampleFrom = (
  prefix: IdPrefix,
  operationId: string,
  { having = {}, at = 'id' }: { having?: ExampleReference['having']; at?: string } = {},
): ExampleReference => ({ prefix, operationId, having, at })

/** Whether a value has to be looked up. */
const isExampleReference = (value: unknown): value is ExampleReference =>
  typeof value === 'object' && value !== null && 'operationId' in value && 'prefix' in value

const sampleId = (prefix: IdPrefix): string => toId(prefix, '00000000-0000-7000-8000-000000000000')

/** An example with each reference replaced, by default with an id of the right form. */
export const resolveExample = (
  example: unknown,
  fill: (reference: ExampleReference) => unknown = ({ prefix }) => sampleId(prefix),
): unknown => {
  if (isExampleReference(example)) return fill(example)
  if (Array.isArray(example)) return example.map(item => resolveExample(item, fill))
  if (typeof example !== 'object' || example === null) return example
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, resolveExample(value, fill)]))
}
