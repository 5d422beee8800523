import type { Static } from 'typebox'
import { batchResponse, decodeRows, importStatuses, rowPointer, rowResult } from '#src/contract/batch.ts'
import { declareFor } from '#src/contract/operation.ts'
import { MemberBatch, MemberBatchResponse, MemberBatchRow } from './schema.ts'
import { importMembers, type MemberOutcome } from './writes.ts'

const responseTo = (outcomes: readonly MemberOutcome[]): Static<typeof MemberBatchResponse> =>
  batchResponse(
    importStatuses,
    outcomes.map(({ status: result, id = null, errors, notices }, index) => {
      // A batch skips nobody.
      const status = result === 'skipped' ? 'unchanged' : result
      const ids = { id, ...(notices === undefined ? {} : { notices }) }
      return rowResult(rowPointer('rows', index), { status, ...(errors && { errors }) }, ids)
    }),
  )

/** Adding and changing many members at once. */
export const createMemberBatch = declareFor('staff', 'members', {
  id: 'createMemberBatch',
  route: 'POST /members/batches',
  summary: 'Import members',
  description:
    'Creates or updates up to 1,000 members. Each row is matched by `external_id`, then by e-mail address; a row without a match creates a member. Fields that a row leaves out stay as they are, tags are added and never removed, and the same batch can be sent again without further effect.',
  body: MemberBatch,
  returns: MemberBatchResponse,
  example: { body: { rows: [{ email: 'eli@crumb.example', external_id: 'crm-5', tags: ['imported'] }] } },
  async handle(context) {
    const { body } = context
    const outcomes = await importMembers(context, decodeRows(MemberBatchRow, body.rows), {
      existing: 'update',
      restores: body.restore_deleted === true,
      invites: body.send_invitations === true,
    })
    return responseTo(outcomes)
  },
})
