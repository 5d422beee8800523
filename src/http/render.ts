import { answerSchema, compileCheck, fieldErrors } from '#src/contract/check.ts'
import { encode } from '#src/contract/codec.ts'
import type { AnyOperation } from '#src/contract/operation.ts'

/** An encoded answer: the value on the wire, and its JSON text. */
type Rendered = { readonly value: unknown; readonly body: string }

/** Encodes an answer by the schema that the operation declares; throws when it does not match. */
export const render = (operation: AnyOperation, result: unknown): Rendered => {
  const { returns, id } = operation
  if (returns === undefined) return { value: undefined, body: '' }
  const schema = answerSchema(returns)
  const value = encode(returns, result)
  if (!compileCheck(schema).Check(value)) {
    const where = fieldErrors(schema, value).map(({ pointer, code }) => `${pointer} ${code}`)
    throw new Error(`the answer of ${id} is not as declared: ${where.join(', ')}`)
  }
  return { value, body: JSON.stringify(value) }
}
