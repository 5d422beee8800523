import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'
import { LEARNING, readMemberId, TEACHING, teach } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { acceptInvitation } from '#testing/people.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const SCOPES = [...TEACHING, 'members:write', 'posts:read', 'posts:write', 'school:read', 'school:write']
const staff = () => app.actor('ada', { scopes: SCOPES })
const PASSWORD = 'levain at four in the morning'

const done = ({ status, json, text }: TestReply): TestReply['json'] => {
  assert.ok(status < 300, text)
  return json
}

/** The cells of the second table of the document: mail, column, word. */
const readCells = (): Record<string, string> => {
  const text = readFileSync(new URL('../../docs/members-who-go.md', import.meta.url), 'utf8')
  const [table = ''] = /^\| mail [\s\S]*?(?=\n\n)/m.exec(text) ?? []
  const [ways = [], , ...rows] = table.split('\n').map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
  return Object.fromEntries(
    rows.flatMap(([what, ...words]) => words.map((word, at) => [`${what} / ${ways[at + 1]}`, word])),
  )
}

const KINDS = ['fact', 'lesson_notices', 'mail', 'bulk_mail', 'mailing', 'progress']

const settled = (): Promise<void> =>
  until(async () => {
    const due = await app.database.query(
      `select from jobs where kind = any ($1) and due_at <= stoa.now() + interval '301 seconds'`,
      [KINDS],
    )
    return due.length === 0
  }, 'nothing is due')

const passDays = async (days: number): Promise<void> => {
  await settled()
  await app.moveClock(days * 24 * 3600)
  await settled()
}

const NAMES = ['dev', 'eli', 'femi', 'carla', 'ben'] as const

const readId = async (email: string): Promise<string> =>
  done(await (await staff()).get(`/members?email=${email}`)).data[0].id

const opensAfter = (name: string, value: number) => ({
  name,
  drip: { mode: 'days_after_enrollment', value, local_time: '07:00' },
})

// Everybody wants every mail, and learns in a course whose lessons open on three days.
const prepare = async (): Promise<ReadonlyMap<PersonName, string>> => {
  const ada = await staff()
  const lessons = [{ name: 'Now' }, opensAfter('Away', 5), opensAfter('Back', 25), opensAfter('Last', 60)]
  const course = await teach(ada, 'Opens bit by bit', lessons)
  const ids = new Map<PersonName, string>()
  for (const name of NAMES) {
    const me = await app.actor(name, { scopes: LEARNING })
    done(await me.write('PATCH', '/account', { notifications: { lesson_opened: true } }))
    const id = await readMemberId(app, name)
    await app.database.query('update members set marketing_granted = true where id = $1', [id])
    ids.set(name, await readId(`${name}@crumb.example`))
    done(await ada.write('POST', '/enrollments', { member_id: ids.get(name), course_id: course.id, notify: false }))
  }
  await settled()
  return ids
}

const mailPost = async (title: string): Promise<void> => {
  const ada = await staff()
  const { id } = done(await ada.write('POST', '/posts', { title, body: 'News of the bakery.' }))
  done(await ada.write('PUT', `/posts/${id}/publication`, {}))
  const asked = await ada.write('PUT', `/posts/${id}/mailing`, { audience: 'all' })
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  await settled()
}

const confirmed = async (method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> => {
  const asked = await (await staff()).write(method, path, body)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
}

const readdress = async (id: string, email: string): Promise<void> => {
  await app.database.query('update members set email = $2, email_folded = $2 where id = $1', [fromId('mem', id), email])
}

const invited = async (email: string): Promise<string> => {
  const { id } = done(await (await staff()).write('POST', '/members', { email, name: 'Invited' }))
  await mailbox.waitFor(email, 1, /invited/)
  return id
}

const accept = (email: string) =>
  acceptInvitation({ port: app.port, school: app.a }, mailbox, { email, name: 'Invited', password: PASSWORD })

const outcomes: Record<string, string> = {}

const hasMail = (address: string, lesson: string, post: string): readonly [boolean, boolean] => {
  const own = mailbox.arrived.filter(({ to }) => to.includes(address))
  return [
    own.some(({ email }) => email.text?.includes(`“${lesson}”`)),
    own.some(({ email }) => email.subject?.includes(post)),
  ]
}

const note = (way: string, mails: readonly [boolean, boolean], other = 'not sent'): void => {
  const [lesson, post] = mails
  outcomes[`of a lesson that opens later / ${way}`] = lesson ? 'sent' : other
  outcomes[`of a post / ${way}`] = post ? 'sent' : other
}

const ways = ['suspension', 'reinstatement', 'loss of a role', 'own deletion']

// What becomes of an invitation that was not accepted.
const proveInvitations = async (ada: Actor): Promise<void> => {
  const acts: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    deletion: id => confirmed('DELETE', `/members/${id}`),
    erasure: id => confirmed('POST', `/members/${id}/erasure`),
    merge: async id => confirmed('POST', `/members/${await readId('into@crumb.example')}/merges`, { member_id: id }),
    'another address': async id => done(await ada.write('PATCH', `/members/${id}`, { email: 'moved@crumb.example' })),
  }
  for (const [way, act] of Object.entries(acts)) {
    const email = `invited-${way.split(' ')[0]}@crumb.example`
    const id = await invited(email)
    await act(id)
    await settled()
    await accept(email)
    const [row] = await app.database.query('select from members where id = $1 and status = $2', [
      fromId('mem', id),
      'active',
    ])
    outcomes[`of an invitation / ${way}`] = row === undefined ? 'ends' : 'goes on'
  }
  for (const way of ways) outcomes[`of an invitation / ${way}`] = '–'
  const email = 'invited-stays@crumb.example'
  const id = await invited(email)
  await accept(email)
  assert.equal(done(await ada.get(`/members/${id}`)).status, 'active', 'an invitation that nothing ended is accepted')
}

const deleteOwnAccount = async (id: string): Promise<void> => {
  await readdress(id, 'ben@crumb.example')
  const asked = await (await app.actor('ben', { scopes: LEARNING })).write('POST', '/account/deletion')
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ben', asked.json.confirmation.url)
  await passDays(15)
  const isErased = async () => {
    await app.moveClock(6)
    return (
      (await app.database.query('select from members where id = $1 and erased_at is not null', [fromId('mem', id)]))
        .length === 1
    )
  }
  await until(isErased, 'the account is erased')
}

test('mails of lessons, posts and invitations reach whom docs/members-who-go.md says', async () => {
  const ids = await prepare()
  const of = (name: PersonName): string => ids.get(name) ?? assert.fail(name)
  await invited('into@crumb.example')
  await accept('into@crumb.example')
  // What the remaining account has chosen decides.
  await app.database.query(
    `update members set notify_lesson_opened = true, marketing_granted = true where email = 'into@crumb.example'`,
  )
  await confirmed('DELETE', `/members/${of('dev')}`)
  await confirmed('POST', `/members/${of('eli')}/erasure`)
  done(await (await staff()).write('PUT', `/members/${of('femi')}/suspension`, {}))
  await confirmed('POST', `/members/${await readId('into@crumb.example')}/merges`, { member_id: of('carla') })
  await confirmed('DELETE', `/school/staff/${of('ben')}`)
  await readdress(of('ben'), 'ben2@crumb.example')
  await passDays(6)
  await mailPost('While they are away')
  const away = (address: string) => hasMail(address, 'Away', 'While they are away')
  note('deletion', away('dev@crumb.example'))
  note('erasure', away('eli@crumb.example'))
  note('suspension', away('femi@crumb.example'))
  assert.deepEqual(away('carla@crumb.example'), [false, false])
  note('merge', [false, false], away('into@crumb.example').every(Boolean) ? 'to the other' : 'not sent')
  for (const way of ['loss of a role', 'another address']) note(way, away('ben2@crumb.example'))
  assert.deepEqual(away('ben@crumb.example'), [false, false])
  done(await (await staff()).write('DELETE', `/members/${of('femi')}/suspension`))
  await settled()
  const [hasAway] = away('femi@crumb.example')
  assert.ok(hasAway, 'what opened meanwhile is in a mail once they are back')
  await passDays(20)
  await mailPost('Once they are back')
  note('reinstatement', hasMail('femi@crumb.example', 'Back', 'Once they are back'))
  await proveInvitations(await staff())
  await deleteOwnAccount(of('ben'))
  await passDays(40)
  await mailPost('At last')
  note('own deletion', hasMail('ben@crumb.example', 'Last', 'At last'))
  assert.deepEqual(hasMail('femi@crumb.example', 'Last', 'At last'), [true, true])
  assert.deepEqual(
    Object.fromEntries(Object.entries(outcomes).sort()),
    Object.fromEntries(Object.entries(readCells()).sort()),
  )
})
