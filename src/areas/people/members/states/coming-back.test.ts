import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readSession } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox, WITH_CODE } from '#testing/mail.ts'
import { fillIn, newestCode } from '#testing/people.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const SCOPES = ['members:read', 'members:write', 'students:read', 'students:write', 'courses:read']
const PASSWORD = 'levain at four in the morning'
const staff = () => app.actor('ada', { scopes: SCOPES })

const done = ({ status, json, text }: TestReply): TestReply['json'] => {
  assert.ok(status < 300, text)
  return json
}

const remove = async (ada: Actor, id: string): Promise<void> => {
  const asked = await ada.write('DELETE', `/members/${id}`)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
}

const codesTo = (email: string): number =>
  mailbox.arrived.filter(mail => mail.to.includes(email) && WITH_CODE.test(mail.email.subject ?? '')).length

/** Creates an account by a code that was mailed to the address, as a person does on the pages. */
const signUp = async (email: string, name: string): Promise<{ page: TestReply; session: unknown }> => {
  const browser = openBrowser(app.port, app.a)
  const before = codesTo(email)
  const codePage = await fillIn(browser, await browser.open('/account/sign-up'), { name, email, password: PASSWORD })
  const page = await fillIn(browser, codePage, { code: await newestCode(mailbox, email, before + 1) })
  return { page, session: readSession(browser) }
}

let count = 0
/** Somebody with a tag who was removed, and who had a role and a password before. */
const removed = async (ada: Actor): Promise<{ id: string; email: string }> => {
  const email = `gone${count++}@crumb.example`
  await signUp(email, 'Gone Person')
  const [{ id }] = (await ada.get(`/members?email=${email}`)).json.data
  done(await ada.write('PUT', `/members/${id}/tags/regular`))
  await app.database.query(`update members set role = 'admin' where email = $1`, [email])
  await remove(ada, id)
  return { id, email }
}

const memberAt = async (ada: Actor, id: string) => {
  const { status, role, tags, email_verified } = (await ada.get(`/members/${id}`)).json
  return { status, role, tags, email_verified }
}

const BACK = { status: 'invited', role: 'member', tags: ['regular'], email_verified: true }

test('the address of a deleted member brings them back where staff create, import, invite, reinstate or enroll them', async () => {
  const ada = await staff()
  const doors: Readonly<Record<string, (one: { id: string; email: string }) => Promise<TestReply>>> = {
    create: ({ email }) => ada.write('POST', '/members', { email, name: 'Back Again' }),
    import: ({ email }) =>
      ada.write('POST', '/members/batches', { rows: [{ email }], restore_deleted: true, send_invitations: true }),
    invite: ({ id }) => ada.write('PUT', `/members/${id}/invitation`),
    reinstate: ({ id }) => ada.write('DELETE', `/members/${id}/suspension`),
    enroll: async ({ email }) => {
      const [{ id }] = (await ada.get('/courses?limit=1')).json.data
      return ada.write('POST', '/students', { email, name: 'Back Again', course_ids: [id] })
    },
  }
  for (const [door, open] of Object.entries(doors)) {
    const gone = await removed(ada)
    assert.equal((await ada.get(`/members?email=${gone.email}`)).json.data[0]?.id, gone.id, 'the address finds them')
    done(await open(gone))
    assert.deepEqual(await memberAt(ada, gone.id), BACK, door)
    await mailbox.waitFor(gone.email, 1, /invited/)
    const moved = await ada.write('PATCH', `/members/${gone.id}`, { email: `thief${count}@crumb.example` })
    assert.deepEqual([moved.status, moved.json.code], [409, 'address_not_yours'], door)
  }
})

test('a row about a deleted member fails unless the import brings them back, and a change of address to theirs is refused', async () => {
  const ada = await staff()
  const { id, email } = await removed(ada)
  const refused = done(await ada.write('POST', '/members/batches', { rows: [{ email }] }))
  assert.deepEqual([refused.results[0].status, refused.results[0].errors[0].code], ['failed', 'deleted'])
  const [other] = (await ada.get('/members?email=ines@crumb.example')).json.data
  const taken = await ada.write('PATCH', `/members/${other.id}`, { email })
  assert.deepEqual([taken.status, taken.json.code], [409, 'email_taken'])
  assert.equal((await memberAt(ada, id)).status, 'deleted')
})

test('who proves the address of a deleted account has it again, by an account of the pages or a new password', async () => {
  const ada = await staff()
  const first = await removed(ada)
  const { session } = await signUp(first.email, 'Back Again')
  assert.ok(session)
  const expected = { ...BACK, status: 'active' }
  assert.deepEqual(await memberAt(ada, first.id), expected)
  const second = await removed(ada)
  const browser = openBrowser(app.port, app.a)
  const before = codesTo(second.email)
  const page = await fillIn(browser, await browser.open('/account/reset'), { email: second.email })
  await fillIn(browser, page, { code: await newestCode(mailbox, second.email, before + 1), password: PASSWORD })
  assert.ok(readSession(browser))
  assert.deepEqual(await memberAt(ada, second.id), expected)
})

test('E-01 E-03 nobody learns of a deleted account, and its password opens nothing', async () => {
  const ada = await staff()
  const { email } = await removed(ada)
  const pages: string[][] = []
  for (const address of [email, 'never@crumb.example']) {
    const seen: string[] = []
    for (const [path, fields] of [
      ['/account/sign-up', { name: 'Somebody', password: PASSWORD }],
      ['/account/reset', {}],
      ['/account/sign-in', { password: PASSWORD }],
    ] as const) {
      const browser = openBrowser(app.port, app.a)
      const page = await fillIn(browser, await browser.open(path), { email: address, ...fields })
      assert.equal(readSession(browser), undefined)
      seen.push(`${page.status} ${page.text.replaceAll(address, '').replace(/value="[^"]*"/g, '')}`)
    }
    pages.push(seen)
  }
  assert.deepEqual(pages[0], pages[1])
})

test('who was suspended when they were deleted, or in a school without sign-up, does not come back by themselves', async () => {
  const ada = await staff()
  const barred = await removed(ada)
  done(await ada.write('PUT', `/members/${barred.id}/invitation`))
  await mailbox.waitFor(barred.email, 1, /invited/)
  await signUp(barred.email, 'Barred')
  done(await ada.write('PUT', `/members/${barred.id}/suspension`, { reason: 'Shared the password' }))
  await remove(ada, barred.id)
  const other = await removed(ada)
  const before = mailbox.arrived.length
  const ask = async (email: string, path: string, fields = {}) => {
    const browser = openBrowser(app.port, app.a)
    return fillIn(browser, await browser.open(path), { email, ...fields })
  }
  const person = { name: 'Back', password: PASSWORD }
  await ask(barred.email, '/account/sign-up', person)
  await mailbox.waitFor(barred.email, 1, /account/)
  await ask(barred.email, '/account/reset')
  await app.database.query(`update schools set signup_mode = 'invite' where id = $1`, [app.a.id])
  await ask(other.email, '/account/reset')
  await app.database.query(`update schools set signup_mode = 'open' where id = $1`, [app.a.id])
  const codes = mailbox.arrived.slice(before).filter(({ email }) => /\b\d{6}\b/.test(email.text ?? ''))
  assert.deepEqual(
    codes.map(({ to }) => to),
    [],
  )
  for (const { id } of [barred, other]) assert.equal((await memberAt(ada, id)).status, 'deleted')
})

test('a row of an import that is about the same member as another one names that row', async () => {
  const ada = await staff()
  const rows = [
    { email: 'first-row@crumb.example', name: 'First', external_id: 'row-1' },
    { email: 'other-row@crumb.example', name: 'Other' },
    { email: 'FIRST-row@crumb.example', name: 'Again' },
    { email: 'third-row@crumb.example', name: 'Third', external_id: 'row-1' },
  ]
  const { results } = done(await ada.write('POST', '/members/batches', { rows }))
  assert.deepEqual(
    results.slice(2).map(({ status, errors }: TestReply['json']) => [status, errors[0].code, errors[0].message]),
    [2, 3].map(() => ['failed', 'duplicate', 'refers to the same member as /rows/0']),
  )
})

const requests: Readonly<Record<string, (ada: Actor, id: string, otherId: string) => Promise<TestReply>>> = {
  getMember: (ada, id) => ada.get(`/members/${id}`),
  updateMember: (ada, id) => ada.write('PATCH', `/members/${id}?dry_run=true`, { phone: '+351 1 23' }),
  deleteMember: (ada, id) => ada.write('DELETE', `/members/${id}?dry_run=true`),
  suspendMember: (ada, id) => ada.write('PUT', `/members/${id}/suspension?dry_run=true`, {}),
  reinstateMember: (ada, id) => ada.write('DELETE', `/members/${id}/suspension?dry_run=true`),
  inviteMember: (ada, id) => ada.write('PUT', `/members/${id}/invitation?dry_run=true`),
  eraseMember: (ada, id) => ada.write('POST', `/members/${id}/erasure?dry_run=true`),
  mergeMembers: (ada, id, other) => ada.write('POST', `/members/${id}/merges?dry_run=true`, { member_id: other }),
  deleteMemberSessions: (ada, id) => ada.write('DELETE', `/members/${id}/sessions?dry_run=true`),
}

// What is so already is no refusal: nothing changes.
const ALREADY_SO = ['active reinstateMember', 'suspended suspendMember']

test('allowed_actions of a member has what works in each state, and nothing else does', async () => {
  const ada = await staff()
  const make = async (email: string) =>
    done(await ada.write('POST', '/members', { email, name: 'State', send_invitation: false })).id
  const named = async (email: string) => (await ada.get(`/members?email=${email}`)).json.data[0].id
  const other = await make('other-state@crumb.example')
  const [invited, suspended, gone, erased] = [
    await make('invited-state@crumb.example'),
    await named('femi@crumb.example'),
    (await removed(ada)).id,
    (await removed(ada)).id,
  ]
  done(await ada.write('PUT', `/members/${suspended}/suspension`, {}))
  const asked = await ada.write('POST', `/members/${erased}/erasure`)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  const members = {
    invited,
    active: await named('eli@crumb.example'),
    suspended,
    deleted: gone,
    erased,
    self: await named('ada@crumb.example'),
  }
  for (const [state, id] of Object.entries(members)) {
    const listed: string[] = (await ada.get(`/members/${id}`)).json.allowed_actions
    for (const [operation, call] of Object.entries(requests)) {
      const { status, text } = await call(ada, id, other)
      const works = status < 300
      if (ALREADY_SO.includes(`${state} ${operation}`) || (state === 'self' && operation === 'reinstateMember'))
        continue
      assert.equal(works, listed.includes(operation), `${state} ${operation}: ${status} ${text}`)
    }
    assert.deepEqual(
      listed.filter(one => requests[one] === undefined),
      [],
    )
  }
})
