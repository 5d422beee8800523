import {
  AppearanceDraft,
  AppearancePreview,
  AppearanceVersionPage,
  addFile,
  type FileField,
  fileFields,
  typesOf,
} from '#src/areas/files/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, invalidBody, signInRequired } from '#src/contract/problems.ts'
import { isSameSite, type Session } from '#src/identity/index.ts'
import { sameBytes } from '#src/kit/crypto.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { toId } from '#src/kit/ids.ts'
import { bucketOrigin } from '#src/web/bucket-origin.ts'
import { fileReasons } from '#src/web/file-reasons.ts'
import { atPage, doneOf, formToken, isReply, languageAt, redirect, zoneOf } from '#src/web/page/index.ts'
import { recentStaffOf, staffFormOf, staffOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { bodyOf, bodyWithImage, type Draft, type Values, valuesIn, valuesOf, withSuggestion } from './form.ts'
import { appearancePage } from './page.ts'
import { appearanceText as text } from './text.ts'

const PATH = '/staff/appearance'
const MAX_IMAGE = 5_000_000
const IMAGES = ['image/png', 'image/webp', 'image/jpeg']
const VERSIONS = '10'

type Place = { readonly request: EndpointRequest; readonly parts: StaffPagesParts; readonly session: Session }

const draftAt = ({ request, parts, session }: Place): Promise<Draft> =>
  parts.performAs(atPage(request, session), { operation: 'getAppearanceDraft', returns: AppearanceDraft })

const pageOf = async (place: Place, shown: { readonly values?: Values; readonly refusal?: Refusal } = {}) => {
  const { request, parts, session } = place
  const [draft, versions, origin] = await Promise.all([
    draftAt(place),
    parts.performAs(atPage(request, session), {
      operation: 'listAppearanceVersions',
      query: [['limit', VERSIONS]],
      returns: AppearanceVersionPage,
    }),
    bucketOrigin(parts.files),
  ])
  return appearancePage({
    school: request.school,
    language: languageAt(request, session),
    person: session.member,
    token: formToken(parts.secret, request.school.id, { session }),
    draft,
    values: shown.values ?? valuesOf(draft, zoneOf(session.member)),
    versions: versions.data,
    imageOrigin: origin,
    done: doneOf(request),
    refusal: shown.refusal,
  })
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  return isReply(session) ? session : pageOf({ request, parts, session })
}

const perform = ({ request, parts, session }: Place, call: PageCall<undefined>): Promise<undefined> =>
  parts.performAs(atPage(request, session), call)

const save = async (place: Place, values: Values): Promise<void> => {
  const body = bodyOf(values, await draftAt(place), zoneOf(place.session.member))
  await perform(place, { operation: 'setAppearanceDraft', body, revision: Number(values.revision) || 0 })
}

const preview = async ({ request, parts, session }: Place): Promise<Reply> => {
  const call = { operation: 'createAppearancePreview', returns: AppearancePreview }
  const { url } = await parts.performAs(atPage(request, session), call)
  return redirect(new URL(url).pathname)
}

const publish = async (place: Place): Promise<Reply> => {
  const { revision } = await draftAt(place)
  await perform(place, { operation: 'publishAppearance', revision })
  return redirect(`${PATH}?done=published`)
}

// Whatever button it is, what was typed is saved first.
const act = async (place: Place, form: Pairs): Promise<Reply> => {
  const values = valuesIn(form)
  switch (formField(form, 'act')) {
    case 'save':
      await save(place, values)
      return redirect(`${PATH}?done=saved`)
    case 'preview':
      await save(place, values)
      return preview(place)
    case 'publish':
      await save(place, values)
      return publish(place)
    case 'suggestion':
      await save(place, withSuggestion(await draftAt(place), form, zoneOf(place.session.member)))
      return redirect(`${PATH}?done=saved`)
    case 'restore':
      await perform(place, {
        operation: 'restoreAppearanceVersion',
        params: { version: formField(form, 'version') },
      })
      return redirect(`${PATH}?done=restored`)
    case 'remove':
      await setImage(place, imageFieldOf(formField(form, 'field')), null)
      return redirect(`${PATH}?done=removed`)
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const imageFieldOf = (name: string): FileField => {
  const field = fileFields.find(one => one === name)
  if (field === undefined) throw new Refusal(formRefused, 'The form has no valid image.')
  return field
}

const setImage = async (place: Place, field: FileField, fileId: string | null): Promise<void> => {
  const draft = await draftAt(place)
  const body = bodyWithImage(draft, field, fileId)
  await perform(place, { operation: 'setAppearanceDraft', body, revision: draft.revision })
}

const answer = async (place: Place, values: Values | undefined, work: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500 || error.problem === formRefused) throw error
    if (error.problem === signInRequired) return redirect(PATH)
    return pageOf(place, { refusal: error, ...(values === undefined ? {} : { values }) })
  }
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const place = { request, parts, session }
  const isWhole = formField(form, 'revision') !== ''
  return answer(place, isWhole ? valuesIn(form) : undefined, () => act(place, form))
}

// A form with a file; its parts are read by the platform.
const filesIn = async (request: EndpointRequest): Promise<FormData> => {
  const type = request.header('content-type') ?? ''
  if (!isSameSite(request))
    throw new Refusal(formRefused, 'This is not a form of this page.', { headers: { connection: 'close' } })
  const bytes = await request.bytes(MAX_IMAGE)
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    throw new Refusal(formRefused, 'The form cannot be read.')
  }
}

const addImage = async (place: Place, form: FormData): Promise<void> => {
  const { request, parts, session } = place
  const field = imageFieldOf(String(form.get('field') ?? ''))
  const file = form.get('file')
  if (typeof file === 'string' || file === null || file.name === '') throw new Refusal(invalidBody, text.noFile)
  if (file.size === 0) throw new Refusal(invalidBody, fileReasons.empty_file)
  const bytes = Buffer.from(await file.arrayBuffer())
  const contentType = await parts.files.media.sniff(bytes.subarray(0, 65_536))
  // Before the file is stored, which nothing would refer to.
  if (contentType === undefined || !IMAGES.includes(contentType))
    throw new Refusal(invalidBody, contentType?.startsWith('image/') ? fileReasons.unsupported_type : text.noImage)
  if (!typesOf(field).includes(contentType)) throw new Refusal(invalidBody, text.noLogo)
  const { database, school } = request
  const named = { memberId: session.member.id, purpose: 'appearance', filename: file.name || 'image' } as const
  const id = await addFile({ database, school, files: parts.files }, { ...named, contentType, bytes })
  await setImage(place, field, toId('fil', id))
}

const isMultipart = (request: EndpointRequest): boolean =>
  /^multipart\/form-data\s*;/i.test(request.header('content-type') ?? '')

// A form without its file.
const refuseEmpty = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  return pageOf({ request, parts, session: posted.session }, { refusal: new Refusal(invalidBody, text.noFile) })
}

const upload = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  if (!isMultipart(request)) return refuseEmpty(request, parts)
  const session = await recentStaffOf(request)
  if (isReply(session)) return session
  const form = await filesIn(request)
  const expected = Buffer.from(formToken(parts.secret, request.school.id, { session }))
  if (!sameBytes(Buffer.from(String(form.get('token') ?? '')), expected))
    throw new Refusal(formRefused, 'This form does not belong to this session.')
  const place = { request, parts, session }
  return answer(place, undefined, async () => {
    await addImage(place, form)
    return redirect(`${PATH}?done=added`)
  })
}

/** GET and POST /staff/appearance, and POST /staff/appearance/images. */
export const appearance: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  pages: [
    parts => endpoint({ route: 'GET /staff/appearance', handle: request => show(request, parts) }),
    parts => endpoint({ route: 'POST /staff/appearance', handle: request => submit(request, parts) }),
    parts => endpoint({ route: 'POST /staff/appearance/images', handle: request => upload(request, parts) }),
  ],
}
