import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { atPage, formToken, isReply, languageAt, type Notice, personOf, readForm } from '#src/web/page/index.ts'
import type { AccountPagesParts } from '../parts.ts'
import { commentsText as text } from './text.ts'

/** A request of somebody who is signed in, for a page of comments. */
export type CommentVisit = {
  readonly request: EndpointRequest
  readonly performAs: AccountPagesParts['performAs']
  readonly person: SignedInPerson
  readonly viewer: Session['member']
  readonly language: Language
  readonly token: string
  readonly query: URLSearchParams
}

const visitOf = (
  request: EndpointRequest,
  { secret, performAs }: AccountPagesParts,
  session: Session,
): CommentVisit => ({
  request,
  performAs,
  person: atPage(request, session),
  viewer: session.member,
  language: languageAt(request, session),
  token: formToken(secret, request.school.id, { session }),
  query: new URLSearchParams(request.query),
})

/** A page of comments for people who are signed in. */
export const commentsPage = (
  route: `GET /account/${string}`,
  parts: AccountPagesParts,
  show: (visit: CommentVisit) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      return isReply(session) ? session : show(visitOf(request, parts, session))
    },
  })

/** A form of such a page. */
export const commentsForm = (
  route: `POST /account/${string}`,
  parts: AccountPagesParts,
  submit: (visit: CommentVisit, form: Pairs) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      if (isReply(session)) return session
      const form = await readForm(request, parts.secret, { session })
      return submit(visitOf(request, parts, session), form)
    },
  })

const THROWN = [notFound, formRefused, signInRequired]

/** The refusal of a write that the page shows beside what was typed; undefined when it was done. */
export const refusalFor = async (done: Promise<unknown>): Promise<Refusal | undefined> => {
  try {
    await done
    return undefined
  } catch (error) {
    if (error instanceof Refusal && !THROWN.includes(error.problem) && error.problem.status < 500) return error
    throw error
  }
}

/** A refusal as a notice, with what it says about input that is not valid; nothing without one. */
export const refusedAs = (
  refusal: Refusal | undefined,
  language: Language,
  invalid: Phrase = text.refusals.invalid_body,
): { readonly notice?: Notice; readonly status?: number } => {
  if (refusal === undefined) return {}
  const { code, status } = refusal.problem
  const phrases: Readonly<Record<string, Phrase>> = { ...text.refusals, invalid_body: invalid }
  const phrase = (Object.hasOwn(phrases, code) ? phrases[code] : undefined) ?? text.refusals.other
  return { notice: { kind: 'refused', text: fill(phrase, language) }, status }
}
