import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { setProvider } from '#testing/payments.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const enter = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: `${name}@crumb.example`, password: PASSWORD })

const SENTENCES = {
  appearance: ['still called “My school”', 'No appearance is published'],
  seller: [
    'legal name of the seller',
    'address of the seller is missing',
    'No page with the terms',
    'is not published',
  ],
  payments: ['No way to be paid', 'is incomplete'],
  mail: ['There is no mail server', 'No server has accepted'],
  domain: ['one computer alone'],
  price: ['Nothing has a price'],
  publication: ['Nothing with a price is published'],
}

/** What the page of all steps says is missing, by step. */
const readMissing = async (): Promise<Record<string, number>> => {
  const ben = await enter('ben')
  const { text } = await ben.open('/staff/guide')
  return Object.fromEntries(
    Object.entries(SENTENCES).flatMap(([step, sentences]) => {
      const count = sentences.filter(sentence => text.includes(sentence)).length
      return count === 0 ? [] : [[step, count]]
    }),
  )
}

const stored = () =>
  app.database.query<{ step: string }>('select step from guide_steps where school_id = $1 order by step', [app.a.id])

// Saves a page of the settings as an owner, with these fields changed.
const saveSettings = async (part: 'seller' | 'checkout', changes: Readonly<Record<string, string>>): Promise<void> => {
  const owner = await enter('ada')
  const path = `/staff/settings/${part}`
  const fields = listFields(formTo(await owner.open(path), path)).filter(([name]) => !Object.hasOwn(changes, name))
  const reply = await post(app.port, owner, path, [...fields, ...Object.entries(changes)])
  assert.equal(reply.status, 303, reply.text)
}

test('each step is read from how the school stands, and is open again when that changes', async () => {
  const ada = await app.actor('ada', {
    scopes: ['courses:read', 'courses:write', 'pages:read', 'pages:write'],
  })
  assert.deepEqual(await readMissing(), { seller: 3, mail: 1, domain: 1 }, 'what the demo data lacks')

  // Everything at once, as a school that has not begun.
  await app.database.query(`update schools set name = 'My school', look = null where id = $1`, [app.a.id])
  await app.database.query(`update course_prices set status = 'retired', is_primary = false where school_id = $1`, [
    app.a.id,
  ])
  await app.database.query(`update product_prices set status = 'retired', is_primary = false where school_id = $1`, [
    app.a.id,
  ])
  await app.database.query(`update plan_prices set status = 'retired', is_primary = false where school_id = $1`, [
    app.a.id,
  ])
  await app.database.query(`update ticket_prices set status = 'retired', is_primary = false where school_id = $1`, [
    app.a.id,
  ])
  await app.database.query('delete from payment_providers where school_id = $1', [app.a.id])
  await until(async () => (await readMissing()).appearance === 2, 'the name is known')
  assert.deepEqual(await readMissing(), {
    ...{ appearance: 2, seller: 3, payments: 1, mail: 1, domain: 1 },
    ...{ price: 1, publication: 1 },
  })

  const { json: course } = await ada.write('POST', '/courses', { name: 'Spelt for the guide' })
  const free = { payment_type: 'free', amount: 0 }
  assert.equal((await ada.write('POST', `/courses/${course.id}/prices`, free)).status, 201)
  assert.equal((await readMissing()).price, 1, 'what is free has no price')
  const price = { payment_type: 'one_time', amount: 4990 }
  assert.equal((await ada.write('POST', `/courses/${course.id}/prices`, price)).status, 201)
  const priced = await readMissing()
  assert.deepEqual([priced.price, priced.publication], [undefined, 1])
  assert.equal((await ada.write('PUT', `/courses/${course.id}/publication`, {})).status, 200)
  assert.equal((await readMissing()).publication, undefined)
  assert.equal((await ada.write('DELETE', `/courses/${course.id}/publication`)).status, 200)
  assert.equal((await readMissing()).publication, 1, 'nothing is on sale any more')

  const { json: terms } = await ada.write('POST', '/pages', { title: 'Terms', path: '/our-terms' })
  await saveSettings('seller', {
    ...{ name: 'Crumb & Crust Lda.', 'address.line1': 'Rua do Forno 12', 'address.city': 'Lisboa' },
    'address.country': 'PT',
  })
  await saveSettings('checkout', { terms_page_id: terms.id })
  assert.equal((await readMissing()).seller, 1, 'the terms are a draft')
  await setProvider(app, 'manual', {
    instructions: { account_holder: null, iban: 'PT50000201231234567890154', text: null },
  })
  assert.equal((await readMissing()).payments, 1, 'an IBAN without its holder is no way to be paid')
  await setProvider(app, 'manual', {})
  assert.equal((await readMissing()).payments, undefined)
})

test('a test message that a server accepted proves its sender, and no other one', async () => {
  const ben = await enter('ben')
  const form = formTo(await ben.open('/staff/settings/mail'), '/staff/settings/mail')
  const reply = await post(app.port, ben, '/staff/settings/mail', listFields(form))
  assert.equal(reply.status, 303)
  const [mail] = await mailbox.waitFor('ben@crumb.example', 1, /^Test message of /)
  assert.match(mail?.email.text ?? '', /SPF, DKIM and DMARC/)
  await until(async () => (await readMissing()).mail === undefined, 'the server has accepted it')
  const [school] = await app.database.query<{ from: string }>(
    'select mail_accepted_from as "from" from schools where id = $1',
    [app.a.id],
  )
  assert.equal(school?.from, 'school@mail.example')
  await app.database.query(`update schools set mail_accepted_from = 'old@mail.example' where id = $1`, [app.a.id])
  assert.equal((await readMissing()).mail, 1)
  await app.database.query('update schools set mail_accepted_from = null where id = $1', [app.a.id])
  assert.equal((await readMissing()).mail, undefined, 'what was sent before there were test messages counts')
})

test('a step that is put off is not the next one and can still be done, and only staff put steps off', async () => {
  const owner = await enter('ada')
  const later = formTo(await owner.open('/staff'), '/staff/guide')
  const [, step] = listFields(later).find(([name]) => name === 'step') ?? []
  const twice = await Promise.all([1, 2].map(() => post(app.port, owner, '/staff/guide', listFields(later))))
  assert.deepEqual(
    twice.map(reply => reply.status),
    [303, 303],
  )
  assert.deepEqual(await stored(), [{ step }])
  assert.equal((await app.database.query("select from facts where type = 'school.guide_skipped'")).length, 1)
  const next = listFields(formTo(await owner.open('/staff'), '/staff/guide')).find(([name]) => name === 'step')
  assert.notEqual(next?.[1], step)
  assert.match((await owner.open('/staff/guide')).text, /Put off/)

  const token = new Map(listFields(later)).get('token') ?? ''
  const strange = await post(app.port, owner, '/staff/guide', [
    ['token', token],
    ['step', 'bake'],
  ])
  assert.equal(strange.status, 403)
  for (const name of ['dev', 'carla'] as const) {
    const other = await enter(name)
    const own = new Map(listFields(formTo(await other.open('/account'), '/account/sign-out'))).get('token') ?? ''
    const refused = await post(app.port, other, '/staff/guide', [
      ['token', own],
      ['step', 'domain'],
    ])
    assert.equal(refused.status, 403, name)
    assert.equal((await other.open('/staff/guide')).status, 403, name)
  }
  assert.deepEqual(await stored(), [{ step }])
})

test('an owner writes the terms on one page, once whoever sends the form twice, and an admin does not', async () => {
  const path = '/staff/settings/terms'
  await saveSettings('checkout', { terms_page_id: '' })
  const owner = await enter('ada')
  const fields = listFields(formTo(await owner.open(path), path)).filter(([name]) => name !== 'body')
  const send = (body: string) => post(app.port, owner, path, [...fields, ['body', body]])
  const empty = await send(' ')
  assert.equal(empty.status, 422)
  assert.match(empty.text, /Please write the terms/)
  const twice = await Promise.all([send('We sell **bread**.'), send('We sell **bread**.')])
  for (const { status, text } of twice) assert.equal(status, 303, text)
  const pages = await app.database.query("select from pages where school_id = $1 and path = '/terms-and-conditions'", [
    app.a.id,
  ])
  assert.equal(pages.length, 1)
  assert.match((await owner.open('/terms-and-conditions')).text, /We sell <strong>bread<\/strong>/)
  assert.equal((await readMissing()).seller, undefined)

  await saveSettings('checkout', { terms_page_id: '' })
  const ben = await enter('ben')
  assert.match((await ben.open(path)).text, /Only owners/)
  const token = new Map(listFields(formTo(await ben.open('/staff'), '/account/sign-out'))).get('token') ?? ''
  const refused = await post(app.port, ben, path, [
    ['token', token],
    ['act', 'write'],
    ['title', 'Terms of Ben'],
    ['body', 'Free bread.'],
  ])
  assert.equal(refused.status, 403)
  assert.equal((await app.database.query("select from pages where path = '/terms-of-ben'")).length, 0)
})
