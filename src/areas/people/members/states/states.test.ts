import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import { approveAs } from '#testing/confirming.ts'
import { codeIn, type Mailbox, startMailbox } from '#testing/mail.ts'
import { signInOn, withinASecond } from '#testing/oauth.ts'
import { begin, fillIn, isConsent } from '#testing/people.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const SCOPES = ['members:read', 'members:write']
type Staff = Awaited<ReturnType<typeof app.actor>>

const named = async (staff: Staff, email: string) => (await staff.get(`/members?email=${email}`)).json.data[0]

const signIn = async (email: string, password: string) => {
  const { browser, page } = await begin({ port: app.port, school: app.a })
  return signInOn(browser, page, { email, password })
}

test('a new member is invited by mail, proves the address and signs in; a second invitation ends the first code', async () => {
  const ben = await app.actor('ben', { scopes: SCOPES })
  const email = 'jo@crumb.example'
  const dry = await ben.write('POST', '/members?dry_run=true', { email, name: 'Jo' })
  assert.deepEqual([dry.status, dry.json.result.id], [200, null], dry.text)
  assert.ok(dry.json.effects.some(({ mail }: { mail?: string }) => mail?.includes('invitation')))
  assert.equal(await named(ben, email), undefined, 'a dry run keeps nothing')
  const created = await ben.write('POST', '/members', { email, name: 'Jo', locale: 'pt' })
  assert.deepEqual([created.status, created.json.status, created.json.role], [201, 'invited', 'member'], created.text)
  await mailbox.waitFor(email)
  assert.equal((await ben.write('PUT', `/members/${created.json.id}/invitation`)).status, 200)
  const mails = await mailbox.waitFor(email, 2)
  assert.match(mails[1]?.email.subject ?? '', /convidado/)
  const second = codeIn(mails[1])
  const link = (mail: (typeof mails)[number] | undefined) => /https?:\S+/.exec(mail?.email.text ?? '')?.[0] ?? ''
  const browser = openBrowser(app.port, app.a)
  assert.equal((await browser.open(link(mails[0]).slice(app.a.baseUrl.length))).status, 400)
  const page = await browser.open(link(mails[1]).slice(app.a.baseUrl.length))
  const done = await fillIn(browser, page, { code: second, name: 'Jo Baker', password: 'rye rises slowly here' })
  assert.equal(done.status, 200)
  assert.ok(isConsent(await signIn(email, 'rye rises slowly here')))
  const jo = await named(ben, email)
  assert.deepEqual([jo.status, jo.email_verified, jo.name], ['active', true, 'Jo Baker'])
  const again = await ben.write('PUT', `/members/${jo.id}/invitation`)
  assert.deepEqual([again.status, again.json.code], [409, 'invalid_state'])
  const moved = await ben.write('PATCH', `/members/${jo.id}`, { email: 'stolen@crumb.example' })
  assert.deepEqual(
    [moved.status, moved.json.code],
    [409, 'address_not_yours'],
    'staff cannot take the account of who has a password',
  )
})

test('E-24 suspension ends sessions and tokens within a second and prevents sign-in until it is lifted', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const dev = await app.actor('dev', { scopes: ['account:read'] })
  const { id } = await named(ada, 'dev@crumb.example')
  assert.equal((await dev.get('/account')).status, 200)
  const suspended = await ada.write('PUT', `/members/${id}/suspension`, { reason: 'Shared the password' })
  assert.deepEqual([suspended.status, suspended.json.status], [200, 'suspended'], suspended.text)
  const same = await ada.write('PUT', `/members/${id}/suspension`, { reason: 'Another' })
  assert.deepEqual(
    [same.status, same.json.revision],
    [200, suspended.json.revision],
    'what holds already writes nothing',
  )
  const refused = await withinASecond(
    () => dev.get('/account'),
    reply => reply.status === 401,
  )
  assert.equal(refused.json.code, 'invalid_token')
  assert.equal((await signIn('dev@crumb.example', PASSWORD)).status, 400)
  assert.equal((await ada.write('DELETE', `/members/${id}/suspension`)).json.status, 'active')
  assert.ok(isConsent(await signIn('dev@crumb.example', PASSWORD)))
  assert.equal((await dev.get('/account')).status, 401, 'what was ended stays ended')
})

test('an admin changes no owner, and no member suspends themselves', async () => {
  const ben = await app.actor('ben', { scopes: SCOPES })
  const ada = await named(ben, 'ada@crumb.example')
  const own = await named(ben, 'ben@crumb.example')
  for (const [method, path, body] of [
    ['PATCH', `/members/${ada.id}`, { name: 'Not Ada' }],
    ['PUT', `/members/${ada.id}/suspension`, {}],
    ['PUT', `/members/${ada.id}/tags/x`, undefined],
    ['DELETE', `/members/${ada.id}`, undefined],
    ['POST', `/members/${ada.id}/erasure`, undefined],
    ['DELETE', `/members/${ada.id}/sessions`, undefined],
  ] as const) {
    const reply = await ben.write(method, path, body)
    assert.deepEqual([reply.status, reply.json.code], [403, 'role_required'], `${method} ${path}`)
  }
  assert.equal((await ben.write('PUT', `/members/${own.id}/suspension`, {})).json.code, 'own_account')
  // When she was last seen is stored seconds after it was.
  const { last_seen_at: lastSeen } = await named(ben, 'ada@crumb.example')
  assert.deepEqual(await named(ben, 'ada@crumb.example'), { ...ada, last_seen_at: lastSeen })
})

test('F-15 an update is validated field by field, and is refused on another revision', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const femi = await named(ada, 'femi@crumb.example')
  const at = `/members/${femi.id}`
  for (const member of ['role', 'status', 'id', 'school_id', 'email_verified', 'created_at', 'revision', 'tags']) {
    const reply = await ada.write('PATCH', at, { [member]: 'owner' })
    assert.deepEqual([reply.status, reply.json.code], [422, 'invalid_body'], member)
  }
  for (const wrong of [{ time_zone: '+01:00' }, { locale: 'xx-yy' }, { custom_fields: { shoe: 41 } }, { name: '' }])
    assert.equal((await ada.write('PATCH', at, wrong)).status, 422, JSON.stringify(wrong))
  assert.deepEqual(await named(ada, 'femi@crumb.example'), femi)
  const { headers } = await ada.get(at)
  const etag = String(headers.etag)
  const changed = await ada.write(
    'PATCH',
    at,
    { phone: '+351 1', marketing_consent: { granted: true, source: 'open day' } },
    { 'if-match': etag },
  )
  assert.deepEqual([changed.status, changed.json.revision], [200, femi.revision + 1], changed.text)
  assert.ok(changed.json.marketing_consent.at)
  const late = await ada.write('PATCH', at, { phone: null }, { 'if-match': etag })
  assert.deepEqual([late.status, late.json.code], [412, 'precondition_failed'])
  assert.equal(String(late.headers.etag).split('-')[0], `"${femi.revision + 1}`)
  assert.equal((await ada.write('PATCH', at, { phone: '+351 1' })).json.revision, femi.revision + 1)
})

test('a deleted member is not listed and cannot sign in; two accounts of one person are merged', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const make = async (email: string, more: object) =>
    (await ada.write('POST', '/members', { email, name: 'Lou', send_invitation: false, ...more })).json
  const [one, two] = [
    await make('lou@a.example', { tags: ['a'] }),
    await make('lou@b.example', { tags: ['b'], phone: '+1 555' }),
  ]
  const merging = await ada.write('POST', `/members/${one.id}/merges`, { member_id: two.id })
  assert.equal(merging.status, 202, merging.text)
  assert.ok(merging.json.confirmation.effects.length > 0)
  await approveAs(app, 'ada', merging.json.confirmation.url)
  const kept = (await ada.get(`/members/${one.id}`)).json
  assert.deepEqual([kept.tags, kept.phone, kept.email], [['a', 'b'], '+1 555', 'lou@a.example'])
  assert.equal((await ada.get(`/members/${two.id}`)).json.status, 'deleted')
  const removing = await ada.write('DELETE', `/members/${one.id}`)
  await approveAs(app, 'ada', removing.json.confirmation.url)
  assert.equal((await named(ada, 'lou@a.example')).status, 'deleted')
  assert.deepEqual((await ada.get('/members?q=lou')).json.data, [])
  assert.equal((await ada.get('/members?status=deleted&email=lou@a.example')).json.data.length, 1)
  assert.equal((await ada.write('PATCH', `/members/${one.id}`, { name: 'x' })).status, 404)
})

test('tags are added to every member that a filter matches, once, and to owners only by an owner', async () => {
  const ben = await app.actor('ben', { scopes: SCOPES })
  const dry = await ben.write('POST', '/members/tags/batches?dry_run=true', {
    filter: { status: 'active' },
    add: ['Spring'],
  })
  assert.equal(dry.status, 200, dry.text)
  const put = await ben.write('POST', '/members/tags/batches', { filter: { status: 'active' }, add: ['Spring'] })
  assert.deepEqual(put.json, dry.json.result)
  const again = await ben.write('POST', '/members/tags/batches', { filter: { status: 'active' }, add: ['spring'] })
  assert.deepEqual(again.json, { updated: 0, unchanged: put.json.updated + put.json.unchanged })
  const { json } = await ben.get('/members?tag=SPRING&limit=100')
  assert.equal(json.data.length, put.json.updated)
  assert.ok(json.data.every(({ role }: { role: string }) => role !== 'owner'))
  assert.deepEqual(
    (await ben.get('/members/tags')).json.data.find(({ tag }: { tag: string }) => tag === 'spring'),
    {
      tag: 'spring',
      member_count: put.json.updated,
    },
  )
  const ada = await app.actor('ada', { scopes: SCOPES })
  const byOwner = await ada.write('POST', '/members/tags/batches', { filter: { status: 'active' }, add: ['spring'] })
  assert.deepEqual(byOwner.json, { updated: 1, unchanged: put.json.updated + put.json.unchanged }, 'the owner is added')
})
