import { filesById, useFile } from '#src/areas/files/storage/index.ts'
import { isPage } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { invalidBody, refuseInvalid } from '#src/contract/problems.ts'
import { checkCss } from '../css/rules.ts'
import { errorsOfSettings, getPointer, listFiles, listLinks, listTypes } from './rules.ts'
import { type FileField, fileFields, type Settings } from './schema.ts'

const errorsOfPages = async ({ db, school }: SchoolContext, settings: Settings): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  for (const { link, pointer } of listLinks(settings)) {
    const { page_id: pageId } = link
    if (pageId === null || (await isPage.call({ pageId }, { db, school })).includes(true)) continue
    errors.push({ pointer: `${pointer}/page_id`, code: 'unknown', message: 'is not a page of the school' })
  }
  return errors
}

// Takes the files into use that the draft did not have, and refuses those of a type that no page can show there.
const useFiles = async (context: SchoolContext, before: Settings, settings: Settings): Promise<void> => {
  const [had, has] = [listFiles(before), listFiles(settings)]
  for (const field of fileFields) {
    const id = has[field]
    if (id === null || id === had[field]) continue
    await useFile(context, { id, pointer: getPointer(field), purposes: ['appearance'], isShown: true })
  }
  const ids = Object.values(has).filter(id => id !== null)
  const rows = await filesById(context.db, context.school.id, ids)
  refuseInvalid(fileFields.flatMap(field => errorsOfType(field, rows.get(has[field] ?? '')?.content_type)))
}

const errorsOfType = (field: FileField, type: string | undefined): FieldError[] => {
  const types = listTypes(field)
  if (type === undefined || types.includes(type)) return []
  return [{ pointer: getPointer(field), code: 'unsupported_type', message: `is not one of ${types.join(', ')}` }]
}

const checkedCss = async (css: string): Promise<string> => {
  const checked = await checkCss(css)
  if ('css' in checked) return checked.css
  throw new Refusal(invalidBody, 'The CSS contains what is not allowed.', {
    errors: checked.errors.map(({ line, message }) => ({
      pointer: '/custom_css',
      code: 'css',
      message: `line ${line}: ${message}`,
    })),
  })
}

/** Settings as they are stored, with their CSS checked and their files taken into use; refuses those that are invalid. */
export const checkedSettings = async (context: SchoolContext, before: Settings, input: Settings): Promise<Settings> => {
  refuseInvalid(errorsOfSettings(input))
  refuseInvalid(await errorsOfPages(context, input))
  const settings = { ...input, custom_css: await checkedCss(input.custom_css) }
  await useFiles(context, before, settings)
  return settings
}
