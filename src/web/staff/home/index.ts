import { MemberPage } from '#src/areas/people/index.ts'
import { Guide } from '#src/areas/school/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { atPage, doneOf, formToken, isReply, languageAt, redirect } from '#src/web/page/index.ts'
import { groupsFor, isFor } from '../navigation.ts'
import { staffFormOf, staffOf } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { StaffEntry } from '../section.ts'
import { appearanceWarnings, figuresOf, waitsOf } from './figures.ts'
import { stepsIn } from './guide.ts'
import { homePage } from './page.ts'

const INVITED = '5'
const TEACHING = '/staff/teaching'

const show = async (
  request: EndpointRequest,
  { performAs, confirmations, secret }: StaffPagesParts,
  entries: readonly StaffEntry[],
): Promise<Reply> => {
  // Lecturers have a first page of their own, where the console has one.
  const hasTeaching = entries.some(({ path }) => path === TEACHING)
  const session = await staffOf(request, hasTeaching ? 'lecturer' : 'admin')
  if (isReply(session)) return session
  if (session.member.role === 'lecturer') return redirect(TEACHING)
  const person = atPage(request, session)
  const invitedOnly = [
    ['status', 'invited'],
    ['limit', INVITED],
  ] as const
  const waiting = await confirmations.listPending(request.school, session.member.id)
  // One after the other: all of them at once need more connections than there are, and on a busy machine the last ones get none.
  const figures = await figuresOf(performAs, person)
  const waits = await waitsOf(performAs, person, waiting.length)
  const [warnings, { data: invited }, guide] = await Promise.all([
    appearanceWarnings(performAs, person),
    performAs(person, { operation: 'listMembers', query: invitedOnly, returns: MemberPage }),
    performAs(person, { operation: 'getGuide', returns: Guide }),
  ])
  return homePage({
    school: request.school,
    language: languageAt(request, session),
    token: formToken(secret, request.school.id, { session }),
    entries: entries.filter(entry => isFor(session.member.role, entry)),
    groups: groupsFor(session.member.role, entries),
    steps: guide.steps,
    done: doneOf(request),
    ...{ figures, waits, warnings, invited, waiting: waiting.length },
  })
}

const skip = async (request: EndpointRequest, { performAs, secret }: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, secret)
  if ('status' in posted) return posted
  const steps = stepsIn(posted.form)
  if (steps.length === 0) throw new Refusal(formRefused, 'The form has no step.')
  await performAs(atPage(request, posted.session), { operation: 'skipGuideSteps', body: { steps } })
  return redirect('/staff?done=skipped')
}

/** GET /staff, with a line for each of these entries, and POST /staff/guide. */
export const homeEndpoints = (parts: StaffPagesParts, entries: readonly StaffEntry[]): Endpoint[] => [
  endpoint({ route: 'GET /staff', handle: request => show(request, parts, entries) }),
  endpoint({ route: 'POST /staff/guide', handle: request => skip(request, parts) }),
]
