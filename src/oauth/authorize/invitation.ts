import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { languageFor } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import {
  acceptInvitation,
  type CodeParts,
  checkCode,
  createSession,
  findInvitation,
  hashPassword,
  redirectInto,
  type SessionStart,
} from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import type { Complaint } from '../pages/form-page.ts'
import { invitationPage } from '../pages/people.ts'
import { refuseCrossSite } from './in-progress.ts'
import { findError, nameIn } from './sign-up.ts'

const readInvitation = async (request: EndpointRequest, handle: string) => {
  const found = await findInvitation(request.database, request.school, handle)
  if (found !== undefined) return { ...found, handle }
  throw new OAuthError('invalid_request', texts.oauth.authorize.invitation.invitationOf.thisInvitationHasExpiredOr)
}

const page = (
  request: EndpointRequest,
  { handle, email }: { readonly handle: string; readonly email: string },
  name: string,
  complaint?: Complaint,
): Reply =>
  // The invited person has no profile yet.
  invitationPage({ school: request.school, language: languageFor(request), handle }, { email, name }, complaint)

const show = async (request: EndpointRequest): Promise<Reply> => {
  const handle = new URLSearchParams(request.query).get('invitation') ?? ''
  return page(request, await readInvitation(request, handle), '')
}

const submit = async (request: EndpointRequest, { secret, random }: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const { school, database } = request
  const form = await request.form()
  const invitation = await readInvitation(request, formField(form, 'invitation'))
  const { place, email } = invitation
  const [name, password] = [nameIn(form), formField(form, 'password')]
  const wrong = (complaint: Complaint): Reply => page(request, invitation, name, complaint)
  const complaint = await findError(request, { email, name, password })
  if (complaint !== undefined) return wrong(complaint)
  const code = await checkCode(database, school.id, secret, place, formField(form, 'code'))
  if (code === undefined) return wrong({ error: 'code' })
  const passwordHash = await hashPassword(password)
  const accepted = await database.transaction<SessionStart | undefined>(school.id, async (db, now) => {
    const memberId = await acceptInvitation(db, school, { place, code, name, passwordHash })
    return memberId === undefined ? undefined : createSession(db, request, memberId, { now, random })
  })
  return accepted === undefined ? wrong({ error: 'code' }) : redirectInto(accepted, '/account/welcome')
}

/** GET and POST /oauth/invitation: an invited person verifies the address, chooses a password and is signed in. */
export const invitationEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/invitation', handle: show }),
  endpoint({ route: 'POST /oauth/invitation', handle: request => submit(request, parts) }),
]
