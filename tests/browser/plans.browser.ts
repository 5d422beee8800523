import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { testApp } from '#testing/app.ts'
import { createWalk } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { planner } from '#testing/memberships.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

test('every page of plans was looked at, on a desktop and on a phone', async () => {
  const ada = await planner(app)
  const plan = (await ada.get('/membership-plans/slug:bakers-club')).json
  const draft = (await ada.get('/membership-plans/slug:summer-school')).json
  const course = (await ada.get('/courses/slug:first-loaf')).json
  const path = `/staff/plans/${plan.id}`
  for (const size of ['desktop', 'phone'] as const) {
    const { page, ...walker } = await walk.start(size)
    if (size === 'phone') await page.setViewportSize({ width: 360, height: 720 })
    for (const open of ['/plans', '/plans/bakers-club', '/plans/baking-basics']) {
      await walker.goto(open)
      await walker.look()
    }
    await enterConsole({ page, ...walker }, size, '/staff/plans')
    for (const open of [
      ...['/staff/plans', '/staff/plans/new', path, `${path}/edit`, `${path}/holders`],
      `${path}/items/course/${course.id}`,
      `/staff/plans/${draft.id}/items/course/${course.id}/addition`,
      `${path}/prices/${plan.prices[0].id}/moves`,
    ]) {
      await walker.goto(open)
      await walker.look()
    }
    await walker.close()
  }
  assert.deepEqual(await walk.missing('plans'), [])
})
