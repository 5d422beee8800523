import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { readCallback, signInOn } from '#testing/oauth.ts'
import { setProvider } from '#testing/payments.ts'
import { onTestPage } from '#testing/test-payments.ts'

// The worker runs, so that the school learns of a payment as it does at home.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})

after(() => mailbox.stop())

const EXAMPLE = 'examples/sell-a-course.mjs'
const ada = { email: people.ada.email, password: PASSWORD }

// What a person does at the addresses that the program prints.
const allow = async (address: URL): Promise<void> => {
  const browser = openBrowser(app.port, app.a)
  const consent = await signInOn(browser, await browser.open(address.pathname + address.search), ada)
  const reply = await browser.submit(parseForm(consent), [['decision', 'approve']])
  assert.equal((await fetch(readCallback(reply))).status, 200)
}

const pay = async ({ pathname: path }: URL): Promise<void> => {
  const browser = await enterAccount({ port: app.port, school: app.a, ...ada })
  const form = formTo(await browser.open(path), path, { provider: 'test' })
  const reply = await post(app.port, browser, path, listFields(form))
  await onTestPage(app, String(reply.headers.location), 'pay')
}

test('the example creates a course, sells it for a test payment, teaches it and reads what it earned', async () => {
  await setProvider(app, 'test', {})
  const child = spawn(process.execPath, [EXAMPLE, app.a.baseUrl])
  const errors = text(child.stderr)
  const closed = once(child, 'close')
  const printed: string[] = []
  const doing: Promise<void>[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line)
    const [, address] = /: (http\S+)$/.exec(line) ?? []
    if (address === undefined) continue
    const act = line.startsWith('Pay') ? pay : allow
    const stop = (error: unknown): never => {
      child.kill()
      throw error
    }
    doing.push(act(new URL(address)).catch(stop))
  }
  await Promise.all(doing)
  assert.deepEqual([await errors, await closed], ['', [0, null]])
  const [, published, , learned, earned] = printed
  assert.equal(published, 'The course is published, with 0 warnings')
  assert.equal(learned, 'The buyer has learned 100 % of the course')
  assert.equal(earned, '1 student, 1 order, 2500 EUR in minor units')
})

test('the example has at most 100 lines and no packages', () => {
  const source = readFileSync(EXAMPLE, 'utf8')
  assert.ok(source.trimEnd().split('\n').length <= 100)
  for (const [, name] of source.matchAll(/from '([^']+)'/g)) assert.match(String(name), /^node:/)
})
