import type { Static, TSchema } from 'typebox'
import { differsFromClock } from '#src/kit/clock-difference.ts'
import { readAnswer } from './schema.ts'

// Of everything that one call of the port asks.
const TIMEOUT_MS = 20_000

/** Mollie refused a request: it had no effect. */
export class MollieRefused extends Error {
  override name = 'MollieRefused'
  readonly status: number
  /** The field of the request that is wrong, if Mollie names one. */
  readonly field: string | undefined

  constructor(status: number, field: string | undefined) {
    super(`Mollie refused the request with ${status}`)
    this.status = status
    this.field = field
  }
}

/** The calls of Mollie's API that one call of the port makes, within 20 seconds together. Each rejects without an answer. */
export type Api = {
  get<Schema extends TSchema>(schema: Schema, path: string): Promise<Static<Schema>>
  /** With a key, under which Mollie answers the same for an hour. */
  post<Schema extends TSchema>(schema: Schema, path: string, body: object, key: string): Promise<Static<Schema>>
  remove(path: string): Promise<void>
  /** Whether the clock of this process differed from Mollie's by more than a minute at the last answer. */
  clockDiffers(): boolean
}

// These say nothing about the request: a wrong key, a limit, or another request with the same key that is not answered yet.
const UNDECIDED: readonly number[] = [401, 403, 408, 409, 425, 429]

const readJson = async (reply: Response): Promise<unknown> => {
  try {
    return await reply.json()
  } catch {
    return undefined
  }
}

const fieldIn = (problem: unknown): string | undefined => {
  const field = typeof problem === 'object' && problem !== null ? Reflect.get(problem, 'field') : undefined
  return typeof field === 'string' ? field : undefined
}

/** Opens the API with a key of a school; the time begins now. */
export const openApi = (origin: string, key: string): Api => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let differs = false
  const send = async (method: string, path: string, more: { body?: string; headers?: Record<string, string> } = {}) => {
    const headers = { authorization: `Bearer ${key}`, accept: 'application/hal+json', ...more.headers }
    const reply = await fetch(`${origin}/v2${path}`, { ...more, method, headers, redirect: 'error', signal })
    differs = differsFromClock(reply.headers.get('date'))
    if (reply.ok) return reply
    const problem = await readJson(reply)
    if (reply.status >= 400 && reply.status < 500 && !UNDECIDED.includes(reply.status))
      throw new MollieRefused(reply.status, fieldIn(problem))
    throw Object.assign(new Error(`Mollie answered with ${reply.status}`), { status: reply.status })
  }
  return {
    get: async (schema, path) => readAnswer(schema, await readJson(await send('GET', path))),
    post: async (schema, path, body, idempotencyKey) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
      return readAnswer(schema, await readJson(await send('POST', path, { body: JSON.stringify(body), headers })))
    },
    remove: async path => {
      await (await send('DELETE', path)).arrayBuffer()
    },
    clockDiffers: () => differs,
  }
}
