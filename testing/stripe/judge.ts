// One thing: what Stripe's description of its API says of the requests that reached our server and of its answers.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Asked } from './request.ts'
import type { Exchange } from './server.ts'

const MODULE = 'github.com/stripe/stripe-mock@v0.203.0'
const FOLDER = resolve('.ci/go')
const PROGRAM = join(FOLDER, 'bin/stripe-mock')
const DESCRIPTION = join(FOLDER, 'pkg/mod', MODULE, 'embedded/openapi/spec3.json')
const INSTALL = `GOPATH="$PWD/.ci/go" go install -modcacherw ${MODULE}`

type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly nullable?: boolean
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
}

type Responses = Readonly<
  Record<string, { readonly content: { readonly 'application/json': { readonly schema: Schema } } }>
>

type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Stripe's own mock server, which checks names and types and keeps nothing, with the description that it is made of. */
export type StripeJudge = {
  /** What is wrong with a request; empty when nothing is. */
  judgeRequest(asked: Asked): Promise<readonly string[]>
  /** What is wrong with an answer; empty when nothing is. */
  judgeAnswer(exchange: Pick<Exchange, 'asked' | 'answer'>): readonly string[]
  stop(): Promise<void>
}

const readType = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const hasType = (value: unknown, type: string | undefined): boolean =>
  type === undefined || type === readType(value) || (type === 'number' && typeof value === 'number')

// Names that the description does not have, and values that it does not allow. Names that are left out are nothing that we read.
const listWrong = (
  schemas: Description['components']['schemas'],
  schema: Schema,
  value: unknown,
  at: string,
): string[] => {
  if (schema.$ref !== undefined)
    return listWrong(schemas, schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, value, at)
  if (value === null) return schema.nullable === true ? [] : [`${at} is null`]
  if (schema.anyOf !== undefined) {
    const each = schema.anyOf.map(one => listWrong(schemas, one, value, at))
    const ofKind = each.filter(wrong => !wrong.some(one => one.startsWith(`${at} is `)))
    return (ofKind.length > 0 ? ofKind : each).toSorted((one, other) => one.length - other.length)[0] ?? []
  }
  if (!hasType(value, schema.type) || schema.enum?.includes(value) === false)
    return [`${at} is ${JSON.stringify(value).slice(0, 60)}`]
  if (Array.isArray(value)) return value.flatMap(one => listWrong(schemas, schema.items ?? {}, one, `${at}[]`))
  if (typeof value !== 'object') return []
  const { properties, additionalProperties: others } = schema
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = properties?.[name] ?? (typeof others === 'object' ? others : undefined)
    if (known !== undefined) return listWrong(schemas, known, inner, `${at}.${name}`)
    return properties === undefined || others === true ? [] : [`${at}.${name} is not known`]
  })
}

const isPath = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)

const judgeAnswer = (
  { paths, components }: Description,
  { asked, answer }: Pick<Exchange, 'asked' | 'answer'>,
): readonly string[] => {
  const { method, path } = asked
  const template = path in paths ? path : Object.keys(paths).find(one => isPath(one, path))
  const responses = paths[template ?? '']?.[method.toLowerCase()]?.responses
  if (responses === undefined) return [`${method} ${path} is no call of Stripe`]
  const { schema } = (responses[answer.status] ?? responses.default ?? assert.fail()).content['application/json']
  return listWrong(components.schemas, schema, answer.body, `${method} ${template} ${answer.status}`)
}

// The newest mock server describes an earlier version than the one that we name at an endpoint.
const VERSION = /(?<=^|&)api_version=[^&]*&?/

const judgeRequest = async (origin: string, { method, path, key, sent }: Asked): Promise<readonly string[]> => {
  const isQuery = method === 'GET'
  const reply = await fetch(`${origin}${path}${isQuery && sent !== '' ? `?${sent}` : ''}`, {
    method,
    headers: {
      authorization: 'Bearer sk_test_judge',
      'content-type': 'application/x-www-form-urlencoded',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(isQuery ? {} : { body: sent.replace(VERSION, '') }),
  })
  const text = await reply.text()
  return reply.ok ? [] : [`${method} ${path}: ${text}`]
}

const LISTENING = /^Listening for HTTP .*\b(\d+)$/

/** Starts the mock server on a free port; it ends with this process. */
export const startStripeJudge = async (): Promise<StripeJudge> => {
  assert.ok(existsSync(PROGRAM) && existsSync(DESCRIPTION), `run: ${INSTALL}`)
  const description: Description = JSON.parse(await readFile(DESCRIPTION, 'utf8'))
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', PROGRAM, '-http-addr', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  let port: string | undefined
  for await (const line of createInterface(child.stdout)) {
    port = LISTENING.exec(line)?.[1]
    if (port !== undefined) break
  }
  assert.ok(port, 'stripe-mock did not start')
  // What it writes of each request is read, so that it never waits for a reader.
  child.stdout.resume()
  return {
    judgeRequest: asked => judgeRequest(`http://127.0.0.1:${port}`, asked),
    judgeAnswer: exchange => judgeAnswer(description, exchange),
    stop: async () => {
      child.kill()
      await gone
    },
  }
}
