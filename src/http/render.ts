import { checkOf, faults, shownSchema } from '#src/contract/check.ts'
import type { Operation } from '#src/contract/operation.ts'

/** The bytes of an answer, checked against what the operation declares; a mismatch is our fault and throws. */
export const render = (operation: Operation, value: unknown): string => {
  const { returns, id } = operation
  if (returns === undefined) return ''
  const schema = shownSchema(returns)
  if (!checkOf(schema).Check(value)) {
    const where = faults(schema, value).map(fault => `${fault.pointer} ${fault.code}`)
    throw new Error(`the answer of ${id} is not as declared: ${where.join(', ')}`)
  }
  return JSON.stringify(value)
}
