import Type, { type TSchema } from 'typebox'
import Format from 'typebox/format'
import { type IdPrefix, idPattern } from './ids.ts'
import { millisecondsOf } from './instant.ts'
import { isLine, isVisible } from './text.ts'

/** An id on the wire of one kind of thing. */
export const Id = (prefix: IdPrefix) => Type.String({ pattern: idPattern(prefix), description: `An id: ${prefix}_…` })

// A pattern cannot know that the 30th of February is none.
Format.Set('date-time', text => millisecondsOf(text) !== undefined)

/** An instant, RFC 3339 in UTC with milliseconds. */
export const Instant = Type.String({
  title: 'Instant',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  examples: ['2026-11-21T09:30:00.000Z'],
})

Format.Set('line', isLine)
Format.Set('words', text => text === '' || isVisible(text))

/** The formats of texts that people read; an answer shows also what was stored under older rules. */
export const textFormats: ReadonlySet<string> = new Set(['line', 'words'])

/** One line of text in which something can be seen. */
export const Line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'line', description })

/** One line of text, which may be empty. */
export const OptionalLine = (maxLength: number, description: string) =>
  Type.String({ maxLength, format: 'line', description })

/** Text of one or more lines in which something can be seen. */
export const Words = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'words', description })

/** Text of any kind up to a length, which may be empty. */
export const Text = (maxLength: number, description: string) => Type.String({ maxLength, description })

/** What is said of every text in Markdown that has no cleaned HTML beside it. */
export const HOW_TO_SHOW =
  'Markdown (CommonMark) as it was written, not cleaned: show it as text, or render it with HTML switched off'

/** Text in Markdown, which may be empty. */
export const Markdown = (maxLength: number, description: string) => Text(maxLength, `${description}; ${HOW_TO_SHOW}`)

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

/** Marks what tells about a person and is shown only to staff who may read people, and to themselves. */
export const Personal = <Schema extends TSchema>(schema: Schema): Schema => ({ ...schema, 'x-personal': true })

/** How a path may name a thing beside its id: by the id another system knows it by, or by its slug. */
export type RefKind = 'external' | 'slug'

/** A thing named in a path: its id, or `external:` or `slug:` and the value. */
export const Ref = (prefix: IdPrefix, kinds: readonly RefKind[] = []) =>
  Type.String({
    pattern: [idPattern(prefix), ...kinds.map(kind => `^${kind}:.{1,255}$`)].join('|'),
    description: `An id (${prefix}_…)${kinds.map(kind => `, or ${kind}: and the ${kind === 'slug' ? 'slug' : 'external_id'}`).join('')}`,
  })

/** The id by which another system knows a thing, unique in the school and kind. */
export const ExternalId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^\\S(.*\\S)?$',
  format: 'line',
  description: 'The id by which another system knows it; unique in the school',
})

/** A number that every write to the resource's own members raises by one. */
export const Revision = Type.Integer({ minimum: 1, description: 'Raised by every write to the resource' })

/** The readable name of a thing in an address, unique in the school and kind. */
export const Slug = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Its name in addresses, unique in the school; one it had before still leads to it',
})
