import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { sizes, startChromium, testBothWays } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { readMemberId } from '#testing/learning.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const buildPath = async (name: PersonName): Promise<string> =>
  `/staff/people/${toId('mem', await readMemberId(app, name))}`

const readNames = ({ page }: Walker): Promise<string[]> => page.locator('tbody .c-main a').allTextContents()

const visitPerson = async ({ page, goto, look, fill }: Walker): Promise<void> => {
  const path = await buildPath('eli')
  for (const part of ['', '/courses', '/orders', '/mails', '/activity', '/details']) {
    await goto(`${path}${part}`)
    await look()
  }
  await goto(path)
  await page.fill(
    'textarea[name=body]',
    'Asks about rye, and writes long words without a hyphen: Roggenvollkornschrotbrotliebhaberin',
  )
  await page.click('form:has(textarea[name=body]) button')
  await page.waitForSelector('#done')
  await look()
  for (const act of ['suspend', 'reinstate', 'sign_out', 'export', 'merge', 'erase']) {
    await goto(`${path}/acts/${act}`)
    await look()
    if (['export', 'merge', 'erase'].includes(act)) continue
    await (act === 'suspend' ? fill({ reason: 'Shared the password' }) : fill({}))
    await page.waitForSelector('#done')
  }
  await goto(`${path}/acts/merge`)
  await fill({ email: people.femi.email })
  await page.waitForSelector('.effects')
  await look()
}

const seeAsMember = async ({ page, goto, look, fill }: Walker): Promise<void> => {
  await goto(`${await buildPath('dev')}/view`)
  await look()
  await fill({})
  await page.waitForSelector('a[href="/staff/viewing"]')
  for (const path of ['/', '/learn']) {
    await goto(path)
    assert.equal(await page.locator('a[href="/staff/viewing"]').count(), 1)
    await look()
  }
  await goto('/account/profile')
  await look(/status of 403/)
  await goto('/staff/viewing')
  await look()
  await fill({})
  await page.waitForURL(/\/staff\/people\//)
  assert.equal(await page.locator('a[href="/staff/viewing"]').count(), 0)
}

const keepSegment = async ({ page, goto, look, fill }: Walker, size: Size): Promise<void> => {
  await goto('/staff/people?role=member&status=active')
  await look()
  await page.click('a[href^="/staff/segments/new"]')
  await look()
  await fill({ name: `Members of the very long name on a ${size}` })
  await page.waitForSelector('#done')
  await goto('/staff/segments')
  await look()
  await page.click('main a[href^="/staff/segments/sgm_"]')
  await look()
}

for (const size of Object.keys(sizes) as Size[])
  test(`an owner looks after the people on a ${size}`, async () => {
    const walker = await walk.start(size)
    await enterConsole(walker, size, '/staff/people')
    await walker.goto('/staff/people/new')
    await walker.look()
    await walker.goto(`/staff/people/bulk?act=enroll&id=${(await buildPath('dev')).split('/').at(-1)}`)
    await walker.look()
    await keepSegment(walker, size)
    await visitPerson(walker)
    await seeAsMember(walker)
    await walker.close()
  })

testBothWays('people are found, some of them chosen, and tagged once the effects were shown', async way => {
  const walker = await walk.start('desktop', way)
  const { page, goto, look, fill, close } = walker
  await goto('/account/sign-in?return_to=/staff/people')
  await fill({ email: people.ben.email, password: PASSWORD })
  assert.ok((await readNames(walker)).length > 2)
  const field = page.locator('.filters [type=search]')
  await field.pressSequentially('crumb')
  await (way.javaScriptEnabled ? page.waitForURL(/q=crumb/) : field.press('Enter'))
  await page.waitForURL(/q=crumb/)
  if (way.javaScriptEnabled) {
    assert.equal(await page.evaluate('document.activeElement.value'), 'crumb')
    assert.equal(await page.locator('form.bulk').isVisible(), false)
  }
  for (const email of [people.dev.email, people.eli.email])
    await page.locator('tbody tr', { hasText: email }).locator('.c-tick input').check()
  if (way.javaScriptEnabled) assert.equal(await page.textContent('[data-chosen]'), '2 chosen')
  await look()
  await page.click('form.bulk button[value=tag]')
  const tag = `chosen ${way.javaScriptEnabled}`
  await page.fill('input[name=add]', tag)
  await page.click('button[value=check]')
  await page.waitForSelector('.effects')
  assert.match((await page.textContent('.effects')) ?? '', /The tags of 2 people change/)
  await look()
  await page.click('button[value=do]')
  await page.waitForSelector('#done')
  const tagged = await app.database.query('select 1 from member_tags where tag = $1', [tag])
  assert.equal(tagged.length, 2)
  await close()
})

test('every page of the people was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('staffPeople'), [])
})
