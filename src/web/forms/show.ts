import { newFormToken } from '#src/areas/publishing/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { withBrowserBinding } from '#src/web/account/index.ts'
import { formToken, languageAt, sessionOf } from '#src/web/page/index.ts'
import { inputOf } from '#src/web/questions/index.ts'
import { type AnswerView, answerPage, donePage, signInPage, stateMessage } from './pages/form.ts'
import type { FormPagesParts } from './parts.ts'
import { type FormView, readFormOf, rowOf } from './reads.ts'

/** What a form of the page shows again; with `formToken` it stays the same submission. */
type Shown = Pick<AnswerView, 'typed' | 'errors' | 'notice' | 'isSure'> & {
  readonly status?: number
  readonly formToken?: string
}

/** The page on which a form is answered, for the person or the browser. */
export const answerReply = async (
  request: EndpointRequest,
  parts: FormPagesParts,
  { form, session }: { readonly form: FormView; readonly session: Session | undefined },
  shown: Shown,
): Promise<Reply> => {
  const { school } = request
  const own = shown.formToken ?? (await newFormToken(request, parts, rowOf(form)))
  const view = { ...shown, school, form, language: languageAt(request, session), formToken: own }
  if (session !== undefined) return answerPage({ ...view, token: formToken(parts.secret, school.id, { session }) })
  return withBrowserBinding(request, parts.random, browserBinding =>
    answerPage({ ...view, token: formToken(parts.secret, school.id, { browserBinding }) }),
  )
}

// A link may fill in the hidden fields of a form, and name the campaign that it belongs to.
const filledIn = ({ query }: EndpointRequest, { fields }: FormView): Pairs => {
  const given = new URLSearchParams(query)
  const hidden = fields.flatMap(({ id, type }) => {
    const value = given.get(id)
    return type !== 'hidden' || value === null ? [] : [[inputOf(id), value.slice(0, 500)] as const]
  })
  return [...hidden, ['campaign', (given.get('campaign') ?? '').slice(0, 100)]]
}

/** GET /forms/:slug: a form, or why it takes no answers now. */
export const showForm = async (request: EndpointRequest, parts: FormPagesParts): Promise<Reply> => {
  const form = await readFormOf(request, parts)
  const session = await sessionOf(request)
  const view = { school: request.school, language: languageAt(request, session), form }
  if (new URLSearchParams(request.query).get('done') === '1') return donePage(view)
  if (form.state !== 'open') return stateMessage(view)
  if (form.needs_sign_in && session === undefined) return signInPage(view)
  const reply = await answerReply(
    request,
    parts,
    { form, session },
    { typed: filledIn(request, form), errors: new Map() },
  )
  const isOfStaff = session !== undefined && isAtLeast(session.member.role, 'admin')
  return isOfStaff ? reply : { ...reply, viewed: { type: 'form', id: rowOf(form) } }
}
