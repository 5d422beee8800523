import Type from 'typebox'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { Closed } from '#src/kit/shapes.ts'
import { paymentMode } from '../providers/rules.ts'
import { changeTestMode } from './writes.ts'

const TestMode = Closed('TestMode', {
  is_test: Type.Boolean({ description: 'Whether no real money moves in the school' }),
})

const setTestMode = operation({
  id: 'setTestMode',
  summary: 'Set test mode',
  description:
    'Makes the school a test school, in which no real money moves, or a real one. Refused once an order was paid: a school has orders of one kind only.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  body: TestMode,
  returns: TestMode,
  fails: [invalidState],
  example: { body: { is_test: false } },
  async handle(context) {
    const { school, body, changed, record } = context
    const { is_test: isTest } = body
    if (isTest === school.isTest) return { is_test: isTest }
    const isLive = paymentMode({ ...school, isTest }) === 'live'
    if (isLive) context.requireProof('second_factor')
    if (!(await changeTestMode(context, isTest)))
      throw new Refusal(invalidState, 'The school has paid orders, so it stays what it is.')
    changed({ ids: [toId('scl', school.id)], fields: ['is_test'] })
    if (isLive) record({ type: 'school.went_live', payload: {} })
    return { is_test: isTest }
  },
})

/** The operations of whether real money moves in a school; no app can call them. */
export const modeOperations = [setTestMode]
