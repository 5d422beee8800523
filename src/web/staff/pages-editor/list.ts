import type { Static } from 'typebox'
import { SitePage, SitePageList } from '#src/areas/pages/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { atPage, doneIn, doneOf, formOf, formToken, framed, isReply, languageAt, redirect } from '#src/web/account/index.ts'
import { formKeyIn } from '../form-fields.ts'
import { staffFormOf, staffOf } from '../page-request.ts'
import { field, hidden } from '../pages/fields.ts'
import { staffLink } from '../pages/link.ts'
import { refusedIn } from '../pages/refused.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { StaffSection } from '../section.ts'
import { editPath } from './edit-page.ts'
import { editorRefusals, editorText as text } from './text.ts'

const PATH = '/staff/pages'

type Line = Encoded<Static<typeof SitePageList>>['data'][number]

type Place = { readonly request: EndpointRequest; readonly parts: StaffPagesParts; readonly session: Session }

const pagesOf = async ({ request, parts, session }: Place): Promise<readonly Line[]> => {
  const call = { operation: 'listPages', query: [['limit', '100']], returns: SitePageList } as const
  return (await parts.performAs(atPage(request, session), call)).data
}

const moveButton = (token: string, { id, title }: Line, how: 'up' | 'down', language: Language): Html =>
  formOf(
    PATH,
    token,
    html`${hidden({ page: id })}<button type="submit" name="act" value="${how}" aria-label="${fill(text[how], language)}: ${title}">${fill(text[how], language)}</button>`,
  )

const itemOf = (page: Line, token: string, language: Language, [isFirst, isLast]: readonly [boolean, boolean]): Html => {
  const facts = [
    page.path,
    fill(text.statuses[page.status], language),
    ...(page.is_home ? [fill(text.home, language)] : []),
    ...(page.has_changes === true ? [fill(text.hasChanges, language)] : []),
  ]
  return html`<li><a href="${editPath(page.id)}"><bdi>${page.title}</bdi></a><span class="quiet">${facts.join(' · ')}</span>
<div class="buttons">${!isFirst && moveButton(token, page, 'up', language)}${!isLast && moveButton(token, page, 'down', language)}</div></li>
`
}

const listPage = async (place: Place, refusal?: Refusal, title = ''): Promise<Reply> => {
  const { request, parts, session } = place
  const language = languageAt(request, session)
  const token = formToken(parts.secret, request.school.id, { session })
  const pages = await pagesOf(place)
  const done = doneIn(text.done, doneOf(request), language)
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    ...(refusal === undefined ? { notice: done } : refusedIn(refusal, language, editorRefusals)),
    body: html`${
      pages.length === 0
        ? html`<p>${fill(text.none, language)}</p>`
        : html`<ul class="list menu">\n${pages.map((page, index) => itemOf(page, token, language, [index === 0, index === pages.length - 1]))}</ul>`
    }
<h2>${fill(text.add, language)}</h2>
${formOf(
  PATH,
  token,
  html`${hidden({ act: 'create' })}${field({ name: 'title', label: fill(text.fields.title, language), value: title, attributes: html`type="text" maxlength="200" required` })}
<div class="buttons"><button class="main" type="submit">${fill(text.add, language)}</button></div>`,
)}
${staffLink(language)}`,
  })
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  return isReply(session) ? session : listPage({ request, parts, session })
}

const create = async ({ request, parts, session }: Place, form: Pairs): Promise<Reply> => {
  const body = { title: formField(form, 'title').trim() }
  const call = { operation: 'createPage', body, returns: SitePage, ...formKeyIn(form) }
  const { id } = await parts.performAs(atPage(request, session), call)
  return redirect(`${editPath(id)}?done=created`)
}

const move = async (place: Place, form: Pairs): Promise<Reply> => {
  const { request, parts, session } = place
  const ids = (await pagesOf(place)).map(({ id }) => id)
  const id = formField(form, 'page')
  const at = ids.indexOf(id)
  if (at < 0) return redirect(PATH)
  const others = ids.filter(one => one !== id)
  const to = Math.max(0, at + (formField(form, 'act') === 'up' ? -1 : 1))
  const body = { page_ids: [...others.slice(0, to), id, ...others.slice(to)] }
  await parts.performAs(atPage(request, session), { operation: 'reorderPages', body })
  return redirect(`${PATH}?done=moved`)
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const place = { request, parts, session }
  try {
    return await (formField(form, 'act') === 'create' ? create(place, form) : move(place, form))
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status === 404 || error.problem.status >= 500) throw error
    if (error.problem === signInRequired) return redirect(PATH)
    return listPage(place, error, formField(form, 'title'))
  }
}

/** GET and POST /staff/pages: all pages in their order, and a form for a new one. */
export const pageList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  endpoints: parts => [
    endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
    endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
  ],
}
