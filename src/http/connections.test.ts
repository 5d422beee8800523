import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { createSecondListener, limitConnections } from './connections.ts'

const LIMIT = 4

const waiting: ServerResponse[] = []
const server = createServer((request, response) => {
  if (request.url === '/slow') waiting.push(response)
  else response.end('ok')
})
limitConnections(server, LIMIT, server)
const second = createSecondListener(server)

before(() => Promise.all([server, second].map(one => once(one.listen(0, '127.0.0.1'), 'listening'))))
after(() => {
  server.close()
  second.close()
  server.closeAllConnections()
})

const request = (at: Server, path: string): Socket => {
  const socket = connect((at.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: test\r\n\r\n`)
  return socket
}

const answered = async (socket: Socket): Promise<Socket> => {
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 /)
  socket.resume()
  return socket
}

for (const [title, at] of [
  ['the server', server],
  ['a listener at a second address', second],
] as const)
  test(`connections without a request are closed when there are as many as ${title} takes, and others are not`, async () => {
    const slow = request(at, '/slow')
    const idle = [await answered(request(at, '/')), await answered(request(at, '/'))]
    const closed = idle.map(socket => once(socket, 'close'))
    // The last one that the server takes.
    await answered(request(at, '/'))
    await Promise.all(closed)
    await Promise.all([answered(request(at, '/')), answered(request(at, '/'))])
    assert.equal(waiting.length, 1)
    waiting.pop()?.end('ok')
    await answered(slow)
  })
