import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** The records of a name: addresses of either family, `silent` for no reply, or a response code. */
type Zone = {
  readonly a?: readonly string[] | 'silent' | 'failure'
  readonly aaaa?: readonly string[] | 'silent' | 'failure'
}

/** A name server over UDP on this computer. */
export type NameServer = {
  /** Its address in the form that a resolver takes. */
  readonly address: string
  /** Every question so far, as `A app.example`. */
  readonly questions: string[]
  /** Sets the records of a name from now on; other names do not exist. */
  say(host: string, zone: Zone): void
  stop(): Promise<void>
}

const TYPES = { 1: 'a', 28: 'aaaa' } as const
const [SERVER_FAILURE, NO_SUCH_NAME] = [2, 3]

const nameIn = (message: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

const toBytes = (address: string): number[] => {
  if (!address.includes(':')) return address.split('.').map(Number)
  const [left = [], right = []] = address.split('::').map(part => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = address.includes('::') ? [...left, ...zeros, ...right] : left
  return groups.flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
}

// RFC 1035 §4.1.3: the name is a pointer to the question.
const encodeRecord = (type: number, address: string): Buffer => {
  const data = toBytes(address)
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data])
}

// RFC 1035 §4.1.1
const replyTo = (question: Buffer, code: number, records: readonly Buffer[]): Buffer => {
  const head = Buffer.from([question[0] ?? 0, question[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0])
  return Buffer.concat([head, question.subarray(12), ...records])
}

const buildAnswer = (zones: ReadonlyMap<string, Zone>, message: Buffer): Buffer | undefined => {
  const { name, end } = nameIn(message)
  const type = message.readUInt16BE(end - 4)
  const question = message.subarray(0, end)
  const zone = zones.get(name)
  if (zone === undefined) return replyTo(question, NO_SUCH_NAME, [])
  const configured = type === 1 || type === 28 ? (zone[TYPES[type]] ?? []) : []
  if (configured === 'silent') return undefined
  if (configured === 'failure') return replyTo(question, SERVER_FAILURE, [])
  return replyTo(
    question,
    0,
    configured.map(address => encodeRecord(type, address)),
  )
}

/** Starts a name server. */
export const startNameServer = async (): Promise<NameServer> => {
  const zones = new Map<string, Zone>()
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    const { name, end } = nameIn(message)
    questions.push(`${message.readUInt16BE(end - 4) === 28 ? 'AAAA' : 'A'} ${name}`)
    const answer = buildAnswer(zones, message)
    if (answer !== undefined) socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    questions,
    say: (host, zone) => void zones.set(host, zone),
    stop: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}
