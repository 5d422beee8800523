import type { Static } from 'typebox'
import { readScope } from '#src/areas/learning/enrollments/index.ts'
import { readBatchIds } from '#src/areas/people/index.ts'
import { decodeRows, type FailedRow, MAX_ROWS } from '#src/contract/batch.ts'
import { isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, roleRequired } from '#src/contract/problems.ts'
import { importEnrollments } from './importing.writes.ts'
import { EnrollmentBatch, EnrollmentBatchResponse, EnrollmentBatchRow, type Row } from './schema.ts'
import { responseTo } from './views.ts'

type Sent = AsCaller & { readonly body: Static<typeof EnrollmentBatch> }

const refuseRows = (pointer: string, message: string): Refusal =>
  new Refusal(invalidBody, 'The batch is not valid.', { errors: [{ pointer, code: 'batch', message }] })

// Only staff know who else is a member.
const readRows = async (context: Sent): Promise<(Row | FailedRow)[]> => {
  const { rows = [], filter } = context.body
  if (filter !== undefined && !isStaff(context.caller))
    throw new Refusal(roleRequired, 'Only staff can enroll everybody who matches a filter.')
  const matching = await readBatchIds(context, filter)
  const decoded = [...decodeRows(EnrollmentBatchRow, rows), ...matching.map(member_id => ({ member_id }))]
  if (filter === undefined && decoded.length === 0) throw refuseRows('/rows', 'is required, unless there is a filter')
  if (decoded.length > MAX_ROWS) throw refuseRows('', `is about more than ${MAX_ROWS} people`)
  return decoded
}

const createEnrollmentBatch = declareFor('lecturer_of', 'students', {
  id: 'createEnrollmentBatch',
  route: 'POST /enrollments/batches',
  summary: 'Enroll people in bulk',
  description:
    'Enrolls up to 1,000 people. Each row is matched by `member_id`, then `external_id`, then e-mail address; new people are invited unless `notify` is false. `filter` enrolls everybody who matches, for staff alone, and its results follow those of `rows`. Sending the same batch again changes nothing more, and access that staff revoked does not come back. Lecturers name their own students by `member_id` or `external_id` and others by e-mail address with a name; an `external_id` that they send is not stored. They receive neither id nor `member_id` of others until those join: see GET /pending-enrollments. Their dry run only says whether the batch is valid.',
  // Otherwise a lecturer could find out which of a thousand addresses have an account, without an audit entry.
  dryRun: 'veiled_unless_staff',
  body: EnrollmentBatch,
  returns: EnrollmentBatchResponse,
  example: {
    body: {
      course_id: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }),
      rows: [{ email: 'eli@crumb.example' }, { email: 'hugo@crumb.example', name: 'Hugo Lima' }],
      notify: false,
    },
  },
  async handle(context) {
    const { body } = context
    await readScope(context)
    const { source = 'import', notify = true } = body
    const outcomes = await importEnrollments(context, await readRows(context), {
      courseId: body.course_id,
      source,
      notify,
      invites: body.send_invitations === true,
    })
    return responseTo(outcomes)
  },
})

/** The operations of batches, in the order of the documentation. */
export const batchOperations = [createEnrollmentBatch]
