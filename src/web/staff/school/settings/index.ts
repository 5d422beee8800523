import { isAtLeast } from '#src/contract/caller.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { atPage, doneOf, formToken, isReply, languageAt, redirect, revisionIn } from '#src/web/page/index.ts'
import { recentStaffOf, staffFormOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { type Values, valuesIn } from './fields.ts'
import { pathOf, settingsPage } from './page.ts'
import { type Part, parts } from './parts.ts'
import { settingsText as text } from './text.ts'

type Place = { readonly request: EndpointRequest; readonly pages: StaffPagesParts; readonly session: Session }

const partOf = ({ params }: EndpointRequest): Part => {
  const part = parts.find(({ word }) => word === (params.part ?? ''))
  if (part === undefined) throw new Refusal(notFound, 'There is no such page.')
  return part
}

const pageOf = async (
  { request, pages, session }: Place,
  part: Part,
  typed?: { readonly values: Values; readonly refusal: Refusal },
): Promise<Reply> => {
  const {
    revision,
    values,
    pages: schoolPages,
  } = await part.read(pages.performAs, atPage(request, session), languageAt(request, session))
  // What is known of a school may be a second old, and the name was perhaps changed just now.
  const name = (part.word === '' ? values.name : undefined) ?? request.school.name
  return settingsPage({
    school: { ...request.school, name },
    language: languageAt(request, session),
    token: formToken(pages.secret, request.school.id, { session }),
    mayChange: isAtLeast(session.member.role, part.least),
    done: doneOf(request),
    ...{ part, revision, pages: schoolPages },
    values: typed?.values ?? values,
    refusal: typed?.refusal,
  })
}

const show = async (request: EndpointRequest, pages: StaffPagesParts): Promise<Reply> => {
  const part = partOf(request)
  const session = await recentStaffOf(request)
  return isReply(session) ? session : pageOf({ request, pages, session }, part)
}

const submit = async (request: EndpointRequest, pages: StaffPagesParts): Promise<Reply> => {
  const part = partOf(request)
  const posted = await staffFormOf(request, pages.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const [values, revision] = [valuesIn(part.fields, form), revisionIn(form)]
  const person = atPage(request, session)
  try {
    const { callOf } = await part.read(pages.performAs, person, languageAt(request, session))
    await pages.performAs(person, { ...callOf(values), revision })
    return redirect(`${pathOf(part)}?done=saved`)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status === 404 || error.problem.status >= 500) throw error
    if (error.problem === signInRequired) return redirect(pathOf(part))
    return pageOf({ request, pages, session }, part, { values, refusal: error })
  }
}

/** GET and POST /staff/settings and /staff/settings/:part. */
export const settings: StaffSection = {
  entries: [{ path: '/staff/settings', name: text.name, about: text.about }],
  pages: [
    pages => endpoint({ route: 'GET /staff/settings', handle: request => show(request, pages) }),
    pages => endpoint({ route: 'POST /staff/settings', handle: request => submit(request, pages) }),
    pages => endpoint({ route: 'GET /staff/settings/:part', handle: request => show(request, pages) }),
    pages => endpoint({ route: 'POST /staff/settings/:part', handle: request => submit(request, pages) }),
  ],
}
