import type { Static } from 'typebox'
import { readAccess } from '#src/areas/learning/access/index.ts'
import {
  concealEnrollments,
  covering,
  discloseEnrollments,
  enroll,
  faulty,
  isStudent,
  readScope,
  type Span,
} from '#src/areas/learning/enrollments/index.ts'
import {
  bringBack,
  emailTaken,
  errorsOfMember,
  findMember,
  insertMany,
  lockMatchingMembers,
  type MemberRow,
  newValues,
} from '#src/areas/people/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { NewStudent } from './schema.ts'

type Input = Static<typeof NewStudent>
type Writing = AsCaller & { readonly now: Date }

// Others are treated like new people, so that no refusal reveals to a lecturer who has an account.
const isOwnStudent = async (context: AsCaller, { id }: MemberRow): Promise<boolean> =>
  isStaff(context.caller) || isStudent(context.db, context.school.id, id, await readScope(context))

/** The member of a request: whether they are new or come back, with the fact that says so, and whether the caller may know them. */
type Enrollee = {
  readonly row: MemberRow
  readonly isNew: boolean
  readonly isDisclosed: boolean
  readonly fact?: Fact | undefined
}

const createdFact = (id: string): Fact => ({ type: 'member.created', payload: { member_id: toId('mem', id) } })

/** The member with an address, who comes back where they were deleted, or a new one; nobody can sign in as them before they prove the address. */
export const findOrAddMember = async (
  context: Writing,
  input: Pick<Input, 'email' | 'name' | 'locale'>,
): Promise<Enrollee> => {
  const { db, school, now } = context
  const folded = foldEmail(input.email)
  const [holder] = await lockMatchingMembers(db, school.id, [], [folded])
  // Who was suspended when they were deleted is brought back by staff alone.
  const mayReturn = holder?.status === 'deleted' && (isStaff(context.caller) || holder.suspended_at === null)
  const back = mayReturn ? await bringBack(context, holder.id) : undefined
  const existing = back?.row ?? holder
  if (existing !== undefined && (await isOwnStudent(context, existing)))
    return { row: existing, isNew: back !== undefined, isDisclosed: true, fact: back?.fact }
  if (input.name === undefined)
    throw faulty([
      { pointer: '/name', code: 'required', message: 'is required: none of your students has this address' },
    ])
  const values = newValues({ email: input.email, name: input.name, ...(input.locale ? { locale: input.locale } : {}) })
  refuseInvalid(errorsOfMember(values, now))
  const isDisclosed = isStaff(context.caller)
  if (existing !== undefined) return { row: existing, isNew: back !== undefined, isDisclosed, fact: back?.fact }
  const id = newUuid(now.getTime())
  const added = await insertMany(db, school.id, [{ id, values, tags: [] }])
  // Another transaction added the address a moment before, so the member is read again.
  const row = added.has(id) ? await findMember(db, school.id, id) : undefined
  const [other] = row === undefined ? await lockMatchingMembers(db, school.id, [], [folded]) : []
  const found = row ?? other
  if (found === undefined) throw new Refusal(emailTaken, 'Another member got this address at the same time.')
  return { row: found, isNew: row !== undefined, isDisclosed, fact: row && createdFact(id) }
}

/**
 * Enrolls a member in courses in which they do not have this access yet, and conceals them from lecturers who may not
 * know them.
 */
export const enrollIn = async (
  context: Writing & { readonly body: Input },
  { row: member, isDisclosed }: Enrollee,
  courseIds: readonly string[],
  span: Span,
) => {
  const { db, school, body } = context
  const { source = 'staff', note, notify } = body
  const enrolled = []
  for (const courseId of courseIds) {
    const { at, entitlements } = await readAccess(db, school.id, {
      memberId: member.id,
      item: { type: 'course', id: courseId },
    })
    if (covering(entitlements, span, at) !== undefined) continue
    enrolled.push(await enroll(context, { memberId: member.id, courseId, source, ...span, reason: note, notify }))
  }
  const pairs = courseIds.map(courseId => ({ memberId: member.id, courseId, email: body.email }))
  if (isDisclosed) await discloseEnrollments(db, school.id, pairs)
  else await concealEnrollments(db, school.id, pairs)
  return enrolled
}
