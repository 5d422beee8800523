import { clockNow, type HoldRow, type Item, keepOut, letIn, listStanding } from '#src/areas/entitlements/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { shownBy } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { holdView } from '../access/actions.ts'
import { HoldView } from '../access/schema.ts'
import { holdStudent, type Looking, scopeOf } from '../actions.ts'
import { coursesFor } from '../enrolling.operations.ts'
import { refuseFaults } from '../enrollments/rules.ts'
import { studentExample } from '../people/operations.ts'
import { isStudent } from '../people/queries.ts'
import { HoldRef, NewHold } from './schema.ts'

const example = {
  params: { ...studentExample, item: shownBy('crs', 'listCourses', { having: { slug: 'first-loaf' } }) },
}

const nothing = (): Refusal => new Refusal(notFound, 'There is no such student or course.')

// All is staff's to hold back; of a course, that of whoever teaches it.
const itemOf = async (looking: Looking, item: string): Promise<Item | undefined> => {
  if (item === 'all') {
    await scopeOf(looking)
    if (!isStaff(looking.caller)) throw new Refusal(roleRequired, 'All access of a person is held back by staff alone.')
    return undefined
  }
  const id = fromId('crs', item) ?? ''
  const [own] = await coursesFor(looking, [id])
  if (own === undefined) throw nothing()
  return { type: 'course', id: own }
}

const held = async (looking: Looking, params: { readonly student_id: string; readonly item: string }) => {
  const member = await holdStudent(looking, params.student_id)
  const item = await itemOf(looking, params.item)
  const { db, school } = looking
  const scope = await scopeOf(looking)
  if (item !== undefined && !(await isStudent(db, school.id, member.id, { ...scope, courseId: item.id })))
    throw nothing()
  return { member, item, standing: await listStanding(db, school.id, member.id, item) }
}

const isSame = (one: HoldRow, until: Date | undefined, note: string | undefined): boolean =>
  (one.ends_at?.getTime() ?? null) === (until?.getTime() ?? null) && one.note === (note ?? null)

const placeHold = operation({
  id: 'placeHold',
  route: 'PUT /students/:student_id/holds/:item',
  summary: 'Place a hold',
  description:
    'Pauses the access of a student to one course or to all. Nothing is revoked: when the hold ends or is lifted, access continues as it would have been. A hold that exists is replaced.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  params: HoldRef,
  body: NewHold,
  returns: HoldView,
  example: { ...example, body: { note: 'lost the key to the kitchen' } },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const { member, item, standing } = await held(context, params)
    const until = body.until ? new Date(body.until) : undefined
    refuseFaults(
      until !== undefined && until <= now ? [{ pointer: '/until', code: 'past', message: 'is over already' }] : [],
    )
    const [same] = standing.filter(one => isSame(one, until, body.note))
    if (same !== undefined && standing.length === 1) return holdView(same, { at: now, isTold: true })
    for (const one of standing) await letIn(db, school, one.id)
    const plan = { memberId: member.id, item, reason: 'staff', endsAt: until, note: body.note } as const
    const { id, fact } = await keepOut(db, school, now, plan)
    const [placed] = await listStanding(db, school.id, member.id, item)
    if (placed === undefined) throw new Error('a hold that was placed stands')
    changed({ ids: [toId('mem', member.id), toId('hld', id)], fields: ['holds'], memberId: member.id })
    record(fact)
    return holdView(placed, { at: await clockNow(db), isTold: true })
  },
})

const liftHold = operation({
  id: 'liftHold',
  route: 'DELETE /students/:student_id/holds/:item',
  summary: 'Lift a hold',
  description: 'Ends a hold that staff or a lecturer placed. Holds for late or disputed payments end with their cause.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  params: HoldRef,
  returns: undefined,
  example,
  async handle(context) {
    const { db, school, params, changed, record } = context
    const { member, standing } = await held(context, params)
    for (const one of standing) {
      const fact = await letIn(db, school, one.id)
      if (fact !== undefined) record(fact)
    }
    const ids = [toId('mem', member.id), ...standing.map(({ id }) => toId('hld', id))]
    if (standing.length > 0) changed({ ids, fields: ['holds'], memberId: member.id })
  },
})

/** What keeps students out for a while, in the order of the documentation. */
export const holdOperations = [placeHold, liftHold]
