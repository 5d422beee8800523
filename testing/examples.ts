import { type ExampleReference, resolveExample } from '#src/contract/example.ts'
import type { Operation } from '#src/contract/operation.ts'
import type { TestReply, TestRequest } from './http.ts'
import { type Instead, operations, requestOf } from './matrix.ts'

/** Sends a request to the school in which examples are looked up. */
export type Ask = (request: TestRequest) => Promise<TestReply>

const walk = (thing: unknown, at: string): unknown =>
  at
    .split('.')
    .reduce<unknown>((value, name) => (typeof value === 'object' ? Reflect.get(value ?? {}, name) : undefined), thing)

const look = async (shown: ExampleReference, token: string | undefined, ask: Ask): Promise<unknown> => {
  const operation = operations.find(({ id }) => id === shown.shownBy)
  if (operation === undefined) throw new Error(`an example looks for ${shown.shownBy}, which is no operation`)
  const { json, status, text } = await ask(requestOf(operation, { token, ...(await lookUp(operation, token, ask)) }))
  const things: readonly unknown[] = Array.isArray(json?.data) ? json.data : [json]
  const having = Object.entries(shown.having)
  const thing = things.find(one => having.every(([name, value]) => walk(one, name) === value))
  const value = walk(thing, shown.at)
  if (value === undefined)
    throw new Error(`${shown.shownBy} shows no ${JSON.stringify(shown.having)} ${shown.at}: ${status} ${text}`)
  return value
}

/** The example of an operation with its values looked up in a school, as somebody sees them. */
export const lookUp = async (operation: Operation, token: string | undefined, ask: Ask): Promise<Instead> => {
  const wanted: ExampleReference[] = []
  resolveExample(operation.example, shown => void wanted.push(shown))
  const found = new Map<ExampleReference, unknown>()
  for (const shown of wanted) found.set(shown, await look(shown, token, ask))
  return resolveExample(operation.example, shown => found.get(shown)) as Instead
}
