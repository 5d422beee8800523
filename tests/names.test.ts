import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { unroutedOperations } from '#src/contract/area.ts'
import { people } from '#src/demo/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { isLine } from '#src/kit/text.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import { operations } from '#testing/matrix.ts'
import { CALLBACK, openConsent, pkce, register } from '#testing/oauth.ts'
import { askForAccount, begin } from '#testing/people.ts'
import { areas } from '../src/areas.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'school:read', 'school:write', 'account:read', 'account:write']

const person = { email: people.dev.email, password: PASSWORD }

const hostile = ['Gus\r\nBcc: x@y.example', 'Gus\u202eeroom', 'Gus\u2066', 'Gus\u200e', '\u3164', '\u2800 \u00ad', ' ']
const kept = ['می\u200cخواهم', 'ന്\u200d', '👩\u200d👩\u200d👧 Lima', '❤\ufe0f Rye']

// Every string that a body can have, by the path to it.
const listStrings = (schema: TSchema, path = ''): { path: string; schema: Record<string, unknown> }[] => {
  const plain = schema as unknown as Record<string, unknown>
  if (plain.type === 'string') return [{ path, schema: plain }]
  const inside = [...((plain.anyOf ?? []) as TSchema[]).map(one => [path, one] as const)]
  for (const [name, one] of Object.entries((plain.properties ?? {}) as Record<string, TSchema>))
    inside.push([`${path}/${name}`, one])
  if (plain.items !== undefined) inside.push([`${path}/[]`, plain.items as TSchema])
  return inside.flatMap(([at, one]) => listStrings(one, at))
}

// What is no text that people read: it has a form of its own, or is checked against what there is.
const isFormal = ({ enum: words, pattern, format }: Record<string, unknown>): boolean =>
  words !== undefined || pattern !== undefined || format === 'date-time' || format === 'date'
// Texts of several lines, which may be empty; style sheets and HTML, which are parsed; addresses and zones that rules check;
// what is searched for; answers to forms, whose fields limit them, and the text of a field that people do not see; names of files, which are cleaned; secrets, whose form is checked; scopes and redirect URIs.
const OTHERS =
  /\/(?:q|description|bio|explanation|instructions|text|body|note|feedback|intro|done_text|license_text|email|contact_email|time_zone|language|filename|embed_url|meeting_url|custom_fields|custom_css|answer|url|html|secret_key|webhook_secret|value(?:\/\[\])?|trap|redirect_uris\/\[\]|scopes\/\[\])$/

suite('one rule for every one-line text', () => {
  // Pages and commands perform those without a route.
  for (const operation of [...operations, ...unroutedOperations(areas)]) {
    const { body = Type.Object({}) } = operation
    const strings = listStrings(body).filter(({ schema, path }) => !isFormal(schema) && !OTHERS.test(path))
    if (strings.length === 0) continue
    test(`${operation.id} declares ${strings.map(({ path }) => path).join(', ')} as lines or words`, () => {
      for (const { path, schema } of strings) assert.ok(['line', 'words'].includes(String(schema.format)), path)
    })
  }

  test('a member: what cannot be a line is refused by name, and joiners are kept', async () => {
    const ben = await app.actor('ben', { scopes: SCOPES })
    const email = 'gus@crumb.example'
    for (const name of hostile) {
      const created = await ben.write('POST', '/members', { email, name })
      assert.deepEqual([created.status, created.json.errors?.[0]], [422, created.json.errors?.[0]], name)
      assert.deepEqual([created.json.errors[0].pointer, created.json.errors[0].code], ['/name', 'line'])
      const own = await ben.write('PATCH', '/account', { name })
      assert.deepEqual([own.status, own.json.errors[0].code], [422, 'line'])
      const batch = await ben.write('POST', '/members/batches', {
        rows: [
          { email, name },
          { email: 'ok@crumb.example', name: 'Ok' },
        ],
      })
      const results = batch.json.results.map((one: { status: string }) => one.status)
      assert.equal(results[0], 'failed')
      assert.notEqual(results[1], 'failed', 'one row keeps out no other')
    }
    assert.deepEqual((await ben.get(`/members?email=${email}`)).json.data, [])
    for (const [at, name] of kept.entries()) {
      const body = { email: `kept${at}@crumb.example`, name, send_invitation: false }
      assert.equal((await ben.write('POST', '/members', body)).json.name, name.normalize('NFC'))
      assert.ok(isLine(name))
    }
  })

  test('a control character is refused in every text, line ends and tabs are not', async () => {
    const ben = await app.actor('ben', { scopes: SCOPES })
    const refused = await ben.write('PATCH', '/school', { description: 'Rye\u001b[31m' })
    assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/description'])
    const eli = (await ben.get('/members?email=eli@crumb.example')).json.data[0].id
    const noted = await ben.write('POST', `/members/${eli}/notes`, { body: 'One\r\n\tTwo' })
    assert.deepEqual([noted.status, noted.json.body], [201, 'One\r\n\tTwo'])
    const empty = await ben.write('POST', `/members/${eli}/notes`, { body: '\u200b\n\u3164' })
    assert.deepEqual([empty.status, empty.json.errors[0].code], [422, 'words'])
  })

  test('values stored under older rules are shown in JSON, in CSV and on the pages, and can be replaced', async () => {
    const ben = await app.actor('ben', { scopes: SCOPES })
    const { json } = await ben.write('POST', '/members', {
      email: 'old@crumb.example',
      name: 'Old',
      send_invitation: false,
    })
    const id = json.id
    const store = (name: string, email: string) =>
      app.database.query('update members set name = $1, email = $2 where school_id = $3 and id = $4', [
        name,
        email,
        app.a.id,
        fromId('mem', id),
      ])
    const { name: schoolName } = (await ben.get('/school')).json
    await app.database.query(`update schools set name = ' ' where id = $1`, [app.a.id])
    for (const name of [' ', '', 'x'.repeat(500), ...hostile]) {
      await store(name, 'x')
      for (const path of [`/members/${id}`, '/members?limit=100', '/school', '/members?sort=name'])
        assert.equal((await ben.get(path)).status, 200, `${path} ${JSON.stringify(name)}`)
      assert.equal((await ben.get(`/members/${id}`)).json.name, name)
      assert.equal((await ben.get('/members', { accept: 'text/csv' })).status, 200)
    }
    assert.equal((await ben.get('/school')).json.name, ' ')
    const back = await ben.write(
      'PATCH',
      '/school',
      { name: schoolName },
      { 'if-match': (await ben.get('/school')).headers.etag as string },
    )
    assert.equal(back.status, 200, back.text)
    const renamed = await ben.write('PATCH', `/members/${id}`, { name: 'New', email: 'old@crumb.example' })
    assert.deepEqual([renamed.status, renamed.json.name], [200, 'New'])
  })

  test('an app: its name is cleaned, joiners stay, and an invisible name is refused', async () => {
    for (const name of kept)
      assert.equal((await register(app.port, app.a, { client_name: name })).json.client_name, name.normalize('NFC'))
    const { json } = await register(app.port, app.a, { client_name: 'Loaf\u00ad \u202eTracker\u{e0041}' })
    assert.equal(json.client_name, 'Loaf Tracker')
    for (const client_name of [
      '\u3164',
      '\u2800',
      '\u00ad',
      '\u034f',
      '\u180e',
      '\uffa0',
      '\u{e0041}\u{e007f}',
      '\u115f\u1160',
    ]) {
      const unseen = await register(app.port, app.a, { client_name })
      assert.equal(unseen.json.client_name, undefined)
      const browser = openBrowser(app.port, app.a)
      const parameters = { client_id: unseen.json.client_id, redirect_uri: CALLBACK, scope: 'account:read' }
      const consent = await openConsent(browser, person, { ...parameters, code_challenge: pkce().challenge })
      assert.match(consent.text, /an app without a name/)
    }
  })

  test('a sign-up is refused a name that cannot be seen or is too long', async () => {
    for (const name of ['\u3164', '\u2800', 'x'.repeat(121)]) {
      const authorization = await begin({ port: app.port, school: app.a })
      const again = await askForAccount(authorization, { email: 'new@crumb.example', name })
      assert.match(again.text, /enter your name/)
    }
  })
})
