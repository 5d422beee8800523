import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { limitConnections } from './connections.ts'

const LIMIT = 4

const waiting: ServerResponse[] = []
const server = createServer((request, response) => {
  if (request.url === '/slow') waiting.push(response)
  else response.end('ok')
})
limitConnections(server, LIMIT)

before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
after(() => {
  server.close()
  server.closeAllConnections()
})

const request = (path: string): Socket => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: test\r\n\r\n`)
  return socket
}

const answered = async (socket: Socket): Promise<Socket> => {
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 /)
  socket.resume()
  return socket
}

test('connections without a request are closed when there are as many as the server takes, and others are not', async () => {
  const slow = request('/slow')
  const idle = [await answered(request('/')), await answered(request('/'))]
  const closed = idle.map(socket => once(socket, 'close'))
  // The last one that the server takes.
  await answered(request('/'))
  await Promise.all(closed)
  await Promise.all([answered(request('/')), answered(request('/'))])
  assert.equal(waiting.length, 1)
  waiting[0]?.end('ok')
  await answered(slow)
})
