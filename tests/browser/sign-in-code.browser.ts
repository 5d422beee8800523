import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { authorizePath, pkce, register } from '#testing/oauth.ts'
import { newestCode } from '#testing/people.ts'
import { linkTo } from '#testing/sign-in-codes.ts'

let mailbox: Mailbox
let chromium: Browser
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await mailbox.stop()
})

const SIZES = [
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 360, height: 740 }],
] as const

const ASK = 'button[value="code"]'
const REFUSED = /status of 400/
const mailsTo = (email: string): number => mailbox.arrived.filter(({ to }) => to.includes(email)).length

const startAt = async (size: Size, viewport: { readonly width: number; readonly height: number }) => {
  const walker = await walk.start(size)
  await walker.page.setViewportSize(viewport)
  return walker
}

/** Leaves a member without a password and without a recent proof. */
const forgetProof = async (email: string): Promise<void> => {
  const members = 'member_id in (select id from members where email = $1)'
  await app.database.query(`delete from credentials where kind = 'password' and ${members}`, [email])
  await app.database.query(`update sessions set recent_until = stoa.now() where ${members}`, [email])
}

for (const [size, viewport] of SIZES) {
  test(`a member signs in with a code on a ${size}`, async () => {
    const { email } = people.dev
    const count = mailsTo(email)
    const walker = await startAt(size, viewport)
    const { page } = walker
    await walker.goto('/account/sign-in?return_to=/account/courses')
    await walker.look()
    await walker.fill({ email }, ASK)
    await walker.look()
    await walker.fill({ code: '000000' })
    await walker.look(REFUSED)
    await walker.fill({ code: await newestCode(mailbox, email, count + 1) })
    assert.equal(new URL(page.url()).pathname, '/account/courses')
    await walker.close()
  })

  test(`the link of the mail has one button in its browser, for the keyboard too, and says elsewhere where to go, on a ${size}`, async () => {
    const { email } = people.eli
    const count = mailsTo(email)
    const walker = await startAt(size, viewport)
    const { page } = walker
    await walker.goto('/account/sign-in?return_to=/account/orders')
    await walker.fill({ email }, ASK)
    await newestCode(mailbox, email, count + 1)
    const link = await linkTo(mailbox, email, count + 1)
    const elsewhere = await startAt(size, viewport)
    await elsewhere.goto(link)
    await elsewhere.look()
    assert.match((await elsewhere.page.textContent('main')) ?? '', /Go back to that browser/)
    await elsewhere.close()
    await walker.goto(link)
    await walker.look()
    await page.focus('main button')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/account\/orders$/)
    await walker.close()
  })

  test(`a member without a password confirms with a code, for the keyboard too, on a ${size}`, async () => {
    const { email } = people[size === 'desktop' ? 'dev' : 'femi']
    const walker = await startAt(size, viewport)
    const { page } = walker
    await walker.goto('/account/sign-in?return_to=/account/courses')
    await walker.fill({ email, password: PASSWORD })
    await forgetProof(email)
    const count = mailsTo(email)
    await walker.goto('/account/email')
    await walker.look()
    await page.focus(ASK)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/account\/confirm\/code/)
    await walker.look()
    await walker.fill({ code: '000000' })
    await walker.look(REFUSED)
    await walker.fill({ code: await newestCode(mailbox, email, count + 1) })
    assert.equal(new URL(page.url()).pathname, '/account/email')
    await walker.close()
  })

  test(`a member signs in for an app with a code, on a ${size}`, async () => {
    const { email } = people.femi
    const count = mailsTo(email)
    const { json: client } = await register(app.port, app.a)
    const walker = await startAt(size, viewport)
    const { page } = walker
    await walker.goto(
      authorizePath({
        client_id: client.client_id,
        redirect_uri: client.redirect_uris[0],
        scope: 'openid email',
        code_challenge: pkce().challenge,
      }),
    )
    await walker.look()
    await walker.fill({ email }, ASK)
    await walker.look()
    await walker.fill({ code: await newestCode(mailbox, email, count + 1) })
    assert.equal(new URL(page.url()).pathname, '/oauth/authorize/consent')
    await walker.close()
  })
}

test('every page of the sign-in with a code was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('signInCodes'), [])
})
