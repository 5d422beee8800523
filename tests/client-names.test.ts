import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { authorizePath, CALLBACK, openConsent, pkce, register } from '#testing/oauth.ts'
import { connect, refreshAt } from '#testing/tokens.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const credentials = { email: people.dev.email, password: PASSWORD }
const braced = ['{{7*7}}$', '{7*7}#{7*7}'].join('')
const names = [
  ['dev', '<img src=x onerror=alert(1)>'],
  ['eli', braced],
  ['ben', '{account} {client} %s'],
  ['carla', '"><script>alert(1)</script>'],
] as const

suite('D-07 the name an app gives itself is text', () => {
  for (const [person, name] of names)
    test(`in mails, in the answers of the API and in no log line: ${name}`, async () => {
      const before = app.log.length
      const connection = await connect(app, person, { metadata: { client_name: name } })
      const headers = { authorization: `Bearer ${connection.access}` }
      const apps = await app.send({ path: '/api/v1/account/connected-apps', headers })
      assert.match(String(apps.headers['content-type']), /^application\/json/)
      assert.equal(apps.json.data[0].name, name)
      await refreshAt(app.port, connection, connection.refresh)
      await app.moveClock(61)
      assert.equal((await refreshAt(app.port, connection, connection.refresh)).json.error, 'invalid_grant')
      const mails = await mailbox.waitFor(people[person].email, 2)
      assert.equal(mails.length, 2, 'that it was connected, and that it was stopped')
      for (const { email } of mails) {
        assert.ok(email.text?.includes(`“${name}”`), email.text)
        assert.doesNotMatch(email.html ?? '', /<img|<script|\b49\b/)
        assert.ok(!email.subject?.includes(name))
      }
      assert.ok(
        !app.log.slice(before).join('').includes(JSON.stringify(name).slice(1, -1)),
        'the log names clients by id',
      )
    })
})

test('D-10 a consent page for an app with addresses of logos and policies loads and links nothing of them', async () => {
  const elsewhere = ['javascript:alert(1)', 'http://169.254.169.254/', 'https://evil.example/pixel.gif']
  for (const address of elsewhere) {
    const members = { logo_uri: address, policy_uri: address, tos_uri: address, client_uri: address }
    const { status, json } = await register(app.port, app.a, members)
    assert.equal(status, 201)
    const page = await openConsent(openBrowser(app.port, app.a), credentials, {
      client_id: json.client_id,
      redirect_uri: CALLBACK,
      scope: 'account:read',
      code_challenge: pkce().challenge,
    })
    assert.match(page.text, /name="decision"/)
    assert.ok(!page.text.includes(address))
    assert.doesNotMatch(page.text, /<(?:img|iframe|object|embed)|(?:src|href)="(?!\/)/)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none';.*img-src 'self'/)
  }
})

test('E-18 the page whose address contains a handle links to no other page with it, and titles contain no secret', async () => {
  const { json } = await register(app.port, app.a)
  const browser = openBrowser(app.port, app.a)
  const parameters = {
    client_id: json.client_id,
    redirect_uri: CALLBACK,
    scope: 'account:read',
    state: 'a-state-of-mine',
  }
  const page = await browser.open(authorizePath({ ...parameters, code_challenge: pkce().challenge }))
  const title = /<title>(.*)<\/title>/.exec(page.text)?.[1] ?? ''
  assert.doesNotMatch(title, /[\w-]{43}|a-state-of-mine/)
  assert.equal(page.headers['referrer-policy'], 'same-origin')
  assert.ok(!app.log.join('').includes('a-state-of-mine'))
})
