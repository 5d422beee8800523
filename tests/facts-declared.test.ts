import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routedOperations } from '#src/contract/area.ts'
import { compileCheck } from '#src/contract/check.ts'
import { buildFactAbout, findMismatch } from '#src/contract/fact.ts'
import { buildEnvelope, type FindPath } from '#src/contract/fact-envelope.ts'
import { factTypes } from '#src/contract/fact-types.ts'
import { declareFacts, type FactDeclaration } from '#src/contract/facts/declaration.ts'
import { scopeSections } from '#src/contract/scopes.ts'
import { toId } from '#src/kit/ids.ts'
import { type Phrase, texts } from '#src/texts/index.ts'
import { areas } from '../src/areas.ts'

const declared: readonly (readonly [string, FactDeclaration])[] = Object.entries(factTypes)
const gets = new Map(
  routedOperations(areas)
    .filter(({ method }) => method === 'GET')
    .map(one => [one.id, one]),
)
const findPath: FindPath = id => gets.get(id)?.path
const ROW = '00000000-0000-7000-8000-000000000000'
const learn = { baseUrl: 'https://learn.example.org' }
const store = (type: string, payload: Readonly<Record<string, unknown>>) => ({
  id: ROW,
  type,
  payload,
  sequence: '1042',
  recorded_at: new Date('2027-03-01T09:00:00Z'),
  is_withheld: false,
})

test('the example of each fact fits its schema, which is closed', () => {
  for (const [type, { payload, example }] of declared) {
    assert.equal(compileCheck(payload).Check(example), true, type)
    assert.equal(compileCheck(payload).Check({ ...example, surplus: 1 }), false, type)
  }
})

test('the console has the sentence of each fact that is sent in every language, and of no other', () => {
  const families: Readonly<Record<string, Readonly<Record<string, Phrase>>>> = texts.contract.facts
  const shown = Object.entries(families).flatMap(([family, names]) =>
    Object.entries(names).map(([name, phrase]) => [`${family}.${name}`, phrase.en]),
  )
  const sent = declared.filter(([type, { scope }]) => scope !== 'internal' && !type.startsWith('webhook.'))
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(sent.map(([type, { sentence }]) => [type, sentence])))
})

test('each fact has a scope that reads or stays in the school, and its subject is a field of its payload', () => {
  const scopes = scopeSections.flatMap(({ scopes }) => Object.keys(scopes)).filter(name => name.endsWith(':read'))
  for (const [type, { scope, subject, payload }] of declared) {
    assert.ok(scope === 'internal' || scopes.includes(scope), `${type}: ${scope}`)
    if (subject !== null) assert.ok(subject in payload.properties, `${type}: ${subject}`)
  }
})

test('what reads the subject of a fact is a GET with the scope of the fact, and its path can be filled', () => {
  for (const [type, { scope, readBy, example }] of declared) {
    if (readBy === null) continue
    assert.equal(gets.get(readBy)?.scope, scope, `${type} is read by ${readBy}`)
    const { subject } = buildEnvelope(learn, store(type, { ...example }), findPath) ?? {}
    assert.match(subject?.href ?? '', /^https:\/\/learn\.example\.org\/api\/v1\/[^:]+$/, type)
  }
})

test('fields are named as the API names them', () => {
  const wrong = declared.flatMap(([type, { payload }]) =>
    Object.entries(payload.properties).flatMap(([name, schema]) => {
      const { title = '', pattern = '', items } = schema as { title?: string; pattern?: string; items?: object }
      const isId = title.startsWith('Id_') || pattern.startsWith('^[a-z]{3}_')
      if (isId && !name.endsWith('_id')) return [`${type}.${name}`]
      if (title === 'Instant' && !name.endsWith('_at')) return [`${type}.${name}`]
      return items !== undefined && name.endsWith('_ids') && !('count' in payload.properties) ? [`${type}.${name}`] : []
    }),
  )
  assert.deepEqual(wrong, [])
})

type Bounded = {
  readonly anyOf?: readonly Bounded[]
  readonly enum?: readonly unknown[]
  readonly items?: Bounded
  readonly maxItems?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly title?: string
  readonly type?: string
}

const LITERALS: Readonly<Record<string, number>> = { boolean: 5, null: 4, integer: 20 }

// The most bytes of a value as JSON: an id has 30 characters, and one that is not known to be ASCII has up to 6 bytes escaped.
const measure = (schema: Bounded): number => {
  const {
    anyOf,
    enum: words,
    items,
    maxItems = Infinity,
    maxLength = Infinity,
    pattern = '',
    title,
    type = '',
  } = schema
  if (words !== undefined) return Math.max(...words.map(word => JSON.stringify(word).length))
  if (anyOf !== undefined) return Math.max(...anyOf.map(measure))
  if (items !== undefined) return 2 + maxItems * (measure(items) + 1)
  if (type !== 'string') return LITERALS[type] ?? Infinity
  if (title?.startsWith('Id_') || pattern.startsWith('^[a-z]{3}_')) return 32
  if (title === 'Instant') return 26
  return 2 + maxLength * (pattern === '' ? 6 : 1)
}

test('the schema of each payload bounds its envelope to 20 kB', () => {
  for (const [type, { scope, payload, example }] of declared) {
    if (scope === 'internal') continue
    const fields: [string, Bounded][] = Object.entries(payload.properties)
    const most = fields.reduce((sum, [name, schema]) => sum + name.length + 4 + measure(schema), 2)
    const envelope = buildEnvelope(learn, store(type, { ...example }), findPath, 1041)
    assert.ok(most + JSON.stringify(envelope ?? {}).length + 300 <= 20_000, `${type}: ${most}`)
  }
})

test('a family of facts without a scope does not compile', () => {
  // @ts-expect-error: which scope may read them is always said
  const facts = declareFacts({ fields: {} }, { 'loaf.baked': 'A loaf was baked.' })
  assert.equal(facts['loaf.baked'].scope, undefined)
})

test('an envelope says what a fact is about, where it is read, and which was sent before it', () => {
  const course_id = toId('crs', ROW)
  const published = store('course.published', { course_id })
  assert.deepEqual(buildEnvelope(learn, published, findPath, 1037), {
    id: toId('fct', ROW),
    type: 'course.published',
    timestamp: '2027-03-01T09:00:00.000Z',
    sequence: 1042,
    previous: 1037,
    school: 'https://learn.example.org',
    subject: { id: course_id, href: `https://learn.example.org/api/v1/courses/${course_id}` },
    data: { course_id },
  })
  assert.equal('previous' in (buildEnvelope(learn, published, findPath) ?? {}), false)
  assert.equal(buildEnvelope(learn, store('course.deleted', { course_id }), findPath)?.subject?.href, null)
  assert.equal(buildEnvelope(learn, store('school.went_live', {}), findPath)?.subject, null)
  const quiz = { quiz_id: toId('quz', ROW), lesson_id: toId('les', ROW), course_id }
  assert.equal(
    buildEnvelope(learn, store('quiz.updated', quiz), findPath)?.subject?.href,
    `https://learn.example.org/api/v1/lessons/${quiz.lesson_id}/quiz`,
  )
})

test('internal facts, undeclared ones and those that are not as declared have no envelope', () => {
  assert.equal(buildEnvelope(learn, store('session.deleted', {}), findPath), undefined)
  assert.equal(buildEnvelope(learn, store('loaf.baked', {}), findPath), undefined)
  const withheld = { ...store('course.published', { course_id: toId('crs', ROW) }), is_withheld: true }
  assert.equal(buildEnvelope(learn, withheld, findPath), undefined)
})

test('a payload with a missing, a wrong or a surplus field is a mismatch that is named', () => {
  const mismatch = (payload: Readonly<Record<string, unknown>>) => findMismatch({ type: 'course.published', payload })
  const course_id = toId('crs', ROW)
  assert.equal(mismatch({ course_id }), undefined)
  assert.match(mismatch({}) ?? '', /^course\.published: \/course_id is missing/)
  assert.match(mismatch({ course_id: toId('mem', ROW) }) ?? '', /^course\.published: \/course_id /)
  assert.match(mismatch({ course_id, name: 'Bread' }) ?? '', /^course\.published: \/name /)
  assert.throws(() => buildFactAbout('course.baked', course_id), /course\.baked declares no subject/)
})
