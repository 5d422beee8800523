import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { setProvider } from '#testing/payments.ts'
import { settledNow } from '#testing/subscriptions.ts'
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

const address = {
  line1: 'Rua do Forno 12',
  line2: null,
  postal_code: null,
  city: 'Lisboa',
  region: null,
  country: 'PT',
}

// The school says who sells, is paid by transfer, and publishes a course at a price.
const sellSomething = async (ada: Actor): Promise<void> => {
  const instructions = { account_holder: null, iban: 'PT50000201231234567890154', text: null }
  await setProvider(app, 'manual', { instructions })
  const { json: settings } = await ada.get('/school/selling')
  const { legal, tax, checkout, subscriptions, comments } = settings
  const body = { legal: { ...legal, address }, tax, checkout, subscriptions, comments }
  assert.equal((await ada.write('PUT', '/school/selling', body, { 'if-match': '*' })).status, 200)
  const { json: course } = await ada.write('POST', '/courses', { name: 'Spelt for the guide' })
  const price = { payment_type: 'one_time', amount: 4990 }
  assert.equal((await ada.write('POST', `/courses/${course.id}/prices`, price)).status, 201)
  assert.equal((await ada.write('PUT', `/courses/${course.id}/publication`, {})).status, 200)
  const done = async () => (await stored()).map(({ step }) => step)
  await until(async () => {
    const steps = await done()
    return ['seller', 'price', 'publication'].every(step => steps.includes(step))
  }, 'the school is about to sell')
  await settledNow(app)
  assert.ok(!(await done()).includes('payments'), 'an IBAN without its holder is no way to be paid')
  await setProvider(app, 'manual', {})
  await until(async () => (await done()).includes('payments'), 'the school can be paid')
}

test('the guide of a new school ends with what is done, by an app too, or skipped, and never comes back', async () => {
  assert.deepEqual(await stepsLeft(), [], 'the demo data has done everything')
  await app.database.query('delete from guide_steps where school_id = $1', [app.a.id])
  const all = ['name', 'appearance', 'seller', 'payments', 'course', 'price', 'publication', 'invitation']
  assert.deepEqual((await stepsLeft()).slice(-8), all, 'the last form skips all of them')
  const reader = await enter('ben')
  const guide = /<section class="card guide"[\s\S]*?<\/section>/.exec((await reader.open('/staff')).text)?.[0] ?? ''
  const paths = [...guide.matchAll(/<a href="([^"]*)"/g)].map(([, path = '']) => path)
  assert.deepEqual(paths, [
    '/staff/settings',
    '/staff/appearance',
    '/staff/settings/seller',
    '/staff/courses/new',
    '/staff/courses',
    '/staff/courses',
    '/staff/invitations',
  ])
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
  await sellSomething(ada)
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
