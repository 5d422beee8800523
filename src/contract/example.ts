import { type IdPrefix, toId } from '#src/kit/ids.ts'

/** A value of an example that differs from school to school: what another operation's example answers there. */
export type ExampleReference = {
  readonly prefix: IdPrefix
  /** The id of the operation to ask. */
  readonly shownBy: string
  /** Of a list: the first thing that has these values. */
  readonly having: Readonly<Record<string, unknown>>
  /** Where the value stands in the thing, its names joined by dots. */
  readonly at: string
}

/** Values of which each may be one that has to be looked up. */
export type Example<Values> = { readonly [Name in keyof Values]: Values[Name] | ExampleReference }

/** An id for an example: the one that another operation shows, of the first thing in its list that has these values. */
export const exampleFrom = (
  prefix: IdPrefix,
  operation: string,
  { having = {}, at = 'id' }: { having?: ExampleReference['having']; at?: string } = {},
): ExampleReference => ({ prefix, shownBy: operation, having, at })

/** Whether a value has to be looked up. */
export const isExampleReference = (value: unknown): value is ExampleReference =>
  typeof value === 'object' && value !== null && 'shownBy' in value && 'prefix' in value

/** An id of a kind that stands for any. */
const sampleId = (prefix: IdPrefix): string => toId(prefix, '00000000-0000-7000-8000-000000000000')

/** An example with something in place of each value to look up; an id of the right shape unless told. */
export const resolveExample = (
  example: unknown,
  fill: (shown: ExampleReference) => unknown = ({ prefix }) => sampleId(prefix),
): unknown => {
  if (isExampleReference(example)) return fill(example)
  if (Array.isArray(example)) return example.map(item => resolveExample(item, fill))
  if (typeof example !== 'object' || example === null) return example
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, resolveExample(value, fill)]))
}
