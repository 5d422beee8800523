// One thing: files of the console in a real browser: several at once, cut off, after a reload and a sign-out, from the library.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { enterPassword, sizes, startChromium, testBothWays, unfold, type Way } from '#testing/chromium.ts'
import { type CuttingProxy, startCuttingProxy } from '#testing/cutting-proxy.ts'
import { openUploads } from '#testing/page-uploads.ts'

let chromium: Browser
let proxy: CuttingProxy
let folder = ''
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
  proxy = await startCuttingProxy()
  folder = await mkdtemp(join(tmpdir(), 'stoa-uploads-'))
})
after(async () => {
  await chromium?.close()
  await proxy?.stop()
  await rm(folder, { recursive: true, force: true })
})

const write = async (name: string, bytes: Buffer): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

const drawPicture = async (name: string): Promise<string> =>
  write(
    name,
    await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a52' } })
      .png()
      .toBuffer(),
  )

/** A new lesson, whose page has inputs for files. */
const openLesson = async (name: string): Promise<string> => {
  const actor = await app.actor('ada', { scopes: ['courses:write', 'curriculum:write'] })
  const { json: course } = await actor.write('POST', '/courses', { name })
  const { json: section } = await actor.write('POST', `/courses/${course.id}/sections`, { name: 'Start' })
  const { json: lesson } = await actor.write('POST', `/sections/${section.id}/lessons`, { name, type: 'text' })
  return `/staff/courses/${course.id}/lessons/${lesson.id}`
}

// What is seen of them, without unfolding.
const listAttached = async (page: Page): Promise<string[]> => {
  const seen = page.locator('.fold:has(#attachment-file) li .act a').filter({ visible: true })
  return (await seen.allTextContents()).map(text => text.trim()).sort()
}

const signIn = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${app.a.baseUrl}/account/sign-in?return_to=${path}`)
  await page.fill('[name=email]', people.ada.email)
  await enterPassword(page, PASSWORD)
  await page.waitForURL(`**${path}`)
  await unfold(page, '#attachment-file')
}

const enter = async (path: string, way?: Way, size: Size = 'desktop') => {
  const walker = await walk.start(size, way)
  await signIn(walker.page, path)
  return walker
}

/** The same through the proxy. */
const enterThroughProxy = async (path: string) => {
  const context = await chromium.newContext({ proxy: { server: proxy.address, bypass: '<-loopback>' } })
  const page = await context.newPage()
  await signIn(page, path)
  return { page, context }
}

const send = (page: Page): Promise<void> => page.click('[value=attach]')

testBothWays('several files go with one form', async way => {
  const { page, look, close } = await enter(await openLesson(`Several ${way.javaScriptEnabled}`), way)
  const paths = [await drawPicture('crust.png'), await write('notes.txt', Buffer.from('Rye'))]
  await page.setInputFiles('#attachment-file', paths)
  if (way.javaScriptEnabled) {
    await page.locator('.file .pill.good').nth(1).waitFor()
    await look()
  }
  await send(page)
  await page.waitForSelector('#done')
  assert.deepEqual(await listAttached(page), ['crust.png', 'notes.txt'])
  assert.equal(await page.innerText('#done'), 'The file was uploaded.')
  await look()
  await close()
})

test('a form that is sent while its files are on their way waits for them, and what a picture shows is asked for at once', async () => {
  const { page, close } = await enter(await openLesson('Waits'))
  let isHeld = true
  await page.route('**/content', async route => {
    while (isHeld) await new Promise(resolve => setTimeout(resolve, 20))
    await route.continue()
  })
  await page.setInputFiles('#attachment-file', await drawPicture('slow.png'))
  await send(page)
  await page.waitForSelector('.upload-holds')
  isHeld = false
  await page.waitForSelector('#done')
  assert.deepEqual(await listAttached(page), ['slow.png'])
  await page.setInputFiles('#attachment-file', await drawPicture('alt.png'))
  await page.locator('.files').getByLabel('What it shows').fill('A loaf')
  await Promise.all([page.waitForResponse(reply => reply.request().method() === 'POST'), page.keyboard.press('Tab')])
  await send(page)
  await page.waitForSelector('#done')
  await page.goto(`${app.a.baseUrl}/staff/files?q=A+loaf`)
  assert.equal(await page.locator('tbody tr').count(), 1)
  await close()
})

test('an upload goes on after its connection was cut, from the bytes that arrived', async () => {
  const { page, context } = await enterThroughProxy(await openLesson('Cut'))
  const bytes = randomBytes(12_000_000)
  proxy.cuts = 2
  await page.setInputFiles('#attachment-file', await write('cut.bin', bytes))
  await page.waitForSelector('.file .pill.good', { timeout: 60_000 })
  assert.equal(proxy.cut, 2)
  await send(page)
  await page.waitForSelector('#done')
  const [row] = await app.database.query(
    `select byte_size from uploads where filename = 'cut.bin' and status = 'ready'`,
  )
  assert.equal(Number(row?.byte_size), bytes.length)
  await context.close()
})

test('after a reload in the middle the file is chosen again and only the rest is sent; what was there stays with the form', async () => {
  const path = await openLesson('Reload')
  const { page, context } = await enterThroughProxy(path)
  await page.setInputFiles('#attachment-file', await write('small.txt', Buffer.from('Rye')))
  await page.waitForSelector('.file .pill.good')
  const file = await write('reload.bin', randomBytes(9_000_000))
  proxy.cuts = 1000
  await page.setInputFiles('#attachment-file', file)
  await page.getByText('The connection is lost').waitFor()
  await page.reload()
  proxy.cuts = 0
  await page.getByText(/% of reload\.bin are uploaded/).waitFor()
  let sent = 0
  page.on('request', request => {
    if (request.url().endsWith('/content')) sent += request.postDataBuffer()?.length ?? 0
  })
  await page.setInputFiles('#attachment-file', file)
  await page.locator('.file .pill.good').nth(1).waitFor({ timeout: 60_000 })
  await send(page)
  await page.waitForSelector('#done')
  assert.deepEqual(await listAttached(page), ['reload.bin', 'small.txt'])
  assert.ok(sent < 9_000_000, String(sent))
  await page.reload()
  assert.equal(await page.locator('.files .file').count(), 0, 'what was sent is not offered again')
  await context.close()
})

const testSignIn = async (name: string, losesEarlyAnswers: boolean): Promise<void> => {
  const { page, context } = await enterThroughProxy(await openLesson(name))
  proxy.cuts = 1
  proxy.losesEarlyAnswers = losesEarlyAnswers
  await page.setInputFiles('#attachment-file', await write('session.bin', randomBytes(9_000_000)))
  await page.locator('.file progress').waitFor()
  await context.clearCookies()
  await page.getByText('You are signed out').waitFor({ timeout: 30_000 })
  const other = await context.newPage()
  await signIn(other, '/staff')
  await page.bringToFront()
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await page.waitForSelector('.file .pill.good', { timeout: 60_000 })
  proxy.losesEarlyAnswers = false
  await context.close()
}

test('an upload whose session ends waits for a sign-in in another tab and goes on', () => testSignIn('Session', false))

test('an upload whose refusal is lost goes on after a sign-in in another tab', () => testSignIn('Lost refusal', true))

test('two tabs of one page each send their own files', async () => {
  const path = await openLesson('Tabs')
  const { page, context, close } = await enter(path)
  const other = await context.newPage()
  await other.goto(`${app.a.baseUrl}${path}`)
  await unfold(other, '#attachment-file')
  await Promise.all([
    page.setInputFiles('#attachment-file', await write('one.txt', Buffer.from('1'))),
    other.setInputFiles('#attachment-file', await write('two.txt', Buffer.from('2'))),
  ])
  for (const tab of [page, other]) await tab.waitForSelector('.file .pill.good')
  for (const tab of [page, other]) {
    await send(tab)
    await tab.waitForSelector('#done')
  }
  assert.deepEqual(await listAttached(other), ['one.txt', 'two.txt'])
  await close()
})

test('a file that lies about its kind is refused in words, and one that cannot be is not sent; both can be taken out', async () => {
  const course = (await openLesson('Lies')).replace(/\/lessons.*/, '/details')
  const { page, look, close } = await enter(course)
  await page.setInputFiles('#picture-file', await write('lie.png', Buffer.from('No picture')))
  await page.getByText('The content of the file is not of the type that its name says.').waitFor()
  await look(/status of 422/)
  await page.setInputFiles('#picture-file', await write('empty.png', Buffer.alloc(0)))
  await page.getByText('The file is empty').waitFor()
  await page.setInputFiles('#picture-file', await write('film.mp4', Buffer.from('x')))
  await page.getByText('A file of this type does not fit here').waitFor()
  await page.getByRole('button', { name: /film\.mp4/ }).click()
  assert.equal(await page.locator('.files .file').count(), 0)
  await close()
})

test('files are dropped and pasted', async () => {
  const { page, close } = await enter(await openLesson('Drops'))
  await page.evaluate(`for (const [type, key] of [['drop', 'dataTransfer'], ['paste', 'clipboardData']]) {
    const data = new DataTransfer()
    data.items.add(new File([type], type + '.txt', { type: 'text/plain' }))
    const event = new (type === 'drop' ? DragEvent : ClipboardEvent)(type, { bubbles: true, cancelable: true, [key]: data })
    document.querySelector(type === 'drop' ? '.drop:has(#attachment-file)' : '#attachment-file').dispatchEvent(event)
  }`)
  await page.locator('.file .pill.good').nth(1).waitFor()
  await send(page)
  await page.waitForSelector('#done')
  assert.deepEqual(await listAttached(page), ['drop.txt', 'paste.txt'])
  await close()
})

for (const size of Object.keys(sizes) as Size[])
  test(`the library of files on a ${size}: what uses them, what they show, and one of them for a form`, async () => {
    const bytes = await readFile(await drawPicture('shelf.png'))
    await (await openUploads(app, 'ada')).upload({ name: 'shelf.png', type: 'image/png', bytes }, 'course')
    const { page, look, goto, close } = await enter('/staff/files', undefined, size)
    await look()
    await goto('/staff/files?kind=picture&purpose=course')
    if (size === 'desktop') {
      await page.locator('.edit summary').first().click()
      await page.locator('.edit [name=alt]').first().fill('Bread')
      await page.locator('.edit button').first().click()
      await page.waitForSelector('#done')
    }
    await page.locator('tbody td.c-main a').first().click()
    await look()
    await page.fill('[name=alt]', 'A loaf of bread')
    await page.click('button.main')
    await page.waitForSelector('#done')
    const course = (await openLesson(`Library ${size}`)).replace(/\/lessons.*/, '/details')
    await goto('/staff/files/choose?purpose=course&field=file')
    await look()
    await goto(course)
    await page.click('#picture button[name=choose]')
    await page.locator('dialog.library a[data-file]').first().waitFor()
    await page.locator('dialog.library a[data-file]').first().click()
    await page.click('#picture [value=picture]')
    await page.waitForSelector('#done')
    assert.equal(await page.locator('#picture .thumbnail').count(), 1)
    await close()
  })

test('every page of files was looked at in both sizes', async () =>
  assert.deepEqual(await walk.missing('staffFiles'), []))
