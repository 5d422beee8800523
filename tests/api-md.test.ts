import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'

const app = testApp()

type Block = { readonly first: string; readonly headers: readonly (readonly [string, string])[]; readonly body: string }

const parseBlock = (text: string): Block => {
  const [head = '', ...body] = text.trimEnd().split('\n\n')
  const [first = '', ...lines] = head.split('\n')
  const headers = lines.map(line => {
    const [name = '', ...value] = line.split(': ')
    return [name.toLowerCase(), value.join(': ')] as const
  })
  return { first, headers, body: body.join('\n\n') }
}

/** That a value holds everything that is shown of it; a list holds as many things as are shown. */
const assertShows = (value: unknown, shown: unknown, at: string): void => {
  if (typeof shown !== 'object' || shown === null) {
    assert.deepEqual(value, shown, at)
    return
  }
  if (Array.isArray(shown)) assert.equal(Array.isArray(value) ? value.length : undefined, shown.length, at)
  assert.ok(typeof value === 'object' && value !== null, at)
  for (const [name, member] of Object.entries(shown)) assertShows(Reflect.get(value, name), member, `${at}/${name}`)
}

const assertAnswers = (reply: TestReply, { first, headers, body }: Block, request: string): void => {
  assert.equal(String(reply.status), first, `${request}: ${reply.text}`)
  for (const [name, value] of headers) {
    if (value === '*') assert.ok(reply.headers[name], `${request}: ${name}`)
    else assert.equal(reply.headers[name], value, `${request}: ${name}`)
  }
  if (body !== '') assertShows(reply.json, JSON.parse(body), request)
}

test('each request of docs/api.md is answered as it shows', async () => {
  const markdown = await readFile(new URL('../docs/api.md', import.meta.url), 'utf8')
  const blocks = [...markdown.matchAll(/^```http\n([\s\S]*?)^```$/gm)].map(([, text = '']) => parseBlock(text))
  assert.ok(blocks.length >= 30 && blocks.length % 2 === 0)
  const scopes = ['members:read', 'members:write', 'school:read', 'account:read', 'pages:write']
  const ada = await app.actor('ada', { scopes })
  for (let at = 0; at < blocks.length; at += 2) {
    const [request, answered] = blocks.slice(at, at + 2)
    assert.ok(request && answered)
    const [method = '', path = ''] = request.first.split(' ')
    const headers = Object.fromEntries(request.headers)
    if (headers.authorization !== undefined) headers.authorization = headers.authorization.replace('…', ada.token)
    const sent = { method, path: `/api/v1${path}`, headers, ...(request.body === '' ? {} : { body: request.body }) }
    // Rows come in the order of commits once no transaction of before is open any more.
    if (path.includes('after=')) await app.settled()
    assertAnswers(await app.send(sent), answered, request.first)
  }
})
