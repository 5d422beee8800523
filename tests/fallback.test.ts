import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { methodsByPath } from '#testing/matrix.ts'

const seen: EndpointRequest[] = []

const answer = async (request: EndpointRequest): Promise<Reply | undefined> => {
  seen.push(request)
  if (request.path === '/about/us') return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'About us' }
  if (request.path === '/old') return { status: 301, headers: { location: '/about/us' } }
  return undefined
}

const app = testApp({ fallback: answer })
const plain = testApp()

const open = async (
  path: string,
  method = 'GET',
): Promise<{ reply: TestReply; requests: readonly EndpointRequest[] }> => {
  seen.length = 0
  return { reply: await app.send({ method, path }), requests: [...seen] }
}

const readWords = ({ status, json, headers }: TestReply) => ({
  status,
  json: { ...json, request_id: undefined, type: undefined, error_uri: undefined },
  type: headers['content-type'],
  allow: headers.allow,
})

test('the fallback answers GET and HEAD at paths that nothing else has', async () => {
  const { reply, requests } = await open('/about/us?draft=1')
  assert.deepEqual([reply.status, reply.text], [200, 'About us'])
  const [request] = requests
  assert.deepEqual([request?.path, request?.query, request?.params], ['/about/us', 'draft=1', {}])
  assert.equal(request?.school.id, app.a.id)
  const head = await open('/about/us', 'HEAD')
  assert.deepEqual([head.reply.status, head.reply.text], [200, ''])
  const moved = await open('/old')
  assert.deepEqual([moved.reply.status, moved.reply.headers.location], [301, '/about/us'])
})

test('where the fallback has nothing, the answer is the one without a fallback', async () => {
  for (const path of ['/unknown', '/unknown/deeper', '/%E2%82%AC']) {
    const { reply, requests } = await open(path)
    assert.equal(requests.length, 1, path)
    assert.deepEqual(readWords(reply), readWords(await plain.send({ path })), path)
  }
})

test('other methods at such a path are 404, since what is not there has no methods', async () => {
  for (const path of ['/about/us', '/unknown'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { reply, requests } = await open(path, method)
      assert.deepEqual([reply.status, requests.length], [404, 0], `${method} ${path}`)
      assert.deepEqual(readWords(reply), readWords(await plain.send({ method, path })))
    }
})

test('the API, the OAuth endpoints and the webhooks never reach it, nor a malformed path', async () => {
  const paths = [
    '/api/v1/unknown',
    '/api/unknown',
    '/oauth/unknown',
    '/.well-known/unknown',
    '/webhooks/unknown',
    '/%zz',
  ]
  for (const path of paths) {
    const { reply, requests } = await open(path)
    assert.equal(requests.length, 0, path)
    assert.deepEqual(readWords(reply), readWords(await plain.send({ path })), path)
  }
})

test('it is matched last: no path of the server reaches it, whatever the method', async () => {
  for (const path of methodsByPath().keys())
    for (const method of ['HEAD', 'OPTIONS'])
      assert.equal((await open(path, method)).requests.length, 0, `${method} ${path}`)
})
