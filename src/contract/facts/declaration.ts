import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { prefixOfPattern, toId } from '#src/kit/ids.ts'
import { Instant } from '#src/kit/shapes.ts'
import type { ScopeName } from '../scopes.ts'

/** Who may read facts of a type outside: a scope that reads, or nobody. */
export type FactScope = Extract<ScopeName, `${string}:read`> | 'internal'

/** What is declared of one type of fact. */
export type FactDeclaration<Payload extends TObject = TObject> = {
  /** What happened. */
  readonly sentence: string
  /** A closed object of ids, counts, words and names of fields; never a person's data. */
  readonly payload: Payload
  readonly scope: FactScope
  /** The field of the payload that names what the fact is about; null: nothing that has an id. */
  readonly subject: string | null
  /** The id of the routed GET that reads the subject; null: nothing reads it. */
  readonly readBy: string | null
  readonly example: Static<Payload>
}

const SAMPLE = '00000000-0000-7000-8000-000000000000'

/** An instant as a payload has it: RFC 3339 in UTC. */
export const At = Type.String({ ...Instant })

// An envelope is limited in bytes, and these are one each in JSON.
const ASCII = '^[ !#-\\[\\]-~]*$'

/** The names of the fields that changed. */
export const FieldNames = Type.Unsafe<readonly string[]>(
  Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: ASCII }), { maxItems: 100 }),
)

/** One of a few words, such as a status or a reason; never a text that somebody wrote. */
export const Word = Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 60 })

/** A code in the words of a payment provider, such as `AC04` or `card_declined`. */
export const ProviderCode = Type.String({ maxLength: 200 })

/** The id of a resource of any kind. */
export const AnyId = Type.String({ pattern: '^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$', examples: [toId('crs', SAMPLE)] })

/** A number of things. */
export const Count = Type.Integer({ minimum: 0 })

/** The longest list of ids in a payload. */
export const MAX_IDS = 100

/** A list of ids, with the number of all things beside it in `count`. */
export const Ids = (item: TSchema) => Type.Unsafe<readonly string[]>(Type.Array(item, { maxItems: MAX_IDS }))

type Sample = TSchema & {
  readonly anyOf?: readonly Sample[]
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly items?: Sample
  readonly pattern?: string
  readonly minimum?: number
  readonly type?: string
}

const buildSample = (schema: Sample): unknown => {
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf?.[0] !== undefined) return buildSample(schema.anyOf[0])
  if (schema.items !== undefined) return [buildSample(schema.items)]
  const prefix = prefixOfPattern(schema.pattern ?? '')
  if (prefix !== undefined) return toId(prefix, SAMPLE)
  if (schema.type === 'integer') return Math.max(schema.minimum ?? 1, 1)
  return schema.type === 'boolean' ? true : 'name'
}

const buildExample = <Fields extends TProperties>(payload: TObject<Fields>): Static<TObject<Fields>> => {
  const example = Object.fromEntries(
    Object.entries(payload.properties).map(([name, schema]) => [name, buildSample(schema)]),
  )
  return example as Static<TObject<Fields>>
}

type Family<Fields extends TProperties> = {
  readonly scope: FactScope
  /** The fields of the payload of each. */
  readonly fields: Fields
  readonly subject?: keyof Fields & string
  readonly readBy?: string
}

/** Declares the types of facts that have the same payload, each by its sentence. */
export const declareFacts = <Fields extends TProperties, const Sentences extends Readonly<Record<string, string>>>(
  { scope, fields, subject, readBy }: Family<Fields>,
  sentences: Sentences,
): { readonly [FactName in keyof Sentences]: FactDeclaration<TObject<Fields>> } => {
  const payload = Type.Object(fields, { additionalProperties: false })
  const shared = { payload, scope, subject: subject ?? null, readBy: readBy ?? null, example: buildExample(payload) }
  const declared = Object.entries(sentences).map(([type, sentence]) => [type, { sentence, ...shared }])
  return Object.fromEntries(declared) as { readonly [FactName in keyof Sentences]: FactDeclaration<TObject<Fields>> }
}
