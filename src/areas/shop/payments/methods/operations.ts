import Type from 'typebox'
import type { SchoolContext } from '#src/contract/context.ts'
import { type AsCaller, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { putJob } from '#src/db/jobs.ts'
import { lockMember } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { Closed, Id, Instant, Nullable } from '#src/kit/shapes.ts'
import { methodUses } from '../hooks.ts'
import { endUnusedMethod, findMethod, listMethodsOfMember, type MethodRow } from './queries.ts'
import { buildFact, FORGET_METHOD_JOB, methodInUse } from './writes.ts'

const PaymentMethod = Closed('AccountPaymentMethod', {
  id: Id('pym'),
  brand: Type.String(),
  last4: Type.String(),
  expires: Nullable(Type.String({ description: 'As MM/YYYY' })),
  used_for: Type.Array(Type.String(), { description: 'The names of what is charged with it' }),
  created_at: Instant,
})

/** The saved methods of a person. */
export const PaymentMethodPage = Closed('AccountPaymentMethods', { data: Type.Array(PaymentMethod) })

const listNames = async (context: SchoolContext, memberId: string) => {
  const uses = (await methodUses.call({ memberId }, context)).flat()
  return (id: string): string[] => uses.flatMap(({ methodId, name }) => (methodId === id ? [name] : []))
}

const listAccountPaymentMethods = operation({
  id: 'listAccountPaymentMethods',
  summary: 'List your saved payment methods',
  description: 'Lists the payment methods that are saved for you, the newest first, with what is charged with each.',
  who: 'self',
  mode: 'read',
  returns: PaymentMethodPage,
  async handle({ db, school, caller }) {
    const memberId = caller.member.id
    const rows = await listMethodsOfMember(db, school.id, memberId)
    const readNames = await listNames({ db, school }, memberId)
    return {
      data: rows.toReversed().flatMap(({ id, brand, last4, expires, created_at, ended_at: endedAt }) => {
        if (endedAt !== null || brand === null || last4 === null) return []
        return [{ id, brand, last4, expires, used_for: readNames(id), created_at }]
      }),
    }
  },
})

const findOwn = async ({ db, school, caller }: AsCaller, id: string): Promise<MethodRow> => {
  const row = await findMethod(db, school.id, id)
  if (row === undefined || row.member_id !== caller.member.id || row.ended_at !== null)
    throw new Refusal(notFound, 'You have no such payment method.')
  return row
}

const deleteAccountPaymentMethod = operation({
  id: 'deleteAccountPaymentMethod',
  summary: 'Forget a saved payment method',
  description:
    'Ends a payment method of yours with which nothing is charged; it is never charged again. Its provider forgets it together with the last one of the same customer.',
  who: 'self',
  mode: 'write',
  params: Type.Object({ method_id: Id('pym') }),
  returns: undefined,
  fails: [methodInUse, notFound],
  example: { params: { method_id: 'pym_00000000000000000000000000' } },
  async handle(context) {
    const { db, school, caller, params, now, changed, record } = context
    const memberId = caller.member.id
    // A purchase with the method waits, or has asked for its payment.
    await lockMember(db, school.id, memberId)
    const row = await findOwn(context, params.method_id)
    const names = (await listNames({ db, school }, memberId))(row.id)
    if (names.length > 0 || (await endUnusedMethod(db, school.id, row.id)) === 0)
      throw new Refusal(methodInUse, 'Something is charged with it.')
    await putJob(db, school.id, { kind: FORGET_METHOD_JOB, id: row.id, dueAt: now })
    changed({ ids: [toId('pym', row.id)], fields: ['ended_at'], memberId })
    record(buildFact('payment_method.removed', row))
    return undefined
  },
})

/** The operations of a person on their saved methods. */
export const methodOperations = [listAccountPaymentMethods, deleteAccountPaymentMethod]
