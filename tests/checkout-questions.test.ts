import assert from 'node:assert/strict'
import { after } from 'node:test'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { buyerForm, codeForm, identify, look, postOnce } from '#testing/checkout.ts'
import { eventScopes, makeEvent } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { newestCode } from '#testing/people.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const staff = () => app.actor('ada', { scopes: eventScopes })
const questions = [
  { id: 'diet', type: 'text', label: 'What do you not eat?', required: true },
  { id: 'rules', type: 'consent', label: 'I keep to the rules of the kitchen.', required: true },
]

const asking = async (name: string) =>
  makeEvent(app, await staff(), { name, questions }, [
    { name: 'Early', amount: 900 },
    { name: 'Late', amount: 1200 },
  ])

const readAnswers = async (eventId: string) =>
  (await (await staff()).get(`/events/${eventId}/registrations`)).json.data.map(
    ({ answers }: { answers: { value: unknown }[] }) => answers.map(({ value }) => value),
  )

test('a stranger answers the questions of an event on the page of the checkout, before anything is ordered', async () => {
  const { id, priceId } = await asking('Supper that asks')
  const email = 'asked@crumb.example'
  const { browser, page } = await look(app, [priceId])
  assert.match(page.text, /What do you not eat\?/)
  const refused = await identify(browser, page, { email, [`answer.${priceId}.diet`]: 'Walnuts' })
  assert.match(refused.text, /Please look at the questions below/)
  assert.match(refused.text, /value="Walnuts"/)
  assert.match(refused.text, /Please answer this/)
  assert.deepEqual(await readAnswers(id), [])
  const given = { [`answer.${priceId}.diet`]: 'Walnuts', [`answer.${priceId}.rules`]: 'yes' }
  const codePage = await identify(browser, refused, { email, ...given })
  assert.match(codePage.text, /six-digit code/, codePage.text)
  await postOnce(app, browser, codeForm(codePage), { code: await newestCode(mailbox, email) })
  assert.deepEqual(await readAnswers(id), [['Walnuts', true]])
  const rows = await app.database.query(`select from checkouts where items::text like '%Walnuts%'`)
  assert.equal(rows.length, 0, 'the answers are kept with the seats alone')
})

test('a member answers for each ticket of an order', async () => {
  const { id, tickets } = await asking('Supper for two')
  const [early = '', late = ''] = tickets.map(({ price_id }) => price_id)
  const browser = await enterAccount({ port: app.port, school: app.a, email: 'dev@crumb.example', password: PASSWORD })
  const { page } = await look(app, [early, late], browser)
  const paths = [early, late].flatMap((price, at): [string, string][] => [
    [`answer.${price}.diet`, `Diet ${at}`],
    [`answer.${price}.rules`, 'yes'],
  ])
  const ordered = await browser.submit(buyerForm(page), paths)
  assert.equal(ordered.status, 200, ordered.text)
  assert.deepEqual(await readAnswers(id), [
    ['Diet 0', true],
    ['Diet 1', true],
  ])
})
