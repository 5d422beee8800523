import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { internet } from '#src/outbound/index.ts'
import { postMessage } from './posting.lookups.ts'

const MESSAGE = { id: 'fct_1', body: '{}', secrets: [Buffer.alloc(32)] }
// For what ends by itself, for what begins to answer and never ends, and for what never answers.
const [ENOUGH_MS, SOME_MS, SHORT_MS] = [15_000, 3000, 1000]

/** Posts to a server that does what it likes with the connection once a request came; returns the outcome and what the server saw. */
const postTo = async (act: (socket: Socket) => void, patience: number) => {
  const sockets: Socket[] = []
  let count = 0
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      count += 1
      act(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const parts = { outside: internet, readClock: () => new Date(0), school: { baseUrl: 'http://localhost:3000' } }
  try {
    const { outcome } = await postMessage(parts, `http://127.0.0.1:${port}/hook`, MESSAGE, patience)
    return { result: outcome.result, word: outcome.word, count }
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

/** Writes to a connection for as long as it is open, and no faster than the other side reads. */
const writeForever = (socket: Socket, chunk: string): void => {
  if (!socket.destroyed && socket.write(chunk)) setImmediate(writeForever, socket, chunk)
  else if (!socket.destroyed) socket.once('drain', () => writeForever(socket, chunk))
}

const drip = (socket: Socket, text: string): void => {
  const timer = setInterval(() => void (socket.destroyed ? clearInterval(timer) : socket.write(text)), 20)
}

suite('K-06 receivers that do not answer as they should end within the time of an attempt', () => {
  const bomb = gzipSync(Buffer.alloc(50 << 20))
  const cases: readonly [
    name: string,
    act: (socket: Socket) => void,
    result: string,
    word: string,
    patience?: number,
  ][] = [
    [
      'another protocol',
      socket => void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
      'failed',
      'closed',
    ],
    ['what is not HTTP', socket => void socket.write('220 mail.example.org ESMTP\r\n'), 'failed', 'closed'],
    ['nothing', () => undefined, 'failed', 'timeout'],
    ['an end without an answer', socket => void socket.end(), 'failed', 'closed'],
    ['headers without an end', socket => writeForever(socket, 'HTTP/1.1 200 OK\r\nx: y\r\n'), 'failed', 'closed'],
    [
      'headers of more than 8 KB',
      socket => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(9000)}\r\n\r\n`),
      'failed',
      'closed',
    ],
    [
      'headers that drip',
      socket => {
        socket.write('HTTP/1.1 200 OK\r\nx: ')
        drip(socket, 'y')
      },
      'failed',
      'timeout',
    ],
    ['hints without an answer', socket => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'failed', 'timeout'],
    [
      'a body without an end',
      socket => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        writeForever(socket, 'y'.repeat(1 << 16))
      },
      'delivered',
      '200',
    ],
    [
      'a body that drips',
      socket => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        drip(socket, 'y')
      },
      'delivered',
      '200',
      SOME_MS,
    ],
    [
      'a body that is large when it is unpacked',
      socket => {
        socket.write(`HTTP/1.1 204 No\r\ncontent-encoding: gzip\r\n\r\n`)
        socket.write(bomb)
      },
      'delivered',
      '204',
    ],
    [
      'a body that breaks off',
      socket => void socket.end('HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\nhalf'),
      'failed',
      '500',
    ],
  ]
  for (const [name, act, result, word, patience = word === 'timeout' ? SHORT_MS : ENOUGH_MS] of cases)
    test(name, async () => assert.deepEqual(await postTo(act, patience), { result, word, count: 1 }))
})
