import { Integration, IntegrationSecret, Integrations } from '#src/areas/school/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { atPage, doneOf, formToken, isReply, languageAt, redirect } from '#src/web/page/index.ts'
import { recentStaffOf, staffFormOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { blank, settingsOf, type Typed, typedIn, typedOf } from './form.ts'
import { type Frame, listPage, newPage, onePage, pathOf, secretPage } from './pages.ts'
import { integrationsText as text } from './text.ts'

const PATH = '/staff/integrations'

type Place = { readonly request: EndpointRequest; readonly parts: StaffPagesParts; readonly session: Session }
type Shown = { readonly typed: Typed; readonly refusal: Refusal }

const frameOf = ({ request, parts, session }: Place, refusal?: Refusal): Frame => ({
  school: request.school,
  language: languageAt(request, session),
  token: formToken(parts.secret, request.school.id, { session }),
  done: doneOf(request),
  refusal,
})

const idIn = ({ query }: EndpointRequest): string => new URLSearchParams(query).get('client_id') ?? ''

const showList = async (place: Place): Promise<Reply> => {
  const call = { operation: 'listIntegrations', returns: Integrations }
  const { data } = await place.parts.performAs(atPage(place.request, place.session), call)
  return listPage(frameOf(place), data)
}

const showOne = async (place: Place, sent?: Shown): Promise<Reply> => {
  const call = { operation: 'getIntegration', params: { client_id: idIn(place.request) }, returns: Integration }
  const shown = await place.parts.performAs(atPage(place.request, place.session), call)
  return onePage(frameOf(place, sent?.refusal), shown, sent?.typed ?? typedOf(shown))
}

const showNew = async (place: Place, sent?: Shown): Promise<Reply> =>
  newPage(frameOf(place, sent?.refusal), sent?.typed ?? blank)

const create = async (place: Place, form: Pairs): Promise<Reply> => {
  const typed = typedIn(form)
  const body = { ...settingsOf(typed), is_confidential: typed.isConfidential }
  const call = { operation: 'createIntegration', body, returns: IntegrationSecret }
  const created = await place.parts.performAs(atPage(place.request, place.session), call)
  return secretPage(frameOf(place), created, place.session.member)
}

const change = async (place: Place, form: Pairs): Promise<Reply> => {
  const { request, parts, session } = place
  const [person, params] = [atPage(request, session), { client_id: idIn(request) }]
  switch (formField(form, 'act')) {
    case 'save':
      await parts.performAs(person, { operation: 'updateIntegration', params, body: settingsOf(typedIn(form)) })
      return redirect(`${pathOf(params.client_id)}&done=changed`)
    case 'rotate': {
      const body = { at_once: formField(form, 'at_once') === 'yes' }
      const call = { operation: 'rotateIntegrationSecret', params, body, returns: IntegrationSecret }
      return secretPage(frameOf(place), await parts.performAs(person, call), session.member, body.at_once)
    }
    case 'remove':
      await parts.performAs(person, { operation: 'removeIntegration', params })
      return redirect(`${PATH}?done=removed`)
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const shown = async (
  request: EndpointRequest,
  parts: StaffPagesParts,
  show: (place: Place) => Promise<Reply>,
): Promise<Reply> => {
  const session = await recentStaffOf(request, 'owner')
  return isReply(session) ? session : show({ request, parts, session })
}

// A refusal is shown on the page of the form, with what was typed.
const submitted = async (
  request: EndpointRequest,
  parts: StaffPagesParts,
  perform: (place: Place, form: Pairs) => Promise<Reply>,
  show: (place: Place, sent?: Shown) => Promise<Reply>,
): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret, 'owner')
  if ('status' in posted) return posted
  const { session, form } = posted
  const place = { request, parts, session }
  try {
    return await perform(place, form)
  } catch (error) {
    const isShown = error instanceof Refusal && error.problem.status !== 404 && error.problem.status < 500
    if (!isShown || error.problem === formRefused) throw error
    if (error.problem === signInRequired) return redirect(PATH)
    const isForm = formField(form, 'name') !== '' || formField(form, 'act') === 'save'
    return show(
      place,
      isForm || show === showNew ? { typed: typedIn(form), refusal: error } : await storedWith(place, error),
    )
  }
}

const storedWith = async ({ request, parts, session }: Place, refusal: Refusal): Promise<Shown> => {
  const call = { operation: 'getIntegration', params: { client_id: idIn(request) }, returns: Integration }
  return { typed: typedOf(await parts.performAs(atPage(request, session), call)), refusal }
}

/** The pages of integrations, for owners. */
export const integrations: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'owner' }],
  pages: [
    parts => endpoint({ route: `GET ${PATH}`, handle: request => shown(request, parts, showList) }),
    parts => endpoint({ route: `GET ${PATH}/new`, handle: request => shown(request, parts, showNew) }),
    parts => endpoint({ route: `POST ${PATH}/new`, handle: request => submitted(request, parts, create, showNew) }),
    parts => endpoint({ route: `GET ${PATH}/app`, handle: request => shown(request, parts, showOne) }),
    parts => endpoint({ route: `POST ${PATH}/app`, handle: request => submitted(request, parts, change, showOne) }),
  ],
}
