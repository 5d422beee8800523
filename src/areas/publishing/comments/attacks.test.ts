// One thing: what hostile people write, and how much.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { COMMENT_STAFF, COMMENTING, comment, commented, commentedCourse, fromElsewhere } from '#testing/comments.ts'

const app = testApp({ trustProxy: '127.0.0.1' })

const subject = async (name: string) => {
  const ada = await app.actor('ada', { scopes: COMMENT_STAFF })
  return commentedCourse(app, ada, name, ['dev'])
}

const dev = () => app.actor('dev', { scopes: COMMENTING })

test('markup and addresses that would run are text, and links are nofollow', async () => {
  const { id } = await subject('Markup')
  const words = [
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '[a](javascript:alert(1))',
    '![b](https://evil.example/pixel.png)',
    '[c][x]\n\n[x]: data:text/html,boo',
    '[https://bank.example](https://evil.example/)',
    '<https://other.example/>',
  ]
  const { status, json } = await comment(await dev(), id, words.join('\n\n'))
  assert.equal(status, 201)
  const html: string = json.body_html
  assert.doesNotMatch(html, /<(?!\/?(?:p|br|a|em|strong)\b)/)
  assert.doesNotMatch(html, /href="(?!https?:)/)
  const links = html.match(/<a [^>]*>/g) ?? []
  assert.ok(links.length >= 2, html)
  for (const link of links) assert.match(link, /^<a href="https:\/\/[^"]*" rel="nofollow ugc noopener">$/)
})

test('words that nobody sees are refused, and signs and directions are shown inert', async () => {
  const { id } = await subject('Invisible')
  const actor = await dev()
  for (const body of ['', ' ', '\u200b\u200d\ufeff', '\u202e', '[](https://x.example)']) {
    const { status, json } = await comment(actor, id, body)
    assert.deepEqual([status, json.errors?.[0]?.pointer], [422, '/body'], JSON.stringify(body))
  }
  const tooLong = await comment(actor, id, 'a'.repeat(5001))
  assert.equal(tooLong.status, 422)
  await app.moveClock(61)
  const many = await comment(actor, id, '@'.repeat(5000))
  assert.ok(many.status === 201 || many.status === 422, many.text)
  const turned = await comment(actor, id, 'abc \u202e def')
  assert.equal(turned.status, 201)
  assert.doesNotMatch(turned.json.body_html, /<bdo|dir=/)
})

test('a member writes 10 comments a minute, and the same text three times an hour', async () => {
  await app.moveClock(3600)
  const actor = await dev()
  const places = await Promise.all(['One', 'Two', 'Three', 'Four'].map(name => subject(`Same text ${name}`)))
  const statuses: number[] = []
  for (const { id } of places) statuses.push((await comment(actor, id, 'Buy my bread')).status)
  assert.deepEqual(statuses, [201, 201, 201, 429])
  await app.moveClock(61)
  const [place] = places
  const many = Array.from({ length: 40 }, (_, index) => comment(actor, place?.id ?? '', `Number ${index}`))
  const replies = await Promise.all(many)
  assert.equal(replies.filter(({ status }) => status === 201).length, 10)
  const limited = replies.filter(({ status }) => status === 429)
  assert.equal(limited.length, 30)
  assert.ok(limited.every(({ headers }) => Number(headers['retry-after']) > 0))
})

test('members of one network write what each of them may, at once', async () => {
  await app.moveClock(3600)
  const { id } = await subject('One network')
  const actors = await Promise.all(
    (['dev', 'eli', 'femi', 'carla'] as const).map(name => app.actor(name, { scopes: COMMENTING })),
  )
  const network = fromElsewhere()
  const write = (index: number) =>
    actors[index % actors.length]?.write(
      'POST',
      '/account/comments',
      { subject: id, body: `From one network ${index}` },
      network,
    )
  const replies = await Promise.all(Array.from({ length: 44 }, (_, index) => write(index)))
  assert.equal(replies.filter(reply => reply?.status === 201).length, 40)
  assert.equal(replies.filter(reply => reply?.status === 429).length, 4)
  await app.moveClock(61)
  await commented(await dev(), id, 'Later')
})

test('a thread has at most 500 comments, however many arrive at once', async () => {
  await app.moveClock(3600)
  const { id } = await subject('A long thread')
  const actor = await dev()
  const root = await commented(actor, id, 'The root')
  await app.database.query('update comments set thread_size = 498 where school_id = $1 and depth = 1 and body = $2', [
    app.a.id,
    'The root',
  ])
  const replies = await Promise.all(Array.from({ length: 6 }, (_, index) => comment(actor, id, `Reply ${index}`, root)))
  assert.equal(replies.filter(({ status }) => status === 201).length, 2)
  const full = replies.filter(({ status }) => status === 409)
  assert.deepEqual([full.length, full[0]?.json.code], [4, 'thread_full'])
})
