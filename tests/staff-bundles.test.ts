import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { formTo } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import { type ArchiveEntry, buildArchive } from '#testing/archives.ts'
import type { Browser } from '#testing/browser.ts'
import { deployer, setPagesHost } from '#testing/deployments.ts'
import type { TestReply } from '#testing/http.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { startMailbox } from '#testing/mail.ts'
import { formWith, once, press, readNotice, sendFiles } from '#testing/staff-pages.ts'
import { until } from '#testing/until.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const ada = once(() => deployer(app))
const ben = once(() => learner(app, 'ben'))

/** Creates a static page; returns the path of its versions. */
const create = async (at: string): Promise<string> => `/staff/pages/${await (await ada()).page(at)}/bundles`

const send = async (path: string, entries: readonly ArchiveEntry[], browser?: Browser): Promise<TestReply> => {
  const from = browser ?? (await ben())
  const form = formWith(await (await ben()).open(path), 'file')
  const text = Uint8Array.from(buildArchive(entries))
  return sendFiles(app, from, form, { file: { name: 'site.zip', text, type: 'application/zip' } })
}

const checked = async (path: string): Promise<TestReply> => {
  let page = await (await ben()).open(path)
  await until(async () => {
    page = await (await ben()).open(path)
    return !/being checked/i.test(readMain(page))
  }, 'the worker checks the archive')
  return page
}

const versionsOn = (page: TestReply, path: string): string[] =>
  listLinks(page).filter(href => href.startsWith(`${path}/dep_`))

test('without a host for static pages the page says what to do, checks versions, and offers none to visitors', async () => {
  const path = await create('/before-the-host')
  const empty = await (await ben()).open(path)
  assert.match(readMain(empty), /An address for these pages is missing .*stoa schools set --school http\S+ --pages-url/)
  assert.match(readMain(empty), /Nothing was uploaded yet/)
  const none = await sendFiles(app, await ben(), formWith(empty, 'file'))
  assert.deepEqual([none.status, readNotice(none)], [422, 'Choose a zip archive.'])
  assert.match(readNotice(await send(path, [{ name: 'index.html', data: 'One' }])), /is being checked/)
  const page = await checked(path)
  assert.match(readMain(page), /1 files?, 3.* Checked/)
  assert.doesNotMatch(page.text, /value="promote"/)
  const [version = ''] = versionsOn(page, path)
  assert.match(readMain(await (await ben()).open(version)), /index\.html/)
  // The form of a page that was open when the host was taken away.
  const id = version.split('/').at(-1) ?? ''
  const form = formTo(page, path, { act: 'delete' })
  const refused = await (await ben()).submit(form, Object.entries({ act: 'promote', deployment: id, revision: '1' }))
  assert.deepEqual([refused.status, /has no address for such pages/.test(readNotice(refused))], [409, true])
})

test('why an archive was refused is said entry by entry, without what its names could do to the page', async () => {
  const path = await create('/refused')
  await send(path, [
    { name: 'index.html', data: 'x' },
    { name: '../<b>up</b>.txt', data: 'x' },
    { name: 'CON', data: 'x' },
    { name: 'Index.HTML', data: 'x' },
  ])
  const page = await checked(path)
  assert.match(readMain(page), /Refused/)
  const [version = ''] = versionsOn(page, path)
  const shown = await (await ben()).open(version)
  assert.match(shown.text, /\.\.\/&lt;b&gt;up&lt;\/b&gt;\.txt/)
  assert.doesNotMatch(shown.text, /<b>up/)
  for (const why of [/leads to another folder/, /one of a device/, /differs only in case/])
    assert.match(readMain(shown), why)
  assert.match(readMain(shown), /There are no files/)
  const gone = await press(await ben(), path, 'delete')
  assert.match(readNotice(gone), /version was deleted/)
  assert.deepEqual(versionsOn(gone, path), [])
})

test('a version is shown, replaced, shown again and deleted; what is no longer possible is said', async () => {
  const host = await setPagesHost(app)
  const path = await create('/open-house')
  assert.doesNotMatch((await (await ben()).open(path)).text, /--pages-url/)
  await send(path, [{ name: 'index.html', data: 'One' }])
  const stale = await checked(path)
  assert.match(readNotice(await press(await ben(), path, 'promote')), /This version is live now/)
  const late = await (await ben()).submit(formTo(stale, path, { act: 'promote' }), [])
  assert.deepEqual([late.status, /Somebody has changed the page/.test(readNotice(late))], [412, true])
  assert.match(readMain(await (await ben()).open(path)), /page is not published/)
  assert.equal((await (await ada()).publish(path.split('/')[3] ?? '')).status, 200)
  const shown = async () => (await app.send({ path: '/open-house/', host })).text
  assert.equal(await shown(), 'One')

  await send(path, [{ name: 'index.html', data: 'Two' }])
  const two = await checked(path)
  const kept = formTo(two, path, { act: 'delete' })
  await press(await ben(), path, 'promote')
  assert.equal(await shown(), 'Two')
  const refused = await (await ben()).submit(kept, [])
  assert.ok([409, 412].includes(refused.status), 'a live version is not deleted')
  const back = await press(await ben(), path, 'promote')
  assert.match(readMain(back), /1 file.* Live/)
  assert.equal(await shown(), 'One', 'rolled back')
  await press(await ben(), path, 'delete')
  assert.equal(versionsOn(await (await ben()).open(path), path).length, 1)
})

test('the form is that of the person to whom it was shown, and these pages are for staff', async () => {
  const path = await create('/whose-form')
  const other = await learner(app, 'ada')
  const entries = [{ name: 'index.html', data: 'One' }]
  const foreign = await send(path, entries, other)
  assert.equal(foreign.status, 403)
  assert.deepEqual(versionsOn(await (await ben()).open(path), path), [], 'nothing was uploaded')
  const form = formWith(await (await ben()).open(path), 'file')
  const tokenless = { ...form, fields: form.fields.filter(([name]) => name !== 'token') }
  const text = Uint8Array.from(buildArchive(entries))
  assert.equal((await sendFiles(app, await ben(), tokenless, { file: { name: 'a.zip', text } })).status, 403)
  for (const [name, status] of [
    ['carla', 403],
    ['dev', 403],
  ] as const)
    assert.equal((await (await learner(app, name)).open(path)).status, status, name)
  const { status, headers } = await app.send({ path, headers: { accept: 'text/html' } })
  assert.deepEqual([status, /^\/account\/sign-in/.test(headers.location ?? '')], [303, true])
  const page = await (await ada()).page('/another')
  const { id } = await (await ada()).deployed(page, buildArchive(entries))
  assert.equal((await (await ben()).open(`${path}/${id}`)).status, 404, 'a version of another page')
  assert.equal((await (await ben()).open('/staff/pages/pag_00000000000000000000000000/bundles')).status, 404)
})
