import type { IncomingMessage } from 'node:http'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, payloadTooLarge, unsupportedMediaType } from '#src/contract/problems.ts'
import { type Pairs, parsePairs } from '#src/kit/form.ts'
import { JsonRefused, parseJson } from '#src/kit/json.ts'
import { whileReceiving } from './entrance.ts'
import { limits } from './limits.ts'

const tooLarge = (maxBytes: number): Refusal =>
  new Refusal(payloadTooLarge, `The body may have at most ${maxBytes} bytes.`, { headers: { connection: 'close' } })

/** Reads a body as it was sent; refuses when it has more bytes. */
export const readBytes = async (raw: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  return whileReceiving(raw, () => receive(raw, maxBytes))
}

const receive = async (raw: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop must not destroy the connection, over which a refusal is sent.
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a body of at most 1 MB. */
const readBody = (raw: IncomingMessage): Promise<Buffer> => readBytes(raw, limits.body)

/** Whether the headers of a request announce a body. */
export const hasBody = (raw: IncomingMessage): boolean =>
  raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0

// RFC 9110 §8.3.1: type/subtype, then parameters; the only charset allowed is utf-8.
const mediaType = (raw: IncomingMessage): string | undefined => {
  const [type = '', ...parameters] = (raw.headers['content-type'] ?? '').toLowerCase().split(';')
  const utf8 = parameters.every(text => {
    const [name = '', value = ''] = text.trim().split('=')
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
  })
  return utf8 ? type.trim() : undefined
}

const isEncoded = (raw: IncomingMessage): boolean => (raw.headers['content-encoding'] ?? 'identity') !== 'identity'

const refuseType = (types: readonly string[]): Refusal =>
  new Refusal(unsupportedMediaType, `Send the body as ${types.join(' or ')} in UTF-8, not compressed.`, {
    headers: { connection: 'close' },
  })

const checkType = (raw: IncomingMessage, types: readonly string[]): void => {
  const type = mediaType(raw)
  if (type === undefined || !types.includes(type) || isEncoded(raw)) throw refuseType(types)
}

const parse = (bytes: Buffer): unknown => {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (error instanceof JsonRefused) throw new Refusal(invalidRequest, error.message)
    throw error
  }
}

/** Reads a body of one of these JSON media types strictly. */
export const readJson = async (raw: IncomingMessage, types: readonly string[]): Promise<unknown> => {
  checkType(raw, types)
  return parse(await readBody(raw))
}

/**
 * Reads a body that may be left out: an empty one means an object without fields. Without a Content-Type the body is read
 * as JSON (RFC 9110 §8.3).
 */
export const readOptionalJson = async (raw: IncomingMessage, types: readonly string[]): Promise<unknown> => {
  if (!hasBody(raw)) return {}
  if (raw.headers['content-type'] !== undefined) checkType(raw, types)
  else if (isEncoded(raw)) throw refuseType(types)
  const bytes = await readBody(raw)
  return bytes.length === 0 ? {} : parse(bytes)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a form strictly, with the errors of OAuth. */
export const readForm = async (raw: IncomingMessage, maxBytes: number = limits.body): Promise<Pairs> => {
  if (mediaType(raw) !== 'application/x-www-form-urlencoded' || isEncoded(raw)) {
    throw new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded in UTF-8.', {
      status: 415,
      headers: { connection: 'close' },
    })
  }
  const bytes = await readBytes(raw, maxBytes)
  try {
    return parsePairs(utf8.decode(bytes))
  } catch {
    throw new OAuthError('invalid_request', 'The form is not valid: an escape is malformed or not UTF-8.')
  }
}
