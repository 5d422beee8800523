import Type from 'typebox'
import { Confirmation, renderConfirmation } from '#src/contract/confirmation.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { findConfirmation } from '#src/db/confirmations.ts'
import { Id } from '#src/kit/shapes.ts'

const getAccountConfirmation = declareFor('self', 'account', {
  id: 'getAccountConfirmation',
  route: 'GET /account/confirmations/:confirmation_id',
  summary: 'Get a confirmation',
  description:
    'Returns the status of a write that you have to approve, to the app that requested it. Send the person to its `url`, and read it again until it is decided.',
  params: Type.Object({ confirmation_id: Id('cnf') }),
  returns: Confirmation,
  example: { params: { confirmation_id: exampleFrom('cnf', 'deleteAccountSession', { at: 'confirmation.id' }) } },
  async handle({ db, school, caller, params }) {
    const id = params.confirmation_id
    const { clientId } = caller
    const row = await findConfirmation(db, school.id, { id, memberId: caller.member.id, clientId })
    if (row === undefined) throw new Refusal(notFound, 'There is no such confirmation.')
    return renderConfirmation(school, row)
  },
})

/** The operations of confirmations. */
export const confirmationOperations = [getAccountConfirmation]
