import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { learner, listLinks } from '#testing/learn-pages.ts'

const app = testApp()

const HTML = { accept: 'text/html,*/*;q=0.8' }

/** Follows redirects within the school. */
const follow = async (
  path: string,
  headers = HTML,
): Promise<{ reply: TestReply; path: string; statuses: number[] }> => {
  const statuses: number[] = []
  let at = path
  for (;;) {
    const reply = await app.send({ path: at, headers })
    statuses.push(reply.status)
    const { location } = reply.headers
    if (location === undefined || statuses.length > 4 || !location.startsWith('/')) return { reply, path: at, statuses }
    at = location
  }
}

const takeFirst = async (list: string): Promise<string> => {
  const { text } = await app.send({ path: list, headers: HTML })
  const [, path = ''] = new RegExp(`href="(${list}/[a-z0-9-]+)"`).exec(text) ?? []
  assert.notEqual(path, '', list)
  return path
}

suite('an address with a slash at the end, slashes too many or capital letters leads to the page', () => {
  for (const list of ['/courses', '/lecturers', '/products', '/plans', '/events', '/blog'])
    test(list, async () => {
      const one = await takeFirst(list)
      for (const page of [list, one])
        for (const typed of [`${page}/`, `${page}//`, `/${page}`, page.toUpperCase(), `${page.toUpperCase()}/`]) {
          const { reply, path, statuses } = await follow(`${typed}?utm=A%20b`)
          assert.deepEqual([reply.status, path, statuses[0]], [200, `${page}?utm=A%20b`, 301], typed)
        }
    })

  test('programs that name no type of page are led too, and HEAD', async () => {
    assert.equal((await follow('/courses/', { accept: '*/*' })).reply.status, 200)
    const { status, headers } = await app.send({ method: 'HEAD', path: '/Courses', headers: HTML })
    assert.deepEqual([status, headers.location], [301, '/courses'])
  })

  test('the pages of somebody who is signed in', async () => {
    const walks = [
      ['ada', '/staff', /^\/staff\//],
      ['dev', '/account', /^\/(?:account|learn)/],
      ['dev', '/learn', /^\/learn/],
    ] as const
    for (const [person, start, below] of walks) {
      const browser = await learner(app, person)
      const headers = { ...HTML, cookie: [...browser.cookies].map(pair => pair.join('=')).join('; ') }
      const pages = listLinks(await browser.open(start)).filter(href => below.test(href) && !/[?#]/.test(href))
      assert.ok(pages.length > 3, start)
      // Where capital letters matter in a part of an address, others lead nowhere.
      for (const page of new Set(pages))
        for (const typed of [
          `${page}/`,
          `/${page}`,
          ...(/[A-Z]/.test(page) ? [] : [page.replace(/^.*?[a-z]/, part => part.toUpperCase())]),
        ]) {
          const { reply, path } = await follow(typed, headers)
          assert.deepEqual([reply.status, path], [200, page], typed)
        }
    }
    const { headers } = await app.send({ path: '/learn/', headers: HTML })
    assert.equal(headers.location, '/learn')
  })

  test('a slash too many below an address with a part of its own', async () => {
    const slug = (await takeFirst('/courses')).slice('/courses/'.length)
    for (const [typed, page] of [
      [`/learn/${slug}/`, `/learn/${slug}`],
      ['/checkout/?price=prc_1', '/checkout?price=prc_1'],
      ['/forms/Ask-the-Bakery', '/forms/ask-the-bakery'],
      ['/forms/ask-the-bakery/?campaign=A', '/forms/ask-the-bakery?campaign=A'],
    ] as const)
      assert.equal((await app.send({ path: typed, headers: HTML })).headers.location, page)
  })

  test('pages of people lead on to signing in, below the same address', async () => {
    for (const path of ['/staff/', '/Staff', '/account/', '/STAFF/people/']) {
      const { statuses, reply } = await follow(path)
      assert.equal(statuses[0], 301, path)
      assert.match(`${reply.headers.location ?? ''}${reply.text}`, /name="password"|sign-in/, path)
    }
  })
})

test('nothing leads to another host, and what is no page leads nowhere', async () => {
  for (const path of [
    '//evil.example',
    '//evil.example/',
    '/\\evil.example/',
    '///Evil.example//',
    '/%5C/evil.example/',
    '//evil.example/%2e%2e/',
  ]) {
    const { headers } = await app.send({ path, headers: HTML })
    const { location } = headers
    if (location !== undefined) assert.equal(new URL(location, app.a.baseUrl).origin, app.a.baseUrl, path)
  }
  for (const path of [
    '/api/v1/courses/',
    '/API/v1/courses',
    '/.well-known/openid-configuration/',
    '/oauth/authorize/',
    '/api/oauth/JWKS',
  ]) {
    const { status, headers } = await app.send({ path, headers: { accept: '*/*' } })
    if (path !== '/API/v1/courses') assert.equal(headers.location, undefined, path)
    assert.ok(status >= 300, path)
  }
  const posted = await app.send({ method: 'POST', path: '/courses/', headers: HTML })
  assert.deepEqual([posted.status >= 400, posted.headers.location], [true, undefined])
  assert.equal((await follow('/no-such-page/')).reply.status, 404)
})
