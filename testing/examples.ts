import { type ExampleReference, resolveExample } from '#src/contract/example.ts'
import type { AnyOperation } from '#src/contract/operation.ts'
import type { TestReply, TestRequest } from './http.ts'
import { buildRequest, everyOperation, type Instead } from './matrix.ts'
import { addWebhooks } from './webhooks.ts'

/** Sends a request to the school in which example values are looked up. */
type Ask = (request: TestRequest) => Promise<TestReply>

const walk = (thing: unknown, at: string): unknown =>
  at
    .split('.')
    .reduce<unknown>((value, name) => (typeof value === 'object' ? Reflect.get(value ?? {}, name) : undefined), thing)

// What an app sees only if it made it.
const makeOwn: Readonly<Record<string, (token: string, ask: Ask) => Promise<void>>> = { listWebhooks: addWebhooks }

const look = async (
  reference: ExampleReference,
  token: string | undefined,
  ask: Ask,
  isMade = false,
): Promise<unknown> => {
  const operation = everyOperation.find(({ id }) => id === reference.operationId)
  if (operation === undefined) throw new Error(`an example refers to ${reference.operationId}, which is no operation`)
  const { json, status, text } = await ask(buildRequest(operation, { token, ...(await lookUp(operation, token, ask)) }))
  const things: readonly unknown[] = Array.isArray(json?.data) ? json.data : [json]
  const having = Object.entries(reference.having)
  const thing = things.find(one => having.every(([name, value]) => walk(one, name) === value))
  const value = walk(thing, reference.at)
  const make = makeOwn[reference.operationId]
  if (value === undefined && make !== undefined && token !== undefined && !isMade) {
    await make(token, ask)
    return look(reference, token, ask, true)
  }
  if (value === undefined)
    throw new Error(
      `${reference.operationId} returns no ${JSON.stringify(reference.having)} ${reference.at}: ${status} ${text}`,
    )
  return value
}

/** Returns the example of an operation with its values looked up in a school, as a caller sees them. */
export const lookUp = async (
  operation: Pick<AnyOperation, 'example'>,
  token: string | undefined,
  ask: Ask,
): Promise<Instead> => {
  const references: ExampleReference[] = []
  resolveExample(operation.example, reference => void references.push(reference))
  const found = new Map<ExampleReference, unknown>()
  for (const reference of references) found.set(reference, await look(reference, token, ask))
  return resolveExample(operation.example, reference => found.get(reference)) as Instead
}
