import type { TSchema } from 'typebox'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { atPage, formToken, isReply, languageAt, personOf, redirect } from '#src/web/page/index.ts'
import { policyOf } from '#src/web/site/index.ts'
import type { LearnPagesParts } from './parts.ts'

/** A request of somebody who is signed in. */
export type Visit = {
  readonly request: EndpointRequest
  readonly school: EndpointRequest['school']
  readonly session: Session
  readonly language: Language
  /** The time zone of the person, or that of the school. */
  readonly timeZone: string
  /** The CSRF token of every form of the page. */
  readonly token: string
  /** The content security policy of the page. */
  readonly policy: string
}

/** Answers a visit. */
export type Answer = (visit: Visit, parts: LearnPagesParts) => Promise<Reply>

type Returning<Returns extends TSchema> = PageCall<Returns> & { readonly returns: Returns }

/** Performs a declared operation for the visitor, and returns its answer. */
export const read = <Returns extends TSchema>(
  { request, session }: Pick<Visit, 'request' | 'session'>,
  { performAs }: LearnPagesParts,
  call: Returning<Returns>,
) => performAs<Returns>(atPage(request, session), call)

/** Performs a declared write for the visitor, whose answer is not used. */
export const perform = async (
  { request, session }: Visit,
  { performAs }: LearnPagesParts,
  call: PageCall<undefined>,
): Promise<void> => {
  await performAs(atPage(request, session), call)
}

const visitOf = async (request: EndpointRequest, parts: LearnPagesParts, session: Session): Promise<Visit> => ({
  request,
  school: request.school,
  session,
  language: languageAt(request, session),
  timeZone: session.member.timeZone ?? request.school.timeZone,
  token: formToken(parts.secret, request.school.id, { session }),
  policy: await policyOf(parts.files),
})

/** Lets people who are signed in visit a page, and leads others to sign-in and back. */
export const visited =
  (parts: LearnPagesParts, answer: Answer) =>
  async (request: EndpointRequest): Promise<Reply> => {
    const session = await personOf(request)
    if (isReply(session)) return session
    try {
      return await answer(await visitOf(request, parts, session), parts)
    } catch (error) {
      // The page itself leads to sign-in.
      if (error instanceof Refusal && error.problem === signInRequired) return redirect(request.path)
      throw error
    }
  }
