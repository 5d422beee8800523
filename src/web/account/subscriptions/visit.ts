import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import {
  atPage,
  formToken,
  isReply,
  languageAt,
  type Notice,
  personOf,
  readForm,
  redirect,
} from '#src/web/page/index.ts'
import type { AccountPagesParts } from '../parts.ts'
import { subscriptionText as text } from './text.ts'

/** A request of somebody who is signed in, for a page of subscriptions. */
export type Visit = {
  readonly request: EndpointRequest
  readonly parts: AccountPagesParts
  readonly performAs: AccountPagesParts['performAs']
  readonly person: SignedInPerson
  readonly viewer: Session['member']
  readonly language: Language
  readonly token: string
  readonly query: URLSearchParams
}

const visitOf = (request: EndpointRequest, parts: AccountPagesParts, session: Session): Visit => ({
  ...{ request, parts },
  performAs: parts.performAs,
  person: atPage(request, session),
  viewer: session.member,
  language: languageAt(request, session),
  token: formToken(parts.secret, request.school.id, { session }),
  query: new URLSearchParams(request.query),
})

// A session that has ended meanwhile begins again at the page.
const answer = async (visit: Visit, work: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.problem === signInRequired) return redirect(visit.request.path)
    throw error
  }
}

/** A page of subscriptions for people who are signed in. */
export const subscriptionPage = (
  route: `GET /account/${string}`,
  parts: AccountPagesParts,
  show: (visit: Visit) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      if (isReply(session)) return session
      const visit = visitOf(request, parts, session)
      return answer(visit, () => show(visit))
    },
  })

/** A form of such a page. */
export const subscriptionForm = (
  route: `POST /account/${string}`,
  parts: AccountPagesParts,
  submit: (visit: Visit, form: Pairs) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      if (isReply(session)) return session
      const form = await readForm(request, parts.secret, { session })
      const visit = visitOf(request, parts, session)
      return answer(visit, () => submit(visit, form))
    },
  })

const THROWN = [notFound, formRefused, signInRequired]
// What a provider does not answer is shown on the page as well.
const isShown = ({ problem }: Refusal): boolean =>
  !THROWN.includes(problem) && (problem.status < 500 || problem.code === 'provider_unavailable')

/** What was refused, which the page shows; other errors are thrown. */
export const shownRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal && isShown(error)) return error
  throw error
}

/** A refusal as the notice of a page; nothing without one. */
export const refusedAs = (
  refusal: Refusal | undefined,
  language: Language,
): { readonly notice?: Notice; readonly status?: number } => {
  if (refusal === undefined) return {}
  const { code, status } = refusal.problem
  const phrases: Readonly<Record<string, (typeof text.refusals)['other']>> = text.refusals
  const phrase = (Object.hasOwn(phrases, code) ? phrases[code] : undefined) ?? text.refusals.other
  return { notice: { kind: 'refused', text: fill(phrase, language) }, status }
}
