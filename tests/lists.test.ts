import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '#src/contract/operation.ts'
import { nameOfList } from '#src/contract/pagination.ts'
import { writeCursor } from '#src/kit/cursor.ts'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { lookUp } from '#testing/examples.ts'
import type { TestReply, TestRequest } from '#testing/http.ts'
import { buildRequest, grantable, type Instead, identityScopes, operations } from '#testing/matrix.ts'

const app = testApp({ hasSubscriptions: true })
const everything = [...identityScopes, ...grantable]
const words = (text: string): string[] => text.trim().split(/\s+/)

type Property = {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
}

const getQuery = ({ query }: Operation): Readonly<Record<string, Property>> =>
  (query as { properties?: Readonly<Record<string, Property>> } | undefined)?.properties ?? {}

const lists = operations.filter(operation => 'limit' in getQuery(operation))

const FORMULAS = ["=cmd|'/C calc'!A0", '+1+1', '-1+1', '@SUM(1)']
// A spreadsheet that separates cells by another character reads these as two.
const SEPARATED = [';=1', 'Rye; @SUM(1)', '"=1', 'Rye|+1', 'Rye,-1', '＝1;＋1']
// Names that were stored before there was a rule for them.
const OLD = ['\t=1', 'Rye\r\n=1', 'Rye;\t=1']

// Where the name of a resource follows its address or id.
const PLANTED: Readonly<Record<string, RegExp>> = { listMembers: /cell\d@crumb\.example,$/, listCourses: /\bcrs_\w+,$/ }

const plant = async (school = app.a) => {
  const ada = await app.actor('ada', { scopes: everything, school })
  const done = async (reply: Promise<TestReply>) => {
    const { status, text, json } = await reply
    assert.ok(status < 300, text)
    return json
  }
  const { json } = await ada.get('/members?email=eli@crumb.example')
  const eli = json.data[0].id
  for (const name of words('one two')) {
    await done(ada.write('POST', '/custom-fields', { key: `field_${name}`, label: name, type: 'text' }))
    await done(ada.write('POST', `/members/${eli}/notes`, { body: name }))
    await done(ada.write('PUT', `/members/${eli}/tags/${name}`))
    await done(ada.write('POST', '/groups', { name }))
  }
  const named = [...FORMULAS, ...SEPARATED]
  for (const [at, name] of [...named, ...OLD].entries()) {
    const acceptedName = named.includes(name) ? name : 'To be renamed'
    const { id } = await done(
      ada.write('POST', '/members', { email: `cell${at}@crumb.example`, name: acceptedName, send_invitation: false }),
    )
    if (acceptedName !== name)
      await app.database.query('update members set name = $1 where school_id = $2 and id = $3', [
        name,
        school.id,
        fromId('mem', id),
      ])
  }
  for (const name of named) await done(ada.write('POST', '/courses', { name }))
  return ada.token
}

const prepare = async () => ({ a: await plant(), b: await plant(app.b) })
let preparing: ReturnType<typeof prepare> | undefined
const prepared = () => {
  preparing ??= prepare()
  return preparing
}

/** Requests a list of school A, or of B, as its owner; the query is sent unchanged. */
const asking = async (operation: Operation, school: 'a' | 'b' = 'a') => {
  const { [school]: token } = await prepared()
  const of = app[school]
  const found = await lookUp(operation, token, request => app.send(request, of))
  const request = buildRequest(operation, { ...found, token } as Instead)
  const [path = ''] = request.path.split('?')
  return (query: string, headers: TestRequest['headers'] = {}) =>
    app.send({ ...request, headers: { ...request.headers, ...headers }, path: `${path}?${query}` }, of)
}

const assertRefused = (reply: TestReply, why: string): void => {
  assert.equal(reply.status, 400, `${why}: ${reply.status} ${reply.text.slice(0, 300)}`)
  assert.match(reply.json.code, /^(?:invalid_parameter|unknown_parameter|invalid_request)$/, why)
}

const SQL = ["' OR 1=1--", "\\'", '$$', ';', '%', '_', 'qz\\', "'; drop table members;--", "'||pg_sleep(9)||'"]
const SEARCHES = [
  'qz & & xq',
  ':*',
  '(',
  '[',
  '*****',
  '!',
  '<->',
  "'",
  '"qz',
  'qz:*|xq',
  '\\',
  'the of and',
  '.'.repeat(200),
]

/** The answer, and whether it came within two seconds: what is slow by itself is slow each time, a busy machine is not. */
const timed = async (ask: () => Promise<TestReply>): Promise<TestReply & { isQuick: boolean }> => {
  for (let times = 1; ; times++) {
    const began = performance.now()
    const reply = await ask()
    const isQuick = performance.now() - began < 2000
    if (isQuick || times === 3) return { ...reply, isQuick }
  }
}

for (const operation of lists) {
  const { id } = operation
  const texts = Object.entries(getQuery(operation)).filter(
    ([name, { type, enum: few, pattern, format }]) =>
      type === 'string' && !few && !pattern && !format && !['cursor', 'after'].includes(name),
  )

  test(`H-09 H-11 ${id} takes SQL and operators of a search for text`, async () => {
    const ask = await asking(operation)
    for (const [name] of texts) {
      for (const text of [...SQL, ...SEARCHES]) {
        const list = () => ask(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
        const { status, json, text: replyText, isQuick } = await timed(list)
        assert.ok(status === 200 || status === 400, `${name}=${text}: ${replyText}`)
        if (status === 200) assert.deepEqual(json.data, [], `${name}=${text} is met by nothing`)
        assert.ok(isQuick, `${name}=${text}`)
      }
      for (const long of ['a'.repeat(10_000), 'a '.repeat(4000), '%'.repeat(2000)])
        assertRefused(await ask(`${encodeURIComponent(name)}=${encodeURIComponent(long)}`), `${name} of 10 kB`)
    }
  })

  test(`H-10 ${id} sorts by, and shows, only what it declares`, async () => {
    const ask = await asking(operation)
    const odd = words(
      `name;drop -name,email a"b --name NAME m.email password_hash school_id name%00 __proto__ constructor`,
    )
    for (const name of odd) {
      assertRefused(await ask(`sort=${encodeURIComponent(name)}`), `sort=${name}`)
      assertRefused(await ask(`fields=${encodeURIComponent(name)}%22`), `fields=${name}`)
      assertRefused(await ask(`expand=${encodeURIComponent(name)}`), `expand=${name}`)
    }
  })

  test(`H-13 ${id} takes each parameter once, as a plain value`, async () => {
    const ask = await asking(operation)
    for (const name of Object.keys(getQuery(operation)).map(encodeURIComponent)) {
      assertRefused(await ask(`${name}=1&${name}=1`), `${name} twice`)
      for (const after of words('[] [b] [1000000] [__proto__]'))
        assertRefused(await ask(`${name}${encodeURIComponent(after)}=1`), `${name}${after}`)
    }
    assertRefused(await ask('limit=1&'.repeat(1000)), '1,000 parameters')
  })

  test(`H-15 ${id} takes limits from 1 to 100`, async () => {
    const ask = await asking(operation)
    for (const limit of [...words('0 -1 1e9 NaN 101 1.5 01 0x10 +1 9007199254740993 null'), '10%20', '', '%D9%A1'])
      assertRefused(await ask(`limit=${limit}`), `limit=${limit}`)
    assertRefused(await ask('offset=5'), 'offset')
    for (const limit of [1, 100]) assert.equal((await ask(`limit=${limit}`)).status, 200)
  })

  const instants = Object.entries(getQuery(operation)).filter(([, { format }]) => format === 'date-time')
  test(`H-19 ${id} takes only instants that there are`, async () => {
    const ask = await asking(operation)
    const wrong = words(
      '0000-00-00 2026-02-30 2026-02-30T00:00:00.000Z +275760-09-13T00:00:00.000Z 2016-12-31T23:59:60.000Z 2026-01-01T00:00:00.000 2026-01-01T00:00:00Z 1e9 now infinity -infinity epoch today',
    )
    for (const [name] of instants)
      for (const value of wrong)
        assertRefused(await ask(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`), `${name}=${value}`)
  })

  test(`H-14 ${id} accepts only its own cursors`, async () => {
    const [ask, askB] = [await asking(operation), await asking(operation, 'b')]
    const first = await ask('limit=1')
    assert.equal(first.status, 200, first.text)
    const names = Object.keys(getQuery(operation))
    const other = lists.find(one => one.id !== id) ?? operation
    const named = (of: Operation, query: object, school = app.a) => nameOfList({ school, operationId: of.id, query })
    const id26 = fromId('scl', first.json.id ?? '') ?? '00000000-0000-7000-8000-000000000000'
    const foreign = {
      'of another list': writeCursor(named(other, {}), [id26]),
      'of another sort': writeCursor(named(operation, { sort: 'other' }), [id26]),
      'of another filter': writeCursor(named(operation, { q: 'other' }), [id26]),
      'of another school': writeCursor(named(operation, {}, app.b), [id26]),
      'of 10 kB': 'a'.repeat(10_000),
      'of SQL': Buffer.from("' OR 1=1--").toString('base64url'),
      'of SQL in a list': Buffer.from(`["' OR 1=1--"]`).toString('base64url'),
      'of dots': '...',
    }
    for (const [what, cursor] of Object.entries(foreign)) {
      assertRefused(await ask(`cursor=${cursor}`), `a cursor ${what}`)
      if (names.includes('after')) assertRefused(await ask(`after=${cursor}`), `a position ${what}`)
    }
    // Whoever knows how a position is written reaches no further than this list: it never opens anything, and never is a fault.
    for (const position of [
      ["' OR 1=1--"],
      ['a\u0000b'],
      [],
      ['x', 'y'],
      ['', '00000000'],
      ['1e400', id26],
      ['\ud800'],
    ]) {
      const forged = writeCursor(named(operation, {}), position)
      const { status, text } = await ask(`cursor=${forged}`)
      assert.ok(status === 200 || status === 400, `a forged cursor ${JSON.stringify(position)}: ${text}`)
      if (!names.includes('after')) continue
      const after = writeCursor(`${named(operation, {})}\nafter`, position)
      assert.equal((await ask(`after=${after}`)).status, 400, `a forged position ${JSON.stringify(position)}`)
    }
    const next: string | undefined = first.json.next_cursor
    if (next === undefined) return
    assert.equal((await ask(`limit=1&cursor=${next}`)).status, 200)
    assertRefused(await askB(`limit=1&cursor=${next}`), 'a cursor of school A in B')
    for (const at of [0, Math.floor(next.length / 2), next.length - 1]) {
      const edited = `${next.slice(0, at)}${next[at] === 'A' ? 'B' : 'A'}${next.slice(at + 1)}`
      assertRefused(await ask(`limit=1&cursor=${edited}`), `byte ${at} edited`)
    }
    for (const name of names.filter(one => one === 'sort' || one === 'q'))
      assertRefused(await ask(`limit=1&${name}=${name === 'q' ? 'eli' : 'name'}&cursor=${next}`), `another ${name}`)
  })
}

// The query of the example, where there is no answer without one.
const formatRequired = ({ query, example }: Operation): string => {
  const { required = [] } = (query ?? {}) as { required?: readonly string[] }
  return required.length === 0 ? '' : String(new URLSearchParams(example.query as Record<string, string>))
}

for (const operation of operations.filter(({ csv }) => csv !== undefined)) {
  test(`H-20 ${operation.id} as CSV begins no cell with what a spreadsheet would run`, async () => {
    const ask = await asking(operation)
    const { status, text } = await ask(formatRequired(operation), { accept: 'text/csv' })
    assert.equal(status, 200, text)
    for (const separator of [',', ';', '\t', '|', '"']) {
      const cells = text.split(/[\r\n]/).flatMap(line => line.split(separator))
      assert.deepEqual(
        // A negative amount is a number, which runs nothing.
        cells.filter(cell => /^["\s]*[=+\-@＝＋－＠]/.test(cell) && !/^-\d+(?:\.\d+)?$/.test(cell)),
        [],
        `separated by ${JSON.stringify(separator)}`,
      )
    }
    const before = PLANTED[operation.id]
    if (before === undefined) return
    for (const name of FORMULAS) {
      const [head = '', tail] = text.split(`'${name}`)
      assert.ok(tail !== undefined && before.test(head), name)
    }
  })
}
