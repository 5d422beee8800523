import { readFile } from 'node:fs/promises'
import {
  AppearanceDraft,
  AppearancePreview,
  AppearanceVersionPage,
  addFile,
  type FileField,
  fileFields,
  listTypes,
} from '#src/areas/files/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, invalidBody } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { toId } from '#src/kit/ids.ts'
import { fileReasons } from '#src/web/file-reasons.ts'
import { chooseZone, type FormWithFiles, fileForm, form, page, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { bodyWithImage, buildBody, buildValues, type Draft, type Values, valuesIn, withSuggestion } from './form.ts'
import { appearancePage } from './page.ts'
import { appearanceText as text } from './text.ts'

const PATH = '/staff/appearance'
const MAX_IMAGE = 5_000_000
const IMAGES = ['image/png', 'image/webp', 'image/jpeg']
const VERSIONS = '10'

const readDraft = ({ call }: StaffContext): Promise<Draft> =>
  call({ operation: 'getAppearanceDraft', returns: AppearanceDraft })

const zoneIn = ({ viewer }: StaffContext): string => chooseZone(viewer)

const show = async (context: StaffContext, shown: { readonly values?: Values; readonly refusal?: Refusal } = {}) => {
  const query: Pairs = [['limit', VERSIONS]]
  const [draft, versions] = await Promise.all([
    readDraft(context),
    context.call({ operation: 'listAppearanceVersions', query, returns: AppearanceVersionPage }),
  ])
  const values = shown.values ?? buildValues(draft, zoneIn(context))
  return appearancePage({ ...context, draft, values, versions: versions.data, refusal: shown.refusal })
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
const act = async (context: StaffContext, form: Pairs): Promise<string> => {
  const values = valuesIn(form)
  switch (formField(form, 'act')) {
    case 'save':
      await save(context, values)
      return `${PATH}?done=saved`
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
    case 'remove':
      await setImage(context, getImageField(formField(form, 'field')), null)
      return `${PATH}?done=removed`
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

const addImage = async (context: StaffContext, { form, files }: FormWithFiles): Promise<string> => {
  const { parts, request, session } = context
  const field = getImageField(formField(form, 'field'))
  const file = files.find(one => one.field === 'file')
  if (file === undefined) throw new Refusal(invalidBody, text.noFile)
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
  await setImage(context, field, toId('fil', id))
  return `${PATH}?done=added`
}

const submit = (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const isWhole = formField(typed, 'revision') !== ''
  return shownAgain(
    () => act(context, typed),
    refusal => show(context, { refusal, ...(isWhole ? { values: valuesIn(typed) } : {}) }),
  )
}

/** GET and POST /staff/appearance, and POST /staff/appearance/images. */
export const appearance: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    form(`POST ${PATH}`, staff, submit),
    fileForm(`POST ${PATH}/images`, { ...staff, maxBytes: MAX_IMAGE }, (context, sent) =>
      shownAgain(
        () => addImage(context, sent),
        refusal => show(context, { refusal }),
      ),
    ),
  ],
}
