import { getCourse } from '#src/areas/courses/index.ts'
import { Explanation, explain, languageFor, OwnAccessQuery } from '#src/areas/learning/access/index.ts'
import { isCourseVisible } from '#src/areas/learning/enrollments/index.ts'
import { findMember } from '#src/areas/people/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'

const explainAccountAccess = declareFor('self', 'account', {
  id: 'explainAccountAccess',
  route: 'GET /account/access',
  summary: 'Explain your access',
  description:
    'Says whether you have access to a course at an instant, and why. For the past, the answer is what was recorded; for the future, it follows from what is known now. A course that was never open to you has the state `none`; one you cannot find is 404.',
  query: OwnAccessQuery,
  returns: Explanation,
  example: { query: { item: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }) } },
  async handle(context) {
    const { db, school, caller, query } = context
    const member = await findMember(db, school.id, caller.member.id)
    if (member === undefined) throw new Refusal(signInRequired, 'The account no longer exists.')
    const language = await languageFor(context, query.language)
    const courseId = query.item
    const isVisible = await isCourseVisible(context, courseId)
    const explanation = await explain(context, {
      member,
      courseId,
      at: query.at,
      language,
      withReasons: false,
      isVisible,
    })
    // Who was never entitled may know of a course only what everybody may.
    if (explanation.entitlements.length === 0) await getCourse(context, query.item)
    return explanation
  },
})

/** The operations of one's own access, in the order of the documentation. */
export const accountAccessOperations = [explainAccountAccess]
