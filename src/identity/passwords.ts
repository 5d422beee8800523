import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '#src/contract/problem.ts'
import { unavailable } from '#src/contract/problems.ts'
import { sameBytes } from '#src/kit/crypto.ts'
import { texts } from '#src/texts/index.ts'

const hash = promisify(argon2)

// OWASP ASVS 5, appendix C: argon2id with 19 MiB, 2 passes, 1 lane. Memory in KiB.
const CURRENT = { memory: 19_456, passes: 2, parallelism: 1 }
const LENGTH = 32
const AT_ONCE = 2
const WAITING = 64

let running = 0
const queue: (() => void)[] = []

// Each hash takes a core and 19 MiB, so few run at once and the queue is short.
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (queue.length >= WAITING)
    throw new Refusal(unavailable, texts.identity.passwords.inTurn.tooManySignInsAt, {
      headers: { 'retry-after': '2' },
    })
  if (running >= AT_ONCE) await new Promise<void>(resolve => queue.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next === undefined) running--
    else next()
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

const derive = (password: string, salt: Buffer, how: typeof CURRENT): Promise<Buffer> =>
  inTurn(() => hash('argon2id', { message: password.normalize('NFC'), nonce: salt, tagLength: LENGTH, ...how }))

const write = (salt: Buffer, tag: Buffer, how: typeof CURRENT): string =>
  `$argon2id$v=19$m=${how.memory},t=${how.passes},p=${how.parallelism}$${base64(salt)}$${base64(tag)}`

/** Hashes a password with argon2id into a PHC string. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  return write(salt, await derive(password, salt, CURRENT), CURRENT)
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/
const NOBODY = write(Buffer.alloc(16), Buffer.alloc(LENGTH), CURRENT)

/**
 * Compares a password with a stored hash; without one it takes the same time and fails. `stale`: it must be hashed
 * again with the current parameters.
 */
export const checkPassword = async (
  password: string,
  stored: string | undefined,
): Promise<{ ok: boolean; stale: boolean }> => {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(stored ?? NOBODY) ?? []
  if (memory === undefined) throw new Error('a stored password hash has an unknown form')
  const how = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const derived = await derive(password, Buffer.from(salt, 'base64'), how)
  const ok = sameBytes(derived, Buffer.from(tag, 'base64')) && stored !== undefined
  return { ok, stale: ok && (how.memory !== CURRENT.memory || how.passes !== CURRENT.passes) }
}
