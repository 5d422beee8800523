import { readFile } from 'node:fs/promises'
import {
  AppearanceDraft,
  AppearancePreview,
  AppearanceVersionPage,
  addFile,
  type FileField,
  fileFields,
  listTypes,
  startPreview,
} from '#src/areas/files/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, invalidBody, preconditionFailed } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { toId } from '#src/kit/ids.ts'
import { fileReasons } from '#src/web/file-reasons.ts'
import {
  chooseZone,
  type FormFile,
  type FormWithFiles,
  fileForm,
  page,
  shownAgain,
  TAKE_THEIRS,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { storeFile } from '../uploads/index.ts'
import { bodyWithImage, buildBody, buildValues, type Draft, type Values, valuesIn, withSuggestion } from './form.ts'
import { appearancePage } from './page.ts'
import { appearanceText as text } from './text.ts'

const PATH = '/staff/appearance'
// An image of 5 MB with the texts.
const MAX_FORM = 6_000_000
const IMAGES = ['image/png', 'image/webp', 'image/jpeg']
const VERSIONS = '10'

const readDraft = ({ call }: StaffContext): Promise<Draft> =>
  call({ operation: 'getAppearanceDraft', returns: AppearanceDraft })

const zoneIn = ({ viewer }: StaffContext): string => chooseZone(viewer)

/** What was typed, and what became of it. */
type Again = { readonly values?: Values; readonly refusal?: Refusal; readonly act?: string }

const show = async (context: StaffContext, again: Again = {}) => {
  const { request, parts, call } = context
  const { values: typed, refusal, act = 'save' } = again
  const query: Pairs = [['limit', VERSIONS]]
  const [draft, versions, preview] = await Promise.all([
    readDraft(context),
    call({ operation: 'listAppearanceVersions', query, returns: AppearanceVersionPage }),
    startPreview(request, parts.keyFor),
  ])
  const zone = zoneIn(context)
  const stored = buildValues(draft, zone)
  const isStale = refusal?.problem === preconditionFailed
  // What was typed beside the draft of somebody else is saved over it, or given up.
  const kept = typed && { ...typed, ...(isStale ? { revision: stored.revision ?? '' } : {}) }
  const values = act === TAKE_THEIRS ? stored : (kept ?? stored)
  return appearancePage({ ...context, draft, values, versions: versions.data, refusal, zone, typed, act, preview })
}

const save = async (context: StaffContext, values: Values): Promise<void> => {
  const body = buildBody(values, await readDraft(context), zoneIn(context))
  await context.call({ operation: 'setAppearanceDraft', body, revision: Number(values.revision) || 0 })
}

const preview = async ({ call }: StaffContext): Promise<string> => {
  const { url } = await call({ operation: 'createAppearancePreview', returns: AppearancePreview })
  return new URL(url).pathname
}

const publish = async (context: StaffContext): Promise<string> => {
  const { revision } = await readDraft(context)
  await context.call({ operation: 'publishAppearance', revision })
  return `${PATH}?done=published`
}

// Whatever button it is, what was typed is saved first.
const perform = async (context: StaffContext, sent: FormWithFiles): Promise<string> => {
  const { form } = sent
  const values = valuesIn(form)
  const name = formField(form, 'act')
  if (name.startsWith('remove_')) {
    const field = getImageField(name.slice('remove_'.length))
    await save(context, values)
    await setImage(context, field, null)
    return `${PATH}?done=removed#images`
  }
  switch (name) {
    case 'save':
      await saveWithImage(context, values, sent)
      return `${PATH}?done=saved`
    case 'add_image':
      if (sent.files.length === 0) throw new Refusal(invalidBody, text.noFile)
      await saveWithImage(context, values, sent)
      return `${PATH}?done=added#images`
    case 'preview':
      await save(context, values)
      return preview(context)
    case 'publish':
      await save(context, values)
      return publish(context)
    case 'suggestion':
      await save(context, withSuggestion(await readDraft(context), form, zoneIn(context)))
      return `${PATH}?done=saved`
    case 'restore':
      await context.call({
        operation: 'restoreAppearanceVersion',
        params: { version: formField(form, 'version') },
      })
      return `${PATH}?done=restored`
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const getImageField = (name: string): FileField => {
  const field = fileFields.find(one => one === name)
  if (field === undefined) throw new Refusal(formRefused, 'The form has no valid image.')
  return field
}

const setImage = async (context: StaffContext, field: FileField, fileId: string | null): Promise<void> => {
  const draft = await readDraft(context)
  const body = bodyWithImage(draft, field, fileId)
  await context.call({ operation: 'setAppearanceDraft', body, revision: draft.revision })
}

const storeImage = async (context: StaffContext, field: FileField, file: FormFile): Promise<string> => {
  const { parts, request, session } = context
  if (file.stored !== undefined) return storeFile(parts, context.person, file, 'appearance')
  if (file.bytes === 0) throw new Refusal(invalidBody, fileReasons.empty_file)
  const bytes = await readFile(file.path)
  const contentType = await parts.files.media.sniff(bytes.subarray(0, 65_536))
  // Before the file is stored, which nothing would refer to.
  if (contentType === undefined || !IMAGES.includes(contentType))
    throw new Refusal(invalidBody, contentType?.startsWith('image/') ? fileReasons.unsupported_type : text.noImage)
  if (!listTypes(field).includes(contentType)) throw new Refusal(invalidBody, text.noLogo)
  const { database, school } = request
  const named = { memberId: session.member.id, purpose: 'appearance', filename: file.name || 'image' } as const
  const id = await addFile({ database, school, files: parts.files }, { ...named, contentType, bytes })
  return toId('fil', id)
}

// An image that is refused leaves the draft as it was.
const saveWithImage = async (context: StaffContext, values: Values, { form, files }: FormWithFiles): Promise<void> => {
  const file = files.find(one => one.field === 'file')
  if (file === undefined) return save(context, values)
  const field = getImageField(formField(form, 'field'))
  const id = await storeImage(context, field, file)
  await save(context, values)
  await setImage(context, field, id)
}

const submit = (context: StaffContext, sent: FormWithFiles): Promise<Reply> => {
  const { form: typed } = sent
  const isWhole = formField(typed, 'revision') !== ''
  const act = formField(typed, 'act')
  if (act === TAKE_THEIRS) return show(context, { act, values: valuesIn(typed) })
  return shownAgain(
    () => perform(context, sent),
    refusal => show(context, { refusal, ...(isWhole ? { values: valuesIn(typed) } : {}) }),
  )
}

/** GET and POST /staff/appearance. */
export const appearance: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    fileForm(`POST ${PATH}`, { ...staff, maxBytes: MAX_FORM }, submit),
  ],
}
