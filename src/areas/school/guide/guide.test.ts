import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
// Facts are delivered only where mails are.
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const enter = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: `${name}@crumb.example`, password: PASSWORD })

const stepsLeft = async (): Promise<string[]> => {
  const ben = await enter('ben')
  const { text } = await ben.open('/staff')
  return [...text.matchAll(/<input type="hidden" name="step" value="(\w+)">/g)].map(([, step = '']) => step)
}

const stored = () =>
  app.database.query<{ step: string; state: string }>(
    'select step, state from guide_steps where school_id = $1 order by step',
    [app.a.id],
  )

test('the guide of a new school ends with what is done, by an app too, or skipped, and never comes back', async () => {
  assert.deepEqual(await stepsLeft(), [], 'the demo data has done everything')
  await app.database.query('delete from guide_steps where school_id = $1', [app.a.id])
  const all = ['name', 'appearance', 'course', 'invitation']
  assert.deepEqual((await stepsLeft()).slice(-4), all, 'the last form skips all of them')
  const reader = await enter('ben')
  const guide = /<section class="card guide"[\s\S]*?<\/section>/.exec((await reader.open('/staff')).text)?.[0] ?? ''
  const paths = [...guide.matchAll(/<a href="([^"]*)"/g)].map(([, path = '']) => path)
  assert.deepEqual(paths, ['/staff/settings', '/staff/appearance', '/staff/courses/new', '/staff/invitations'])
  for (const path of paths) assert.equal((await reader.open(path)).status, 200, path)

  const ada = await app.actor('ada', {
    scopes: ['school:read', 'school:write', 'courses:read', 'courses:write', 'members:write'],
  })
  const change = (body: object) => ada.write('PATCH', '/school', body, { 'if-match': '*' })
  assert.equal((await change({ description: 'Not its name' })).status, 200)
  const { status, text } = await ada.write('POST', '/courses', { name: 'Rye for the guide' })
  assert.equal(status, 201, text)
  await until(async () => (await stored()).some(({ step }) => step === 'course'), 'the course is done')
  assert.ok(!(await stepsLeft()).includes('course'))

  const owner = await enter('ada')
  const skip = formTo(await owner.open('/staff'), '/staff/guide', { step: 'appearance' })
  const twice = await Promise.all([1, 2].map(() => post(app.port, owner, '/staff/guide', listFields(skip))))
  assert.deepEqual(
    twice.map(reply => reply.status),
    [303, 303],
  )
  assert.equal((await app.database.query("select from facts where type = 'school.guide_skipped'")).length, 1)
  const { id } = (await ada.write('POST', '/members', { name: 'Gil', email: 'gil@crumb.example' })).json
  assert.ok(id)
  await until(async () => (await stored()).some(({ step }) => step === 'invitation'), 'the invitation is done')
  assert.deepEqual(await stepsLeft(), ['name'], 'a change of the description names nothing')
  assert.equal((await change({ name: 'The Bakery' })).status, 200)
  await until(async () => (await stepsLeft()).length === 0, 'the guide has ended')
  assert.ok(!(await owner.open('/staff')).text.includes('First steps'))
})

test('a step that is done stays done when somebody skips it, and only staff skip', async () => {
  const before = await stored()
  const owner = await enter('ada')
  const token = new Map(listFields(formTo(await owner.open('/account'), '/account/sign-out'))).get('token') ?? ''
  const reply = await post(app.port, owner, '/staff/guide', [
    ['token', token],
    ['step', 'course'],
  ])
  assert.equal(reply.status, 303)
  assert.deepEqual(await stored(), before)
  const strange = await post(app.port, owner, '/staff/guide', [
    ['token', token],
    ['step', 'bake'],
  ])
  assert.equal(strange.status, 403)
  const dev = await enter('dev')
  const own = new Map(listFields(formTo(await dev.open('/account'), '/account/sign-out'))).get('token') ?? ''
  const refused = await post(app.port, dev, '/staff/guide', [
    ['token', own],
    ['step', 'name'],
  ])
  assert.equal(refused.status, 403)
  assert.deepEqual(await stored(), before)
})
