import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { enterAccount } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { rollUp } from '#testing/analytics.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { fromAnywhere, putForm } from '#testing/school-forms.ts'
import { formWith } from '#testing/staff-pages.ts'
import { until } from '#testing/until.ts'
import { people } from '../src/demo/index.ts'

const app = testApp({ cachesPublicReads: true, trustProxy: '127.0.0.1' })

const staff = (): Promise<Actor> =>
  app.actor('ada', { scopes: ['posts:read', 'posts:write', 'forms:read', 'analytics:read'] })

// What is counted is stored every two seconds.
const readCounted = async (id: string): Promise<number> => {
  const [row] = await app.database.query<{ views: number }>(
    'select coalesce(sum(views), 0)::integer as views from view_counts where item_id = $1',
    [fromId('pst', id) ?? fromId('frm', id)],
  )
  return row?.views ?? 0
}

const published = async (ada: Actor, body: object) => {
  const post = await ada.write('POST', '/posts', { title: 'Counted', body: 'All of it', ...body })
  assert.equal(post.status, 201, post.text)
  assert.equal((await ada.write('PUT', `/posts/${post.json.id}/publication`, {})).status, 200)
  return post.json as { readonly id: string; readonly slug: string }
}

type Row = {
  readonly keys: readonly { readonly part: string; readonly name: string }[]
  readonly values: readonly { readonly metric: string; readonly value: number }[]
  readonly percentage: string | null
}

const readRow = async (ada: Actor, report: string, id: string): Promise<Row | undefined> => {
  await rollUp(app)
  const { json, text } = await ada.get(`/analytics/reports/${report}?limit=100`)
  assert.ok(json.data, text)
  return (json.data as Row[]).find(({ keys }) => keys[0]?.part === id)
}

test('whoever reads a post is counted, from a cache or not, and neither HEAD nor who manages it nor what is locked is', async () => {
  const ada = await staff()
  const post = await published(ada, {})
  const locked = await published(ada, { access: 'paid', title: 'Locked' })
  const page = { path: `/blog/${post.slug}`, headers: { accept: 'text/html' } }
  const { headers } = await app.send(page)
  for (const request of [page, page, { ...page, headers: { ...page.headers, 'if-none-match': String(headers.etag) } }])
    assert.ok([200, 304].includes((await app.send(request)).status))
  await app.send({ ...page, method: 'HEAD' })
  for (const _ of [1, 2, 3]) assert.equal((await app.send({ path: `/api/v1/posts/${post.id}` })).status, 200)
  const dev = await app.actor('dev', { scopes: ['posts:read'] })
  assert.equal((await dev.get(`/posts/${post.id}`)).status, 200)
  const browser = await enterAccount({ port: app.port, school: app.a, email: people.dev.email, password: PASSWORD })
  assert.equal((await browser.open(`/account/posts/${post.slug}`)).status, 200)
  await ada.get(`/posts/${post.id}`)
  await dev.get(`/posts/${locked.id}`)
  assert.equal((await app.send({ path: `/blog/${locked.slug}`, headers: { accept: 'text/html' } })).status, 200)
  await until(async () => (await readCounted(post.id)) === 9, 'four on the page, three and one by apps, one signed in')
  assert.equal(await readCounted(locked.id), 0)
  const row = await readRow(ada, 'post_readers', post.id)
  assert.deepEqual(row?.values, [{ metric: 'post_views', value: 9 }])
  assert.deepEqual([row?.keys[0]?.name, row?.percentage], ['Counted', null])
  const [jobs] = await app.database.query<{ count: number }>(
    `select count(*)::integer as count from jobs where kind = 'metric' and school_id = $1`,
    [app.a.id],
  )
  assert.equal(jobs?.count, 1, 'the worker rolls it up without a fact')
})

test('the conversion of a form is what was submitted of what was shown, and staff are not counted', async () => {
  const ada = await staff()
  const fields = [{ id: 'email', type: 'email', label: 'E-mail', required: true }]
  await putForm(app, { slug: 'conversion', title: 'Converted', fields })
  const { json: form } = await ada.get('/forms/slug:conversion')
  const page = { path: '/forms/conversion', headers: { accept: 'text/html' } }
  for (const _ of [1, 2, 3]) assert.equal((await app.send(page)).status, 200)
  const browser = await enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD })
  const shown = await browser.open('/forms/conversion')
  await app.moveClock(3)
  const sent = await browser.submit(formWith(shown, 'form_token'), [['answer.email', 'a@b.example']], fromAnywhere())
  assert.equal(sent.status, 200, sent.text)
  await until(async () => (await readCounted(form.id)) === 3, 'the views are stored')
  const row = await readRow(ada, 'form_conversion', form.id)
  assert.deepEqual(row?.values, [
    { metric: 'form_views', value: 3 },
    { metric: 'form_submissions', value: 1 },
  ])
  assert.deepEqual([row?.keys[0]?.name, row?.percentage], ['Converted', '33.3'])
  const csv = await ada.get('/analytics/reports/form_conversion', { accept: 'text/csv' })
  assert.match(csv.text, /^currency,form,form_views,form_submissions,percentage\r\n(?:.*\r\n)*,Converted,3,1,33\.3\r\n/)
})
