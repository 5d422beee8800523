import { PagePreview, SitePage } from '#src/areas/pages/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { atPage, doneOf, formToken, isReply, languageAt, redirect } from '#src/web/account/index.ts'
import { revisionOf } from '../form-fields.ts'
import { recentStaffOf } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { StaffSection } from '../section.ts'
import { blocksIn, rearranged } from './blocks.rules.ts'
import { type EditView, editPage, editPath } from './edit-page.ts'
import { formWithFiles } from './form-files.ts'
import { optionsFor } from './options.ts'
import { changesOf, type Content, type Edited, editedPage, fieldsIn, instantIn } from './page-form.ts'

type Place = { readonly request: EndpointRequest; readonly parts: StaffPagesParts; readonly session: Session }

const paramsOf = ({ params }: EndpointRequest) => ({ page_id: params.id ?? '' })

const pageOf = ({ request, parts, session }: Place): Promise<Content> =>
  parts.performAs(atPage(request, session), { operation: 'getPage', params: paramsOf(request), returns: SitePage })

type Shown = Partial<Pick<EditView, 'edited' | 'isUnsaved' | 'refusal'>>

const editor = async (place: Place, { edited, isUnsaved = false, refusal }: Shown = {}): Promise<Reply> => {
  const { request, parts, session } = place
  const page = await pageOf(place)
  const language = languageAt(request, session)
  return editPage({
    school: request.school,
    token: formToken(parts.secret, request.school.id, { session }),
    done: doneOf(request),
    page,
    edited: edited ?? editedPage(page),
    options: await optionsFor({ ...place, language }, page),
    isUnsaved,
    refusal,
  })
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await recentStaffOf(request)
  return isReply(session) ? session : editor({ request, parts, session })
}

const perform = async ({ request, parts, session }: Place, call: Omit<PageCall<undefined>, 'params'>): Promise<void> => {
  await parts.performAs(atPage(request, session), { ...call, params: paramsOf(request) })
}

const save = async (place: Place, form: Pairs, edited: Edited): Promise<void> => {
  const body = changesOf(edited, await pageOf(place))
  await perform(place, { operation: 'updatePage', body, revision: revisionOf(form) })
}

const previewOf = async ({ request, parts, session }: Place): Promise<Reply> => {
  const call = { operation: 'createPagePreview', params: paramsOf(request), returns: PagePreview }
  const { url } = await parts.performAs(atPage(request, session), call)
  return redirect(new URL(url).pathname)
}

const copyOf = async ({ request, parts, session }: Place): Promise<Reply> => {
  const call = { operation: 'copyPage', params: paramsOf(request), body: {}, returns: SitePage }
  const { id } = await parts.performAs(atPage(request, session), call)
  return redirect(`${editPath(id)}?done=created`)
}

// What was typed is saved before anything that publishes or shows it.
const act = async (place: Place, form: Pairs, edited: Edited): Promise<Reply> => {
  const path = editPath(place.request.params.id ?? '')
  switch (formField(form, 'act')) {
    case 'save':
      await save(place, form, edited)
      return redirect(`${path}?done=saved`)
    case 'preview':
      await save(place, form, edited)
      return previewOf(place)
    case 'publish':
      await save(place, form, edited)
      await perform(place, { operation: 'publishPage', body: {} })
      return redirect(`${path}?done=published`)
    case 'schedule':
      await save(place, form, edited)
      // A text that is no moment is refused as one in the past.
      await perform(place, {
        operation: 'publishPage',
        body: { at: instantIn(edited.fields.at) ?? '1970-01-01T00:00:00.000Z' },
      })
      return redirect(`${path}?done=scheduled`)
    case 'unpublish':
      await perform(place, { operation: 'unpublishPage' })
      return redirect(`${path}?done=unpublished`)
    case 'setHome':
      await perform(place, { operation: 'setHomePage' })
      return redirect(`${path}?done=home`)
    case 'clearHome':
      await perform(place, { operation: 'clearHomePage' })
      return redirect(`${path}?done=home`)
    case 'copy':
      return copyOf(place)
    case 'delete':
      await perform(place, { operation: 'deletePage', revision: revisionOf(form) })
      return redirect('/staff/pages?done=deleted')
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const isShown = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.problem.status !== 404 && error.problem.status < 500 && error.problem !== formRefused

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await recentStaffOf(request)
  if (isReply(session)) return session
  const place = { request, parts, session }
  let form: Pairs
  try {
    form = await formWithFiles(place)
  } catch (error) {
    if (isShown(error)) return editor(place, { refusal: error })
    throw error
  }
  const edited: Edited = { fields: fieldsIn(form), blocks: blocksIn(form) }
  const blocks = rearranged(edited.blocks, formField(form, 'act'), formField(form, 'add_type'))
  if (blocks !== undefined) return editor(place, { edited: { ...edited, blocks }, isUnsaved: true })
  try {
    return await act(place, form, edited)
  } catch (error) {
    if (!isShown(error)) throw error
    if (error.problem === signInRequired) return redirect(request.path)
    return editor(place, { edited, refusal: error })
  }
}

/** GET and POST /staff/pages/:id. */
export const pageEdit: StaffSection = {
  // The list leads to each page.
  entries: [],
  endpoints: parts => [
    endpoint({ route: 'GET /staff/pages/:id', handle: request => show(request, parts) }),
    endpoint({ route: 'POST /staff/pages/:id', handle: request => submit(request, parts) }),
  ],
}
