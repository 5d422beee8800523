import { enrolled, readScope } from '#src/areas/learning/enrollments/index.ts'
import { invited } from '#src/areas/people/index.ts'
import { decodeRows, hasStatus, isFailed } from '#src/contract/batch.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { fillEach } from '#src/contract/language.ts'
import { declareFor } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { asLecturer, type MemberLookup, resolveTarget } from './rules.ts'
import { EnrollmentBatch, EnrollmentBatchResponse, EnrollmentBatchRow } from './schema.ts'
import { responseTo } from './views.ts'
import { addNewcomers, lockNamedMembers, perform, planAll, readRights } from './writes.ts'

const createEnrollmentBatch = declareFor('lecturer_of', 'students', {
  id: 'createEnrollmentBatch',
  route: 'POST /enrollments/batches',
  summary: 'Enroll people in bulk',
  description:
    'Enrolls up to 1,000 people. Each row is matched by `member_id`, then `external_id`, then e-mail address; new people are invited unless `notify` is false. Sending the same batch again changes nothing more, and access that staff revoked does not come back. Lecturers name their own students by `member_id` or `external_id` and others by e-mail address with a name; an `external_id` that they send is not stored. They receive neither id nor `member_id` of others until those join: see GET /pending-enrollments. Their dry run only says whether the batch is valid.',
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
    const { body, changed, record } = context
    await readScope(context)
    const decoded = decodeRows(EnrollmentBatchRow, body.rows)
    const before = await lockNamedMembers(context, decoded)
    const rights = await readRights(context, decoded, before)
    const nameableMembers = (lookup: MemberLookup): MemberLookup =>
      rights.students === undefined ? lookup : asLecturer(lookup, rights.students)
    const added = await addNewcomers(context, decoded, nameableMembers(before), rights)
    const lookup = nameableMembers(added === undefined ? before : await lockNamedMembers(context, decoded))
    const addedIds = added ?? new Set<string>()
    const rows = decoded.map(row => (isFailed(row) ? row : resolveTarget(row, context, lookup, rights)))
    const plans = await planAll(context, rows)
    await perform(context, plans)
    const response = await responseTo(context, plans)
    const written = response.results.filter(({ status }) => status === 'created' || status === 'updated')
    const members = [...addedIds].map(id => toId('mem', id))
    const ids = [...members, ...written.flatMap(({ id }) => (id === null ? [] : [toId('enr', id)]))]
    if (ids.length > 0) {
      changed({ ids, fields: ['rows'] })
      record(imported(response, addedIds.size))
    }
    if (body.send_invitations === true) for (const id of addedIds) record(invited({ id }))
    const { source = 'import', notify = true } = body
    if (notify)
      for (const { target } of plans.filter(hasStatus('created')))
        record(enrolled({ memberId: target.member.id, courseId: target.courseId, source }))
    return response
  },
})

const imported = (
  { created, updated }: { readonly created: number; readonly updated: number },
  addedCount: number,
) => ({
  type: 'student.imported' as const,
  payload: { created, updated, members: addedCount },
  effects: {
    access: fillEach(texts.learning.students.batches.operations.imported, { created, updated }),
  },
})

/** The operations of batches, in the order of the documentation. */
export const batchOperations = [createEnrollmentBatch]
