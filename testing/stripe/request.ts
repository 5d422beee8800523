import type { IncomingMessage } from 'node:http'

/** A value of a form as it is nested by brackets, such as `metadata[stoa_payment]`. */
export type Nested = { readonly [name: string]: string | Nested }

/** A request as the calls read it. */
export type Asked = {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  /** The parameters as they were sent, of the query or of the form. */
  readonly sent: string
  readonly fields: Nested
  readonly expand: readonly string[]
}

/** An error of the API. */
export class Refused extends Error {
  readonly status: number
  readonly error: Readonly<Record<string, unknown>>
  /** Whether it was noticed before the call began, so that its key stays unused. */
  readonly isEarly: boolean
  constructor(status: number, error: Readonly<Record<string, unknown>>, isEarly = false) {
    super(String(error.message))
    this.status = status
    this.error = error
    this.isEarly = isEarly
  }
}

/** A refusal of what is asked, such as an unknown id. */
export const invalid = (code: string, message: string, param?: string): Refused =>
  new Refused(code === 'resource_missing' ? 404 : 400, {
    type: 'invalid_request_error',
    code,
    message,
    ...(param === undefined ? {} : { param }),
  })

const nest = (params: URLSearchParams): Nested => {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of params) {
    const path = name.split('[').map(part => part.replace(/\]$/, ''))
    let at = fields
    for (const part of path.slice(0, -1)) {
      at[part] ??= {}
      at = at[part] as Record<string, unknown>
    }
    at[path.at(-1) ?? ''] = value
  }
  return fields as Nested
}

const readBody = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Reads a request, its query or its form. */
export const readRequest = async (incoming: IncomingMessage): Promise<Asked> => {
  const url = new URL(incoming.url ?? '/', 'http://stripe.test')
  const body = await readBody(incoming)
  const sent = incoming.method === 'GET' ? url.searchParams.toString() : body
  const fields = nest(new URLSearchParams(sent))
  const { expand = {} } = fields
  const key = incoming.headers['idempotency-key']
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    key: typeof key === 'string' ? key : undefined,
    sent,
    fields,
    expand: Object.values(expand).map(String),
  }
}

/** A text at a path such as `payment_intent_data.description`; undefined where it was not sent. */
export const pick = (fields: Nested, path: string): string | undefined => {
  let at: string | Nested | undefined = fields
  for (const part of path.split('.')) at = typeof at === 'object' ? at[part] : undefined
  return typeof at === 'string' ? at : undefined
}

/** Texts by their names at a path, such as `metadata`; empty where it was not sent. */
export const pickAll = (fields: Nested, path: string): Readonly<Record<string, string>> => {
  let at: string | Nested | undefined = fields
  for (const part of path.split('.')) at = typeof at === 'object' ? at[part] : undefined
  const entries = Object.entries(typeof at === 'object' ? at : {})
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

const flatten = (fields: Nested, before = ''): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${before}${name}`] : flatten(value, `${before}${name}.`),
  )

/** Refuses parameters that a call does not have; `*` stands for any name, such as of metadata. */
export const checkNames = (fields: Nested, names: readonly string[]): void => {
  const patterns = [...names, 'expand.*'].map(
    name => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`),
  )
  const unknown = flatten(fields).find(name => !patterns.some(pattern => pattern.test(name)))
  if (unknown === undefined) return
  const message = `Received unknown parameter: ${unknown}`
  throw new Refused(400, { type: 'invalid_request_error', code: 'parameter_unknown', message, param: unknown }, true)
}

/** A parameter that a call needs. */
export const need = (fields: Nested, path: string): string => {
  const value = pick(fields, path)
  if (value === undefined || value === '')
    throw new Refused(
      400,
      {
        type: 'invalid_request_error',
        code: 'parameter_missing',
        message: `Missing required param: ${path}.`,
        param: path,
      },
      true,
    )
  return value
}
