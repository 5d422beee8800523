import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createCutter, type Frame, parseTexts, readType } from './faults/frames.ts'
import { parseUpstream, through } from './faults/proxy.ts'

/** A string that was sent to a server, and the number of commands that the server found in it. */
export type Sent = { readonly text: string; readonly commands: number }

/** A proxy in front of a server that records every string that is sent to it. */
export type Recorder = {
  /** Returns the address that leads through it to the database of an address. */
  through(url: string): string
  readonly sent: readonly Sent[]
  close(): Promise<void>
}

type SentString = { text: string; commands: number }

// A server completes each command of a string, and becomes ready once for all of them.
const recording = (record: (sent: Sent) => void) => {
  const waiting: SentString[] = [{ text: 'connect', commands: 0 }]
  let parsed = ''
  return {
    request: (frame: Frame): void => {
      const type = readType(frame)
      const [first = '', second = ''] = parseTexts(frame)
      if (type === 'P') parsed = second
      if (type === 'Q') waiting.push({ text: first, commands: 0 })
      if (type === 'S') waiting.push({ text: parsed, commands: 0 })
    },
    answered: (frame: Frame): void => {
      const [first] = waiting
      if (first === undefined) return
      if (readType(frame) === 'C') first.commands += 1
      if (readType(frame) !== 'Z') return
      waiting.shift()
      record(first)
    },
  }
}

const pass = (from: Socket, to: Socket, startsTyped: boolean, read: (frame: Frame) => void): void => {
  const cut = createCutter(startsTyped)
  let hasBegun = startsTyped
  from.on('data', chunk => {
    for (const frame of cut(chunk)) {
      // The first message of a client has no type.
      if (hasBegun) read(frame)
      hasBegun = true
    }
    to.write(chunk)
  })
  from.on('error', () => undefined).on('close', () => to.destroy())
}

/** Starts a recorder in front of the server of an address. */
export const startRecorder = async (serverUrl: string): Promise<Recorder> => {
  const sent: Sent[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, client => {
    const upstream = connect(parseUpstream(new URL(serverUrl)))
    const { request, answered } = recording(one => sent.push(one))
    pass(client, upstream, false, request)
    pass(upstream, client, true, answered)
    sockets.add(client).add(upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    through: url => through(new URL(url), port),
    sent,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
