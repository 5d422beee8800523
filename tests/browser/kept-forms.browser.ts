import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { TEACHING, teach } from '#testing/learning.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium?.close())

const WORDS = Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' ')
const SIZES = [
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 360, height: 740 }],
] as const

for (const [size, viewport] of SIZES) {
  test(`a lesson of 3,000 words is in the editor after the cookie is gone and the person signed in, on a ${size}`, async () => {
    const { lessons, id } = await teach(await app.actor('ada', { scopes: TEACHING }), `Kept ${size}`, [
      { name: 'Long' },
    ])
    const walker = await walk.start(size)
    const { page } = walker
    await page.setViewportSize(viewport)
    const path = `/staff/courses/${id}/lessons/${lessons[0]}`
    const signIn = { email: people.ada.email, password: PASSWORD }
    await walker.goto(`/account/sign-in?return_to=${path}`)
    await walker.fill(signIn)
    await page.fill('#body', WORDS)
    await page.context().clearCookies()
    await page.press('#name', 'Enter')
    await page.waitForURL(/\/account\/sign-in/)
    await walker.look()
    await walker.fill(signIn)
    await walker.look()
    assert.equal(new URL(page.url()).pathname, path)
    assert.equal(await page.inputValue('#body'), WORDS)
    assert.equal(await page.evaluate('document.activeElement.id'), 'kept')
    await page.press('#name', 'Enter')
    await page.waitForURL(/done=/)
    assert.equal(await page.inputValue('#body'), WORDS)
    await walker.close()
  })
}
