import Type, { type TProperties, type TSchema } from 'typebox'
import Format from 'typebox/format'
import { type IdPrefix, idPattern } from './ids.ts'
import { isDate, isInstant } from './instant.ts'
import { cleanEmail, cleanPhone, cleanTyped, isLine, isVisible } from './text.ts'

/** An id of one kind of resource: `prefix_…` on the wire, the UUID of its row for handlers. */
export const Id = (prefix: IdPrefix) => Type.String({ title: `Id_${prefix}`, pattern: idPattern(prefix) })

// A pattern cannot exclude the 30th of February.
Format.Set('date-time', isInstant)
// PostgreSQL has no year 0, which the library accepts.
Format.Set('date', isDate)

/** An instant: on the wire RFC 3339 in UTC with milliseconds, a date for handlers. */
export const Instant = Type.Unsafe<Date>({
  type: 'string',
  title: 'Instant',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  examples: ['2026-11-21T09:30:00.000Z'],
})

Format.Set('line', isLine)
// What an address or a number is checked by is said where it is used, in words that help more than those of a schema.
Format.Set('idn-email', () => true)
Format.Set('phone', () => true)
Format.Set('words', text => text === '' || isVisible(text))

/** The formats of texts for people; a response may contain texts that were stored under older rules. */
export const textFormats: ReadonlySet<string> = new Set(['line', 'words'])

/** How what people type is cleaned before it is checked, by its format. */
export const cleaners: Readonly<Record<string, (text: string) => string>> = {
  line: cleanTyped,
  'idn-email': cleanEmail,
  phone: cleanPhone,
}

/** An e-mail address; its domain is compared in ASCII (UTS #46) and shown in Unicode. */
export const Email = (description: string) =>
  Type.String({ minLength: 3, maxLength: 254, format: 'idn-email', description })

/** A day, such as 2026-11-21. */
export const Day = Type.String({
  format: 'date',
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  description: 'A day',
  examples: ['2026-11-21'],
})

/** One line of visible text. */
export const Line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'line', description })

/** One line of text, which may be empty. */
export const OptionalLine = (maxLength: number, description: string) =>
  Type.String({ maxLength, format: 'line', description })

/** Visible text of one or more lines. */
export const Words = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'words', description })

/** Text of any kind up to a length, which may be empty. */
export const Text = (maxLength: number, description: string) => Type.String({ maxLength, description })

/** The description of every Markdown text without a sanitized HTML version. */
export const HOW_TO_SHOW =
  'Markdown (CommonMark) as it was written, not cleaned: show it as text, or render it with HTML switched off'

/** Text in Markdown, which may be empty. */
export const Markdown = (maxLength: number, description: string) => Text(maxLength, `${description}; ${HOW_TO_SHOW}`)

/** An object without other fields than these, by its name in the description of the API. */
export const Closed = <Fields extends TProperties>(title: string, fields: Fields, description?: string) =>
  Type.Object(fields, { additionalProperties: false, title, ...(description === undefined ? {} : { description }) })

/** A value or null. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** One of a few words. */
export const OneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], description })

/** The operations that the caller may use on a resource. */
export const AllowedActions = Type.Array(Type.String(), {
  description: 'Ids of the operations that the caller may use on it',
})

/** A person within another resource: id and name, never contact details. */
export const Person = Closed('Person', { id: Id('mem'), name: Type.String() })

/** Marks a field as personal data, shown only to the person and to staff who may read members. */
export const Personal = <Schema extends TSchema>(schema: Schema): Schema => ({ ...schema, 'x-personal': true })

/** How a path may identify a resource besides its id: by its external id, its slug, one of its codes or its path. */
type RefKind = 'external' | 'slug' | 'code' | 'path'

const refValues: Readonly<Record<RefKind, string>> = {
  external: 'the external_id',
  slug: 'the slug',
  code: 'one of its codes',
  path: 'its path on the site',
}

/** A resource in a path: its id, or `external:`, `slug:`, `code:` or `path:` and the value. */
export const Ref = (prefix: IdPrefix, kinds: readonly RefKind[] = []) =>
  Type.String({
    pattern: [idPattern(prefix), ...kinds.map(kind => `^${kind}:.{1,255}$`)].join('|'),
    description: `An id (${prefix}_…)${kinds.map(kind => `, or ${kind}: and ${refValues[kind]}`).join('')}`,
  })

/** The id of a resource in another system, unique among the resources of this type in the school. */
export const ExternalId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^\\S(.*\\S)?$',
  format: 'line',
  description: 'The id by which another system knows it; unique in the school',
})

/** A number that every write to the resource raises by one. */
export const Revision = Type.Integer({ minimum: 1, description: 'Raised by every write to the resource' })

/** How a resource ends: its revision, what the caller may do with it, and when it was created and changed. */
export const Recorded = {
  revision: Revision,
  allowed_actions: Type.Optional(AllowedActions),
  created_at: Instant,
  updated_at: Instant,
} as const

/** The readable name of a resource in URLs, unique among the resources of this type in the school. */
export const Slug = Type.String({
  minLength: 1,
  maxLength: 80,
  format: 'line',
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Its name in addresses, unique in the school; one it had before still leads to it',
})

/** What search engines and previews of links show of a resource. */
export const Seo = Type.Object(
  {
    title: Nullable(Line(120, 'The title of the page; null for the name of the resource')),
    description: Nullable(Line(320, 'The description of the page; null for the short text of the resource')),
  },
  { additionalProperties: false, title: 'Seo' },
)

/** Whether members may write comments below a resource. */
export const CommentMode = OneOf(
  ['open', 'closed', 'off'],
  'open: members may comment; closed: comments are shown and none is accepted; off: none is shown',
)

/** The path of a page on the school's site, such as `/about/team`: 1 to 4 segments of at most 60 characters. */
export const PublicPath = Type.String({
  minLength: 2,
  maxLength: 244,
  pattern: '^(/(?![a-z0-9-]{61})[a-z0-9]+(-[a-z0-9]+)*){1,4}$',
  description: 'Its path on the site, in lower case',
  examples: ['/about/team'],
})
