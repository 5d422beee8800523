import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { isPage } from '#src/http/fields.ts'
import { writePairs } from '#src/kit/form.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { enterAccount, formatCookie, openWith } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { makeEvent, registered, registrationScopes } from '#testing/events.ts'
import { lookUp } from '#testing/examples.ts'
import { jsonBody } from '#testing/http.ts'
import { everyOperation, grantable, identityScopes } from '#testing/matrix.ts'
import { decide } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { performingPage } from '#testing/pinboard.ts'
import { once } from '#testing/staff-pages.ts'

const app = testApp({ hasSubscriptions: true, morePages: parts => [performingPage(parts)] })
beforeEach(() => app.database.query('delete from limits'))

const ada = once(() => app.actor('ada', { scopes: [...identityScopes, ...grantable] }))
const browser = once(() => enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD }))

const setRecent = (seconds: number): Promise<unknown> =>
  app.database.query('update sessions set recent_until = stoa.now() + make_interval(secs => $1)', [seconds])

/** Performs an operation for Ada on a page, without a recent proof; returns the code of its refusal. */
const perform = async (operation: string, params: object, body: object, more: object = {}): Promise<string> => {
  const headers = { cookie: formatCookie(await browser()) }
  await setRecent(0)
  const { status, json } = await app.send(
    jsonBody('POST', '/account/perform', { operation, params, body, ...more }, headers),
  )
  return json?.code ?? String(status)
}

suite('what was paid goes back after a recent proof alone', () => {
  const buy = async () => {
    const event = await makeEvent(app, await ada(), {}, [{ name: 'Paid', amount: 2000 }])
    const dev = await app.actor('dev', { scopes: registrationScopes })
    await setProvider(app, 'manual', {})
    const { data, order } = await registered(dev, event.priceId)
    const key = { 'idempotency-key': order.id }
    await dev.write('POST', `/account/orders/${order.id}/payments`, { provider: 'manual' }, key)
    await decide(app, 'confirmPayment', order.id, {})
    return { event, registration_id: data[0].id }
  }
  const terms = (refund: 'all' | 'none') => ({ reason: 'The oven is cold', refund })

  test('with a seat', async () => {
    const { registration_id } = await buy()
    const cancel = (refund: 'all' | 'none') => perform('cancelRegistration', { registration_id }, { refund })
    assert.equal(await cancel('all'), 'proof_required')
    assert.equal(await cancel('none'), '200')
  })

  test('with a date', async () => {
    const { event } = await buy()
    const params = { occurrence_id: event.occurrenceId }
    assert.equal(await perform('cancelOccurrence', params, terms('all')), 'proof_required')
    assert.equal(await perform('cancelOccurrence', params, terms('none')), '200')
    const free = await makeEvent(app, await ada())
    assert.equal(await perform('cancelOccurrence', { occurrence_id: free.occurrenceId }, terms('all')), '200')
  })

  test('with an event', async () => {
    const { event } = await buy()
    assert.equal(await perform('cancelEvent', { event_id: event.id }, terms('all')), 'proof_required')
    assert.equal(await perform('cancelEvent', { event_id: event.id }, terms('none')), '200')
  })

  test('with a subscription, and so does its credit', async () => {
    const { data } = (await (await ada()).get('/subscriptions?status[in]=active')).json
    const cancel = (at: number, body: object) =>
      perform('cancelSubscription', { subscription_id: data[at].id }, { at: 'now', reason: 'Asked', ...body })
    assert.equal(await cancel(0, { refund: 'unused' }), 'proof_required')
    assert.equal(await cancel(0, { credit: 'pay_back' }), 'proof_required')
    assert.equal(await cancel(1, {}), '200')
  })
})

suite('files with people', () => {
  // What is one's own names oneself alone.
  const lists = everyOperation.filter(one => one.mode === 'read' && one.who !== 'self' && isPage(one))
  const emails = Object.values(people).map(({ email }) => email)

  test('no file with the address of another person is given out without a recent proof', async () => {
    const cookie = formatCookie(await browser())
    const { token } = await ada()
    const leaks: string[] = []
    let withPeople = 0
    for (const operation of lists) {
      const { params = {}, query = {} } = await lookUp(operation, token, request => app.send(request))
      const given = Object.entries({ ...params, ...query }).map(([name, value]) => [name, String(value)] as const)
      const path = `/staff/csv/${operation.id}?${writePairs(given.filter(([name]) => name !== 'limit'))}`
      await setRecent(7200)
      const file = await openWith(app.port, cookie, path)
      if (!emails.some(email => file.text.includes(email))) continue
      withPeople++
      await setRecent(0)
      const again = await openWith(app.port, cookie, path)
      if (again.headers.location?.startsWith('/account/confirm?') !== true) leaks.push(operation.id)
    }
    assert.deepEqual(leaks, [])
    assert.ok(withPeople > 5, String(withPeople))
  })

  test('a list without pages is a file, and one that is refused is an error instead of a file that breaks off', async () => {
    const cookie = formatCookie(await browser())
    await setRecent(7200)
    const fetchList = (list: string) => openWith(app.port, cookie, `/staff/csv/${list}`)
    const integrations = await fetchList('listIntegrations?dialect=rfc4180')
    assert.equal(integrations.status, 200)
    assert.match(integrations.text, /# complete\r\n$/)
    assert.equal((await fetchList(`listAccountOrderInvoices?order_id=${toId('ord', newUuid(0))}`)).status, 404)
  })
})
