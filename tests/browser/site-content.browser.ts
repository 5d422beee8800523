import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { createWalk } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { CURRICULUM_SCOPES } from '#testing/curriculum.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const WORD = 'Brot'.repeat(30)
const NAMES = ['مدرسة الخبز والعجين', '酵母菌的家庭烘焙课程', `${'Bread and '.repeat(11)}butter`, WORD]

const write = async (actor: Actor, method: 'POST' | 'PUT', path: string, body: object, headers = {}) => {
  const { status, json, text } = await actor.write(method, path, body, headers)
  assert.ok(status < 300, text)
  return json
}

// A course without a picture, a price, a subtitle, lecturers and reviews.
const publish = async (actor: Actor, name: string, slug: string, sections: readonly object[] = []): Promise<string> => {
  const { id } = await write(actor, 'POST', '/courses', { name, slug })
  const { headers } = await actor.get(`/courses/${id}/outline`)
  await write(actor, 'PUT', `/courses/${id}/outline`, { sections }, { 'if-match': headers.etag ?? '' })
  await write(actor, 'PUT', `/courses/${id}/publication`, {})
  return `/courses/${slug}`
}

const lessons = (count: number, name: string): object[] =>
  Array.from({ length: count }, (_, n) => ({ name: `${name} ${n + 1}`, type: 'text', status: 'published' }))

const fill = async (): Promise<string[]> => {
  const actor = await app.actor('ada', {
    scopes: [...CURRICULUM_SCOPES, 'lecturers:read', 'lecturers:write'],
  })
  const bare = []
  for (const [index, name] of NAMES.entries()) bare.push(await publish(actor, name, `bare-${index}`))
  const parts = Array.from({ length: 20 }, (_, n) => ({
    name: `Part ${n + 1}`,
    lessons: lessons(10, `Step ${n + 1}.`),
  }))
  const long = await publish(actor, 'Two hundred steps', 'two-hundred', parts)
  const one = await publish(actor, 'One section', 'one-section', [{ name: WORD, lessons: lessons(200, WORD) }])
  await write(actor, 'POST', '/lecturers', { display_name: WORD, slug: 'long-name', bio: `## ${WORD}\n\n${WORD}` })
  const name = `The school of ${'bread and '.repeat(9)}butter`
  await app.database.query('update schools set name = $2, description = $3 where id = $1', [app.a.id, name, WORD])
  return [...bare, long, one, '/courses', '/', '/lecturers', '/lecturers/long-name', '/search?q=bread']
}

test('long names, other scripts, 200 lessons and courses without anything fit at 1280 and at 360 pixels', async () => {
  const paths = await fill()
  for (const width of [1280, 360]) {
    const walker = await walk.start(width === 360 ? 'phone' : 'desktop')
    await walker.page.setViewportSize({ width, height: 800 })
    for (const path of paths) {
      await walker.goto(path)
      await walker.look()
    }
    await walker.close()
  }
})
