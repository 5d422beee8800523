import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { createMailDelivery, createSend, identityMails, recordMail } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { readMemberId } from '#testing/learning.ts'
import { askForReset, begin } from '#testing/people.ts'

const app = testApp()
const PATH = '/staff/outbox'

const enter = (name: PersonName, school = app.a) =>
  enterAccount({ port: app.port, school, email: `${name}@crumb.example`, password: PASSWORD })

let folder = ''
let database: ReturnType<typeof openDatabase>
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-outbox-'))
  database = openDatabase(app.database.appUrl, { max: 2, wait: 10_000 })
})
after(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const waiting = () =>
  app.database.query<{ id: string }>(
    'select id from mails where school_id = $1 and sent_at is null and parked_at is null order by id',
    [app.a.id],
  )

type Sending = Partial<Pick<Parameters<typeof createMailDelivery>[0], 'send' | 'keepsText'>> & {
  readonly attempt?: number
}

/** Delivers what waits, by default to files as where no mail server is set. */
const deliver = async ({ attempt = 1, ...sending }: Sending = {}): Promise<void> => {
  const run = createMailDelivery({
    ...{ database, secret: app.secret, from: 'school@mail.example', keepsText: true },
    send: createSend({ smtpUrl: undefined, from: '', folder, onFile: () => undefined }),
    kinds: Object.values(identityMails),
    readFile: async () => undefined,
    ...sending,
  })
  for (const { id } of await waiting()) {
    const outcome = await run({ kind: 'mail', schoolId: app.a.id, id, attempt })
    await database.transaction(app.a.id, db => outcome.settle(db))
  }
}

const record = async (email: string): Promise<void> => {
  const memberId = await readMemberId(app, 'dev')
  await database.transaction(app.a.id, async (db, now) => {
    await recordMail(db, app.a.id, memberId, { kind: identityMails.email_changed, values: { email } }, now)
  })
}

const linksOn = (text: string): string[] =>
  [...text.matchAll(/href="(\/staff\/outbox\/eml_\w+)"/g)].map(([, path = '']) => path)

test('an owner reads a mail that was written to a file, and never the code in it; the operator has the file', async () => {
  await askForReset(await begin({ port: app.port, school: app.a }), 'femi@crumb.example')
  const ada = await enter('ada')
  const before = await ada.open(linksOn((await ada.open(`${PATH}?state=waiting`)).text)[0] ?? '')
  assert.match(before.text, /never shown here/)
  await deliver()
  const list = await ada.open(PATH)
  assert.match(list.text, /… is your code for a new password at Crumb[\s\S]*femi@crumb\.example[\s\S]*in a file/)
  const [path = ''] = linksOn(list.text)
  const { text, status } = await ada.open(path)
  assert.equal(status, 200)
  const id = fromId('eml', path.split('/').at(-1) ?? '') ?? ''
  const file = await readFile(join(folder, `${id}.eml`), 'utf8')
  const code = /\b\d{6}\b/.exec(file.split('\r\n\r\n').slice(1).join())?.[0] ?? ''
  assert.match(code, /^\d{6}$/)
  for (const page of [before.text, list.text, text]) assert.ok(!page.replaceAll(' ', '').includes(code))
  assert.match(text, new RegExp(`mail/${id}\\.eml`))
  assert.match(text, /…[\s\S]*Enter this code/)
  assert.equal((await readdir(folder)).length, 1)
})

test('admins see who got a mail and whether it arrived, and owners its text, until a mail server has taken it', async () => {
  await record('dev.new@crumb.example')
  await deliver()
  await record('<i>dev@crumb.example')
  await deliver({ send: async () => undefined, keepsText: false })
  await record('dev.never@crumb.example')
  const refuse = async (): Promise<never> => {
    throw Object.assign(new Error(`550 no dev@crumb.example here`), { code: 'EENVELOPE', responseCode: 550 })
  }
  await deliver({ send: refuse, attempt: 5 })
  const [ada, ben] = [await enter('ada'), await enter('ben')]
  const list = await ben.open(PATH)
  assert.deepEqual([list.status, linksOn(list.text)], [200, []])
  assert.match(list.text, /Not delivered[\s\S]*>Sent<[\s\S]*Not sent: in a file/)
  const paths = linksOn((await ada.open(PATH)).text)
  const [failed, sent, written] = await Promise.all(paths.slice(0, 3).map(path => ada.open(path)))
  assert.match(failed?.text ?? '', /EENVELOPE 550[\s\S]*dev\.never@crumb\.example/)
  assert.match(sent?.text ?? '', /not kept/)
  assert.ok(!sent?.text.includes('dev@crumb.example&gt;') && !sent?.text.includes('&lt;i&gt;'))
  assert.match(written?.text ?? '', /dev\.new@crumb\.example/)
  const refused = await ben.open(paths[0] ?? '')
  assert.deepEqual([refused.status, refused.text.includes('dev.never')], [403, false])
  assert.deepEqual(linksOn((await ada.open(`${PATH}?state=failed`)).text), paths.slice(0, 1))
  assert.equal((await ada.open(`${PATH}?state=lost`)).status, 400)
  assert.match((await ada.open('/staff')).text, />1 mail that was not delivered<\/a>/)
})

test('a mail of another school is not there, and erasing the member erases the text', async () => {
  const ada = await enter('ada')
  const [path = ''] = linksOn((await ada.open(PATH)).text)
  const other = await enter('ada', app.b)
  assert.deepEqual([(await other.open(path)).status, linksOn((await other.open(PATH)).text)], [404, []])
  assert.equal((await ada.open(`${PATH}/${toId('eml', app.a.id)}`)).status, 404)
  assert.equal((await ada.open(`${PATH}/x`)).status, 404)
  const owner = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const [dev] = (await owner.get(`/members?email=dev@crumb.example`)).json.data
  const asked = await owner.write('POST', `/members/${dev.id}/erasure`)
  assert.equal(asked.status, 202, asked.text)
  const token = await ada.open(new URL(asked.json.confirmation.url).pathname)
  assert.equal(token.status, 200)
})
