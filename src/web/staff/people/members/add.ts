import { Member } from '#src/areas/people/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { atPage, formToken, isReply, languageAt, redirect } from '#src/web/page/index.ts'
import { recentStaffOf, staffFormOf } from '../../page-request.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { addPage, type Typed } from './add-page.ts'

const { home: text } = staffText

const PATH = '/staff/people/new'
const NOTHING: Typed = { name: '', email: '', invites: true }
// Longer than any field may be, so that a long value is refused and not truncated.
const LONGEST = 300

const pageOf = (request: EndpointRequest, secret: string, session: Session, typed: Typed, refusal?: Refusal): Reply =>
  addPage({
    school: request.school,
    language: languageAt(request, session),
    token: formToken(secret, request.school.id, { session }),
    typed,
    refusal,
  })

const show = async (request: EndpointRequest, { secret }: StaffPagesParts): Promise<Reply> => {
  const session = await recentStaffOf(request)
  return isReply(session) ? session : pageOf(request, secret, session, NOTHING)
}

const typedIn = (form: Pairs): Typed => ({
  name: cleanLine(formField(form, 'name'), LONGEST),
  email: cleanLine(formField(form, 'email'), LONGEST),
  invites: formField(form, 'invites') === 'yes',
})

const submit = async (request: EndpointRequest, { secret, performAs }: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const typed = typedIn(form)
  const { name, email, invites } = typed
  try {
    const body = { name, email, send_invitation: invites }
    const { id } = await performAs(atPage(request, session), { operation: 'createMember', body, returns: Member })
    return redirect(`/staff/people/${id}?done=${invites ? 'added_invited' : 'added'}`)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    return error.problem === signInRequired ? redirect(PATH) : pageOf(request, secret, session, typed, error)
  }
}

/** GET and POST /staff/people/new. */
export const addMember: StaffSection = {
  entries: [{ path: PATH, name: text.add, about: text.addAbout }],
  pages: [
    parts => endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
    parts => endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
  ],
}
