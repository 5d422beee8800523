import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { fromElsewhere } from '#testing/comments.ts'
import { lookUp } from '#testing/examples.ts'
import { buildRequest, everyOperation, grantable, identityScopes } from '#testing/matrix.ts'

// One thing: text that is locked is in no response of any operation to those who may not read it.

const app = testApp({ hasSubscriptions: true, trustProxy: '127.0.0.1', cachesPublicReads: true })
const MARKER = 'mirabellenmarker'
const everything = [...identityScopes, ...grantable]

const plant = async () => {
  const ada = await app.actor('ada', { scopes: everything })
  const make = async (method: 'PATCH' | 'POST' | 'PUT', path: string, body: object, headers = {}) => {
    const { status, json, text } = await ada.write(method, path, body, headers)
    assert.ok(status < 300, `${path}: ${text}`)
    return json
  }
  const post = await make('POST', '/posts', {
    title: 'A locked post',
    access: 'paid',
    body: `Open.\n\n<!--more-->\n\n${MARKER}`,
  })
  await make('PATCH', `/posts/${post.id}`, { body: `Open.\n\n<!--more-->\n\n${MARKER} again` })
  await make('PUT', `/posts/${post.id}/publication`, {})
  const comment = await make('POST', '/account/comments', { subject: post.id, body: MARKER }, fromElsewhere())
  const course = await make('POST', '/courses', { name: 'A locked course' })
  await make('POST', `/courses/${course.id}/prices`, { payment_type: 'one_time', amount: 5000 })
  const section = await make('POST', `/courses/${course.id}/sections`, { name: 'Start' })
  const lesson = await make('POST', `/sections/${section.id}/lessons`, {
    ...{ name: 'Kneading', type: 'text', status: 'published', body: MARKER },
  })
  await make('PUT', `/courses/${course.id}/publication`, {})
  const answer = await make('POST', '/account/comments', { subject: lesson.id, body: MARKER }, fromElsewhere())
  const page = await make('POST', '/pages', {
    ...{ title: 'A draft', path: '/a-draft', blocks: [{ type: 'text', body: MARKER }] },
  })
  return {
    params: { post_id: post.id, course_id: course.id, section_id: section.id, lesson_id: lesson.id, page_id: page.id },
    comments: [comment.id, answer.id],
    slugs: { post: post.slug, course: course.slug },
  }
}

test('what is locked is in no response of any read, page, feed or search to a visitor, a member or another lecturer', async () => {
  const { params, comments, slugs } = await plant()
  const ada = await app.actor('ada', { scopes: everything })
  const readers = [
    undefined,
    (await app.actor('dev', { scopes: everything, approvedAs: 'owner' })).token,
    (await app.actor('carla', { scopes: everything, approvedAs: 'owner' })).token,
  ]
  let sent = 0
  for (const operation of everyOperation.filter(({ method }) => method === 'GET')) {
    const example = await lookUp(operation, ada.token, request => app.send(request))
    const named = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const planted = Object.fromEntries(Object.entries(params).filter(([name]) => named.includes(name)))
    const ways = named.includes('comment_id') ? comments.map(comment_id => ({ ...planted, comment_id })) : [planted]
    for (const way of ways)
      for (const token of readers) {
        const request = buildRequest(operation, { ...example, params: { ...example.params, ...way }, token })
        const { status, text } = await app.send(request)
        assert.ok(!text.includes(MARKER), `${operation.id}: ${status} ${text}`)
        sent++
      }
  }
  assert.ok(sent > 400, `${sent} requests`)
  for (const subject of [params.post_id, params.lesson_id])
    for (const token of readers) {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      for (const path of [`/comments?subject=${subject}`, `/comments?q=${MARKER}`, `/posts?q=${MARKER}`]) {
        const { text } = await app.send({ path: `/api/v1${path}`, headers })
        assert.ok(!text.includes(`"${MARKER}`) && !text.includes(`${MARKER} again`), `${path}: ${text}`)
      }
    }
  for (const path of ['/', '/blog', `/blog/${slugs.post}`, '/feed.xml', `/courses/${slugs.course}`, '/a-draft']) {
    const { text } = await app.send({ path, headers: { accept: 'text/html' } })
    assert.ok(!text.includes(MARKER), path)
  }
  assert.ok(app.log.every(line => !line.includes(MARKER)))
})

test('who may read a post may read and write comments on it, and nobody else may', async () => {
  const ada = await app.actor('ada', { scopes: everything })
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write', 'comments:read', 'posts:read'] })
  const postFor = async (access: string) => {
    const { json } = await ada.write('POST', '/posts', { title: `Comments for ${access}`, access, body: 'Words.' })
    assert.equal((await ada.write('PUT', `/posts/${json.id}/publication`, {})).status, 200)
    return json
  }
  const written = (subject: string, body: string) =>
    dev.write('POST', '/account/comments', { subject, body }, fromElsewhere())
  const listed = async (subject: string, reader?: typeof dev) => {
    const path = `/comments?subject=${subject}`
    const reply = reader === undefined ? await app.send({ path: `/api/v1${path}` }) : await reader.get(path)
    return reply.json.data.map((one: { body: string }) => one.body)
  }
  const [open, members, paid] = [await postFor('public'), await postFor('members'), await postFor('paid')]
  assert.equal((await written(open.id, 'On the open one')).status, 201)
  assert.deepEqual(await listed(open.id), ['On the open one'])
  const page = await app.send({ path: `/blog/${open.slug}`, headers: { accept: 'text/html' } })
  assert.match(page.text, /On the open one/)
  assert.equal((await dev.get(`/posts/${open.id}`)).json.comment_count, 1)
  assert.equal((await written(members.id, 'On the one for members')).status, 201)
  assert.deepEqual(await listed(members.id, dev), ['On the one for members'])
  assert.deepEqual(await listed(members.id), [])
  const locked = await app.send({ path: `/blog/${members.slug}`, headers: { accept: 'text/html' } })
  assert.doesNotMatch(locked.text, /On the one for members/)
  const refused = await written(paid.id, 'Let me in')
  assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/subject'])
  assert.deepEqual(await listed(paid.id, dev), [])
  await ada.write('PATCH', `/posts/${open.id}`, { access: 'paid' })
  assert.deepEqual(await listed(open.id, dev), [])
  assert.equal((await dev.get(`/posts/${open.id}`)).json.comment_count, 0)
  assert.deepEqual(
    (await dev.get(`/account/comments?subject=${open.id}`)).json.data.map((one: { body: string }) => one.body),
    ['On the open one'],
  )
})
