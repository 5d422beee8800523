import Type, { type TSchema } from 'typebox'
import { type IdPrefix, idPattern } from './ids.ts'

/** An id on the wire of one kind of thing. */
export const Id = (prefix: IdPrefix) => Type.String({ pattern: idPattern(prefix), description: `An id: ${prefix}_…` })

/** An instant, RFC 3339 in UTC with milliseconds. */
export const Instant = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  examples: ['2026-11-21T09:30:00.000Z'],
})

/** One line of text, not empty. */
export const Line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description })

/** Text of any kind up to a length. */
export const Text = (maxLength: number, description: string) => Type.String({ maxLength, description })

/** A value or null. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** One of a few words. */
export const OneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], description })

/** The operations this caller may do with a resource. */
export const AllowedActions = Type.Array(Type.String(), {
  description: 'Ids of the operations this caller may do with it',
})

/** A person inside another resource: who they are, never how to reach them. */
export const Person = Type.Object(
  { id: Id('mem'), name: Type.String() },
  { additionalProperties: false, title: 'Person' },
)
