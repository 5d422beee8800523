import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser, PageForm } from '#testing/browser.ts'
import { formWith, sendFiles } from '#testing/staff-pages.ts'
import { people } from '../src/demo/index.ts'

const app = testApp()
const SCOPES = ['posts:read', 'posts:write']
const PREVIEW = '/staff/texts/preview'
const PICTURES = '/staff/texts/pictures'

const enter = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

// A form of the person with its token, sent to another address.
const formTo = async (browser: Browser, action: string): Promise<PageForm> => {
  const page = await browser.open('/account/profile')
  const form = formWith(page, 'token')
  return { ...form, action, fields: form.fields.filter(([name]) => name === 'token') }
}

const picture = async () => ({
  name: 'jar.png',
  type: 'image/png',
  text: new Uint8Array(
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a53' } })
      .png()
      .toBuffer(),
  ),
})

const write = async (body: string, name: PersonName = 'ada'): Promise<string> => {
  const actor = await app.actor(name, { scopes: SCOPES })
  return (await actor.write('POST', '/posts', { title: 'Steam', body })).json.id
}

test('a text is shown as its readers would see it, sanitized, in a page of its own', async () => {
  const carla = await enter('carla')
  const typed = 'A *loaf* <script>alert(1)</script> ![x](https://a.example/x.png) [way](/courses)'
  const shown = await carla.submit(await formTo(carla, PREVIEW), [
    ['preview', 'plain:description'],
    ['description', typed],
  ])
  assert.equal(shown.status, 200)
  assert.match(shown.text, /id="text-preview">\n<div class="prose" dir="auto"><p>A <em>loaf<\/em> &lt;script&gt;/)
  assert.doesNotMatch(shown.text, /<img [^>]*a\.example|href="\/courses" rel/)
  const block = await carla.submit(await formTo(carla, PREVIEW), [
    ['preview', 'page:b.0.body'],
    ['b.0.body', typed],
  ])
  assert.match(block.text, /<a href="\/courses" rel/)
})

test('a picture is stored for a text, and its id and address come back', async () => {
  const carla = await enter('carla')
  const stored = await sendFiles(
    app,
    carla,
    await formTo(carla, PICTURES),
    { file: await picture() },
    { purpose: 'post' },
  )
  assert.equal(stored.status, 200, stored.text)
  assert.match(stored.headers['content-type'] ?? '', /^application\/json/)
  const { id, url } = JSON.parse(stored.text)
  assert.match(id, /^fil_/)
  assert.equal((await app.send({ path: new URL(url).pathname + new URL(url).search })).status, 200)
  // It is hers: she may show it in a post.
  assert.match(await write(`![A jar](${id})`, 'carla'), /^pst_/)
})

test('what is no picture, or for something else, is refused with a sentence, and nothing is stored', async () => {
  const ada = await enter('ada')
  const count = async () => (await app.database.query(`select 1 from uploads where status = 'ready'`)).length
  const before = await count()
  const form = await formTo(ada, PICTURES)
  const words = { name: 'a.png', text: 'no picture', type: 'image/png' }
  for (const [file, purpose] of [
    [words, 'post'],
    [{ ...words, type: 'text/plain' }, 'post'],
    [await picture(), 'invoice'],
  ] as const) {
    const refused = await sendFiles(app, ada, form, { file }, { purpose })
    assert.equal(refused.status, 422)
    assert.equal(JSON.parse(refused.text).reason, 'Choose a picture: PNG, JPEG, WebP or GIF.')
  }
  assert.equal(await count(), before)
})

test('neither members nor strangers, nor a form without its token, store or show anything', async () => {
  const dev = await enter('dev')
  for (const path of [PREVIEW, PICTURES]) {
    const refused = await sendFiles(app, dev, await formTo(dev, path), { file: await picture() }, { purpose: 'post' })
    assert.ok([403, 404].includes(refused.status), `${path}: ${refused.status}`)
    assert.doesNotMatch(refused.text, /fil_/)
    const stranger = await app.send({ method: 'POST', path, headers: { accept: 'text/html' } })
    assert.ok(stranger.status !== 200, `${path}: ${stranger.status}`)
    const ada = await enter('ada')
    const forged = await sendFiles(
      app,
      ada,
      { action: path, fields: [] },
      { file: await picture() },
      { purpose: 'post' },
    )
    assert.ok(forged.status >= 400, `${path}: ${forged.status}`)
    assert.doesNotMatch(forged.text, /fil_/)
  }
})

test('a text in HTML is not opened in the editor, and one in Markdown is', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { json } = await ada.write('POST', '/posts', { title: 'Old', body: '<p>Old</p>', body_format: 'html' })
  const browser = await enter('ada')
  assert.doesNotMatch((await browser.open(`/staff/posts/${json.id}`)).text, / data-editor=|modules\/editor/)
  const page = await browser.open(`/staff/posts/${await write('New')}`)
  assert.match(
    page.text,
    / data-editor="post" data-pictures="post \/staff\/texts\/pictures" data-preview="act preview"/,
  )
  assert.match(page.text, /<script type="module" src="\/assets\/modules\/editor\.[0-9a-f]+\.js"/)
  assert.match(page.text, /<link rel="stylesheet" href="\/assets\/editor\.css">/)
  // A page without such a text loads nothing of it.
  assert.doesNotMatch((await browser.open('/staff/posts')).text, /modules\/editor|editor\.css/)
})

test('a file is put at the end of what was typed, and nothing is stored before it is saved', async () => {
  const id = await write('One')
  const browser = await enter('ada')
  const form = formWith(await browser.open(`/staff/posts/${id}`), 'body')
  const fields = { body: 'Two\r\n\r\n', put: 'picture', text_picture_alt: 'A [jar]' }
  const shown = await sendFiles(app, browser, form, { text_picture: await picture() }, fields)
  assert.match(shown.text, /Two\n\n!\[A \\\[jar\\\]\]\(fil_\w+\)<\/textarea>/)
  const ada = await app.actor('ada', { scopes: SCOPES })
  assert.equal((await ada.get(`/posts/${id}`)).json.body, 'One')
  const refused = await sendFiles(
    app,
    browser,
    form,
    { text_picture: { name: 'a.png', text: 'no', type: 'image/png' } },
    fields,
  )
  assert.ok(refused.status >= 400)
  assert.match(refused.text, /Two/)
})
