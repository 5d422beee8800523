// One thing: what Mollie's own package says of the requests that reached our server and of its answers.
import * as models from 'mollie-api-typescript/models'
import * as operations from 'mollie-api-typescript/models/operations'
import { startCountingUnrecognized } from 'mollie-api-typescript/types/unrecognized.js'
import type { Exchange } from './server.ts'

type Schema = { parse(value: unknown): unknown }

/** What of a call the package has a schema for. */
type Judged = { readonly sent?: Schema; readonly query?: Schema; readonly answered?: Schema }

const judged: readonly (readonly [string, RegExp, Judged])[] = [
  [
    'POST',
    /^\/v2\/payments$/,
    { sent: models.PaymentRequest$outboundSchema, answered: models.PaymentResponse$inboundSchema },
  ],
  [
    'GET',
    /^\/v2\/payments$/,
    {
      query: operations.ListPaymentsRequest$outboundSchema,
      answered: operations.ListPaymentsResponseBody$inboundSchema,
    },
  ],
  ['GET', /^\/v2\/payments\/[^/]+$/, { answered: models.PaymentResponse$inboundSchema }],
  ['DELETE', /^\/v2\/payments\/[^/]+$/, { answered: models.PaymentResponse$inboundSchema }],
  [
    'POST',
    /^\/v2\/payments\/[^/]+\/refunds$/,
    { sent: models.RefundRequest$outboundSchema, answered: models.RefundResponse$inboundSchema },
  ],
  [
    'POST',
    /^\/v2\/customers$/,
    { sent: models.EntityCustomer$outboundSchema, answered: models.CustomerResponse$inboundSchema },
  ],
  ['DELETE', /^\/v2\/customers\/[^/]+$/, {}],
  [
    'GET',
    /^\/v2\/methods$/,
    { query: operations.ListMethodsRequest$outboundSchema, answered: operations.ListMethodsResponse$inboundSchema },
  ],
  ['GET', /^\/v2\/profiles\/me$/, { answered: models.ProfileResponse$inboundSchema }],
]

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

// The schemas drop names that they do not know, and write `links` for `_links`.
const listDropped = (before: unknown, after: unknown, path = ''): string[] => {
  if (!isObject(before)) return before === after ? [] : [`${path} is read as another value`]
  if (!isObject(after)) return [`${path} is not read`]
  return Object.entries(before).flatMap(([name, value]) => {
    const found = name in after ? name : name.replace(/^_/, '')
    return found in after ? listDropped(value, after[found], `${path}/${name}`) : [`${path}/${name} is not known`]
  })
}

const judge = (schema: Schema | undefined, value: unknown): string[] => {
  if (schema === undefined) return []
  const counting = startCountingUnrecognized()
  try {
    const dropped = listDropped(value, schema.parse(value))
    const unknown = counting.end()
    return unknown === 0 ? dropped : [...dropped, `${unknown} values are not known`]
  } catch (error) {
    counting.end()
    return [String(error)]
  }
}

// `amount[value]=1.00` is the member of an object.
const readQuery = (search: string): object => {
  const query: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(search)) {
    const [, object, member] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
    if (object !== undefined && member !== undefined)
      query[object] = { ...(query[object] as object | undefined), [member]: value }
    else query[name] = name === 'limit' ? Number(value) : value
  }
  return query
}

// What the package does not describe although the documentation does: embedded resources, and charges without a page.
const split = (
  answered: unknown,
): { readonly payment: unknown; readonly refunds: unknown[]; readonly chargebacks: unknown[] } => {
  if (!isObject(answered) || answered.resource !== 'payment') return { payment: answered, refunds: [], chargebacks: [] }
  const { _embedded: embedded, ...payment } = answered
  const { refunds = [], chargebacks = [] } = (embedded ?? {}) as { refunds?: unknown[]; chargebacks?: unknown[] }
  return { payment, refunds, chargebacks }
}

const complete = (sent: unknown): unknown =>
  isObject(sent) && sent.sequenceType === 'recurring' ? { redirectUrl: null, ...sent } : sent

/** What the package finds wrong with a request that was accepted and with its answer; empty when nothing is. */
export const judgeExchange = ({ method, path, sent, status, answered }: Exchange): string[] => {
  const url = new URL(path, 'http://localhost')
  const found = judged.find(([name, pattern]) => name === method && pattern.test(url.pathname))?.[2]
  if (found === undefined) return [`${method} ${path} is no call of Mollie`]
  const { payment, refunds, chargebacks } = split(answered)
  const problems = [
    ...judge(found.sent, complete(sent)),
    ...judge(found.query, readQuery(url.search)),
    ...(status < 300 ? judge(found.answered, payment) : []),
    ...refunds.flatMap(one => judge(models.RefundResponse$inboundSchema, one)),
    ...chargebacks.flatMap(one => judge(models.EntityChargeback$inboundSchema, one)),
  ]
  return problems.map(problem => `${method} ${url.pathname}: ${problem}`)
}
