import { Member } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { atPage, doneOf, formToken, isReply, languageAt, redirect } from '#src/web/page/index.ts'
import { refusalOf, staffFormOf, staffOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { personPage } from './person-page.ts'

// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 300

const idOf = ({ params }: EndpointRequest): string => params.id ?? ''

const pageOf = async (
  request: EndpointRequest,
  { secret, performAs }: StaffPagesParts,
  session: Session,
  refusal?: Refusal,
): Promise<Reply> => {
  const person = await performAs(atPage(request, session), {
    operation: 'getMember',
    params: { member_id: idOf(request) },
    expand: ['groups'],
    returns: Member,
  })
  return personPage({
    school: request.school,
    language: languageAt(request, session),
    viewer: session.member,
    token: formToken(secret, request.school.id, { session }),
    done: doneOf(request),
    person,
    refusal,
  })
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  return isReply(session) ? session : pageOf(request, parts, session)
}

type Call = PageCall<undefined>

const roleCall = (params: { readonly member_id: string }, form: Pairs): Call => {
  const role = roles.find(one => one === formField(form, 'role'))
  if (role === undefined) throw new Refusal(formRefused, 'The form has no valid role.')
  if (role === 'member') return { operation: 'removeStaffRole', params }
  return { operation: 'setStaffRole', params, body: { role } }
}

const suspension = (form: Pairs) => ({ reason: cleanLine(formField(form, 'reason'), LONGEST) })

const calls: Readonly<Record<string, (params: { readonly member_id: string }, form: Pairs) => Call>> = {
  role: roleCall,
  suspend: (params, form) => ({ operation: 'suspendMember', params, body: suspension(form) }),
  reinstate: params => ({ operation: 'reinstateMember', params }),
  invite: params => ({ operation: 'inviteMember', params }),
  sign_out: params => ({ operation: 'deleteMemberSessions', params }),
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const act = formField(form, 'act')
  const call = Object.hasOwn(calls, act) ? calls[act]?.({ member_id: idOf(request) }, form) : undefined
  if (call === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalOf(parts.performAs(atPage(request, session), call))
  const path = `/staff/people/${idOf(request)}`
  if (refusal === undefined) return redirect(`${path}?done=${act}`)
  // If the session ended meanwhile, that page asks for a new sign-in.
  return refusal.problem === signInRequired ? redirect(path) : pageOf(request, parts, session, refusal)
}

/** GET and POST /staff/people/:id. */
export const person: StaffSection = {
  // The list of people leads to each of them.
  entries: [],
  pages: [
    parts => endpoint({ route: 'GET /staff/people/:id', handle: request => show(request, parts) }),
    parts => endpoint({ route: 'POST /staff/people/:id', handle: request => submit(request, parts) }),
  ],
}
