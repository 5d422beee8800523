import { enrolled, scopeOf } from '#src/areas/enrollments/index.ts'
import { invited } from '#src/areas/members/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { asLecturer, isPlan, type KnownMembers, kindIs, shapedRows, targetOf } from './rules.ts'
import { EnrollmentBatch, EnrollmentBatchAnswer } from './schema.ts'
import { answerOf } from './views.ts'
import { addNewcomers, lockKnown, perform, planAll, rightsOf } from './writes.ts'

const createEnrollmentBatch = operation({
  id: 'createEnrollmentBatch',
  route: 'POST /enrollments/batches',
  summary: 'Enroll people in bulk',
  description:
    'Enrolls up to 1,000 people. Each row is matched by `member_id`, then `external_id`, then e-mail address; new people are invited unless `notify` is false. Sending the same batch again changes nothing more, and access that staff revoked does not come back. Lecturers name their own students by `member_id` or `external_id` and others by e-mail address with a name; an `external_id` that they send is not stored. They receive neither id nor `member_id` of others until those join: see GET /pending-enrollments. Their dry run only says whether the batch is valid.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  // Otherwise a lecturer could learn of a thousand addresses who has an account, without a trace.
  dryRun: 'veiled_unless_staff',
  body: EnrollmentBatch,
  returns: EnrollmentBatchAnswer,
  example: {
    body: {
      course_id: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }),
      rows: [{ email: 'eli@crumb.example' }, { email: 'hugo@crumb.example', name: 'Hugo Lima' }],
      notify: false,
    },
  },
  async handle(context) {
    const { body, changed, record } = context
    await scopeOf(context)
    const shaped = shapedRows(body.rows)
    const before = await lockKnown(context, shaped)
    const rights = await rightsOf(context, shaped, before)
    const nameable = (known: KnownMembers): KnownMembers =>
      rights.students === undefined ? known : asLecturer(known, rights.students)
    const added = await addNewcomers(context, shaped, nameable(before), rights)
    const known = nameable(added === undefined ? before : await lockKnown(context, shaped))
    const made = added ?? new Set<string>()
    const rows = shaped.map(row => (isPlan(row) ? row : targetOf(row, context, known, rights)))
    const plans = await planAll(context, rows)
    await perform(context, plans)
    const answer = await answerOf(context, plans)
    const written = answer.results.filter(({ status }) => status === 'created' || status === 'updated')
    const members = [...made].map(id => toId('mem', id))
    const ids = [...members, ...written.flatMap(({ id }) => id ?? [])]
    if (ids.length > 0) {
      changed({ ids, fields: ['rows'] })
      record(imported(answer, made.size))
    }
    if (body.send_invitations === true) for (const id of made) record(invited({ id }))
    const { source = 'import', notify = true } = body
    if (notify)
      for (const { target } of plans.filter(kindIs('created')))
        record(enrolled({ memberId: target.member.id, courseId: target.courseId, source }))
    return answer
  },
})

const imported = ({ created, updated }: { readonly created: number; readonly updated: number }, made: number) => ({
  type: 'student.imported',
  payload: { created, updated, members: made },
  effects: {
    access: {
      en: `Gives access ${created} times and moves its end ${updated} times`,
      pt: `Dá acesso ${created} vezes e altera-lhe o fim ${updated} vezes`,
    },
  },
})

/** The operations of batches, in the order of the documentation. */
export const batchOperations = [createEnrollmentBatch]
