// Runs in its own process: the product registers stricter formats than those that are tested here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { buildHostile, buildValid, hostileJson, hostileQuery, hostileText } from './arbitrary.ts'

// A fixed seed: only a change of the code makes a test fail; another seed covers other values.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)
const closed = { additionalProperties: false }
const Price = Type.Object(
  { amount: Type.Integer({ minimum: 0 }), currency: Type.String({ pattern: '^[A-Z]{3}$' }) },
  closed,
)
const Course = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    slug: Type.Optional(Type.String({ pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 80 })),
    status: Type.Union([Type.Literal('draft'), Type.Literal('published')]),
    image_file_id: Type.Optional(Type.Union([Type.String({ pattern: '^fil_[0-9a-z]{26}$' }), Type.Null()])),
    tags: Type.Array(Type.String({ minLength: 1, maxLength: 20 }), { maxItems: 5, uniqueItems: true }),
    prices: Type.Array(Price, { minItems: 1, maxItems: 3 }),
    published_at: Type.Optional(Type.String({ format: 'date-time' })),
    seo: Type.Object({ description: Type.Optional(Type.String()) }, closed),
    custom_fields: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 10 }))),
  },
  closed,
)

const schemas: Record<string, TSchema> = {
  course: Course,
  'text between two lengths': Type.String({ minLength: 3, maxLength: 5 }),
  'text of one length': Type.String({ minLength: 43, maxLength: 43 }),
  'text past the limit for boundaries': Type.String({ maxLength: 200_000 }),
  'pattern without anchors': Type.String({ pattern: 'abc', maxLength: 12 }),
  'pattern that looks ahead': Type.String({ pattern: '^(?!admin)[a-z]{5}$' }),
  'pattern with a class of Unicode': Type.String({ pattern: '^\\p{L}+$' }),
  enum: Type.Enum(['percent', 'fixed']),
  integer: Type.Integer(),
  'integer between': Type.Integer({ exclusiveMinimum: 0, maximum: 100 }),
  'integer between fractions': Type.Integer({ minimum: 0.5, exclusiveMaximum: 9.5 }),
  'multiples of five': Type.Integer({ minimum: 3, maximum: 27, multipleOf: 5 }),
  number: Type.Number(),
  'number between': Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
  boolean: Type.Boolean(),
  null: Type.Null(),
  'two types in a list': { type: ['string', 'null'], maxLength: 3 } as TSchema,
  'unique objects': Type.Array(Price, { uniqueItems: true, minItems: 2 }),
  tuple: Type.Tuple([Type.String(), Type.Integer()]),
  record: Type.Record(Type.String(), Type.Integer()),
  'record of named keys': Type.Record(Type.String({ pattern: '^[a-z]{2}$' }), Type.Boolean(), { minProperties: 1 }),
  'record by additionalProperties': Type.Object({ a: Type.String() }, { additionalProperties: Type.Integer() }),
  anything: Type.Unknown(),
}
const formats = [
  'date-time',
  'date',
  'time',
  'email',
  'uri',
  'url',
  'uri-reference',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'duration',
]
for (const format of formats) schemas[format] = Type.String({ format })

suite('every valid value passes its schema', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    test(name, () => {
      const check = Compile(schema)
      const passes = fc.property(buildValid(schema), value => check.Check(JSON.parse(JSON.stringify(value))))
      fc.assert(passes, { seed, numRuns: 200 })
    })
  }
})

const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) => fc.sample(arbitrary, { numRuns, seed: 1 })

test('optional members come and go, and lengths reach their edges', () => {
  const courses = sample(buildValid(Course), 200) as Record<string, string>[]
  for (const has of [true, false]) assert.ok(courses.some(course => 'slug' in course === has))
  for (const length of [1, 200]) assert.ok(courses.some(course => course.name?.length === length))
})

test('a schema that nobody taught it is refused', () => {
  assert.throws(() => buildValid({ type: 'date' }), /no values are known for the schema {"type":"date"}/)
})

suite('hostile values', () => {
  const values = sample(buildHostile(Course), 12_000)
  const wire = values.map(value => JSON.stringify(value))
  const places = values.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : [value]))

  test('can be written as JSON, and most are refused', () => {
    const check = Compile(Course)
    assert.ok(wire.every(text => typeof text === 'string'))
    const refused = values.filter(value => !check.Check(value)).length
    assert.ok(refused > 0.7 * values.length, `${refused} of ${values.length} are refused`)
  })

  test('are mostly near: one spoiled place in a course', () => {
    const near = values.filter(value => value !== null && typeof value === 'object' && 'prices' in value)
    assert.ok(near.length > 0.5 * values.length, `${near.length} of ${values.length} are near`)
  })

  test('lack a member, or have one that nobody declared', () => {
    for (const name of ['name', 'status', 'prices']) {
      assert.ok(
        wire.some(text => text.startsWith('{') && text.includes('"tags"') && !text.includes(`"${name}"`)),
        name,
      )
    }
    for (const name of ['__proto__', 'school_id', 'id', 'role'])
      assert.ok(
        wire.some(text => text.includes(`"${name}":`)),
        name,
      )
  })

  test('leave the prototype of every object alone', () => {
    assert.equal(Object.hasOwn(Object.prototype, 'x'), false)
    assert.ok(values.filter(value => isPlain(value)).every(value => Object.getPrototypeOf(value) === Object.prototype))
  })

  test('hold each number, text and shape we fear', () => {
    for (const number of [2 ** 31, 2 ** 53 + 2, -0, 1.5])
      assert.ok(
        places.some(place => Object.is(place, number)),
        `${number}`,
      )
    const texts = ['', "' OR 1=1--", '\u0000', '\ud800', '\u202egnp.exe', '2026-02-30', '+275760-09-13T00:00:00Z']
    for (const text of texts) assert.ok(places.includes(text), JSON.stringify(text))
    assert.ok(places.some(place => typeof place === 'string' && place.length > 200_000))
    assert.ok(wire.some(text => text.includes('['.repeat(100))))
    assert.ok(values.some(value => Array.isArray(value)) && values.includes(null))
  })
})

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

test('a number is sent as text, and text as a list', () => {
  assert.ok(
    sample(buildHostile(Type.Object({ n: Type.Integer() })), 300).some(value =>
      /^{"n":"-?\d+"}$/.test(JSON.stringify(value)),
    ),
  )
  assert.ok(sample(buildHostile(Type.Literal('a')), 300).some(value => JSON.stringify(value) === '["a"]'))
})

test('hostile text is text, and some of it is ill-formed', () => {
  const texts = sample(hostileText(), 500)
  assert.ok(texts.some(text => !text.isWellFormed()) && texts.some(text => text.includes('\u0000')))
})

test('hostile JSON says what no value can', () => {
  const bodies = sample(hostileJson(Price), 500)
  for (const raw of ['9007199254740993', ':-0', '1e400', '"a":1,"a":2', '[1,]']) {
    assert.ok(
      bodies.some(body => body.includes(raw)),
      raw,
    )
  }
})

test('hostile queries go on the wire as they are', () => {
  const queries = sample(hostileQuery(['limit', 'status']), 1000)
  assert.ok(queries.every(query => /^[!-~]*$/.test(query) && !query.includes('#')))
  assert.ok(queries.some(query => query.length > 9_000))
  for (const piece of ['limit=1&limit=', 'status[]=', 'limit[b]=', '%zz', '%ED%A0%80', 'unknown_limit=']) {
    assert.ok(
      queries.some(query => query.includes(piece)),
      piece,
    )
  }
})
