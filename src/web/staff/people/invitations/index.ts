import { randomUUID } from 'node:crypto'
import { Member, MemberPage } from '#src/areas/people/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { atPage, doneOf, formKeyIn, formToken, isReply, languageAt, redirect } from '#src/web/page/index.ts'
import { refusalOf, staffFormOf, staffOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { invitationsPage, type Typed } from './page.ts'
import { invitationsText as text } from './text.ts'

const PATH = '/staff/invitations'
const SHOWN = '50'
// Longer than any field may be, so that a long value is refused and not truncated.
const LONGEST = 300

type Place = { readonly request: EndpointRequest; readonly parts: StaffPagesParts; readonly session: Session }

const blank = (): Typed => ({ name: '', email: '', role: 'member', formKey: randomUUID() })

const pageOf = async ({ request, parts, session }: Place, typed: Typed, refusal?: Refusal): Promise<Reply> => {
  const cursor = new URLSearchParams(request.query).get('cursor') ?? ''
  const query: Pairs = [
    ['status', 'invited'],
    ['limit', SHOWN],
    ['sort', '-created_at'],
    ...(cursor === '' ? [] : [['cursor', cursor] as const]),
  ]
  const call = { operation: 'listMembers', query, returns: MemberPage }
  const page = await parts.performAs(atPage(request, session), call)
  return invitationsPage({
    school: request.school,
    language: languageAt(request, session),
    token: formToken(parts.secret, request.school.id, { session }),
    viewer: session.member,
    people: page.data,
    next: page.next_cursor,
    isFirst: cursor === '',
    done: doneOf(request),
    ...{ typed, refusal },
  })
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  return isReply(session) ? session : pageOf({ request, parts, session }, blank())
}

const typedIn = (form: Pairs): Typed => ({
  name: cleanLine(formField(form, 'name'), LONGEST),
  email: cleanLine(formField(form, 'email'), LONGEST),
  role: formField(form, 'role') || 'member',
  formKey: formField(form, 'form_key'),
})

// The role is a second write: where it is refused, the person is invited all the same.
const invite = async ({ parts }: Place, person: SignedInPerson, form: Pairs): Promise<string> => {
  const { name, email, role } = typedIn(form)
  const call = { operation: 'createMember', body: { name, email }, ...formKeyIn(form), returns: Member }
  const { id } = await parts.performAs(person, call)
  if (role === 'member') return 'invited'
  const params = { member_id: id }
  const refusal = await refusalOf(parts.performAs(person, { operation: 'setStaffRole', params, body: { role } }))
  return refusal === undefined ? 'invited' : 'no_role'
}

const act = async (place: Place, form: Pairs): Promise<string> => {
  const { parts, request, session } = place
  const [person, params] = [atPage(request, session), { member_id: formField(form, 'member_id') }]
  switch (formField(form, 'act')) {
    case 'invite':
      return invite(place, person, form)
    case 'resend':
      await parts.performAs(person, { operation: 'inviteMember', params })
      return 'resent'
    case 'withdraw':
      await withdraw(place, person, params)
      return 'withdrawn'
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

// Somebody who has accepted meanwhile is a member, and is not removed by this button.
const withdraw = async ({ parts }: Place, person: SignedInPerson, params: { readonly member_id: string }) => {
  const { status, revision } = await parts.performAs(person, { operation: 'getMember', params, returns: Member })
  if (status === 'invited') await parts.performAs(person, { operation: 'deleteMember', params, revision })
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const place = { request, parts, session }
  try {
    return redirect(`${PATH}?done=${await act(place, form)}`)
  } catch (error) {
    const isShown = error instanceof Refusal && error.problem.status !== 404 && error.problem.status < 500
    if (!isShown || error.problem === formRefused) throw error
    if (error.problem === signInRequired) return redirect(PATH)
    return pageOf(place, formField(form, 'act') === 'invite' ? typedIn(form) : blank(), error)
  }
}

/** GET and POST /staff/invitations. */
export const invitations: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  pages: [
    parts => endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
    parts => endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
  ],
}
