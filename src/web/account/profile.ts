import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { errorsOfProfile, getMember, type Profile } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { atPage, isReply, personOf, readForm, redirect } from '#src/web/page/index.ts'
import { changeView } from './change.ts'
import type { Complaint } from './pages/change.ts'
import { profilePage } from './pages/profile.ts'
import type { AccountPagesParts } from './parts.ts'

const show = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const { school, database } = request
  const profile = await database.statements(school.id, db => getMember(db, school.id, session.member.id))
  return profilePage({ ...changeView(request, secret, session), profile })
}

// Longer than any field may be, so that a long value is refused and not truncated.
const LONGEST = 200

const profileIn = (form: Pairs): Profile => {
  const part = (name: string): string => cleanLine(formField(form, name), LONGEST)
  return { name: part('name'), locale: part('locale') || null, time_zone: part('time_zone') || null }
}

const isProfileError = (code: string | undefined): code is 'name' | 'locale' | 'time_zone' =>
  code === 'name' || code === 'locale' || code === 'time_zone'

const complaintOf = (profile: Profile): Complaint | undefined => {
  const error = errorsOfProfile(profile)[0]?.code
  return isProfileError(error) ? { error } : undefined
}

const submit = async (request: EndpointRequest, { secret, performAs }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const profile = profileIn(await readForm(request, secret, { session }))
  const complaint = complaintOf(profile)
  if (complaint !== undefined) return profilePage({ ...changeView(request, secret, session, complaint), profile })
  await performAs(atPage(request, session), { operation: 'updateAccount', body: profile })
  return redirect('/account?done=profile')
}

/** GET and POST /account/profile. */
export const profileEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/profile', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/profile', handle: request => submit(request, parts) }),
]
