import { fileViews, useFile } from '#src/areas/storage/index.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { insertTemplate, type TemplateRow, type TemplateValues } from './queries.ts'
import { BLANK, faultsOfTemplate, templateValuesOf } from './rules.ts'
import type { TemplateInput } from './schema.ts'
import type { Showing } from './views.ts'

const pointer = '/image_file_id'

// Takes the image into use; what cannot be printed is not taken.
const imageOf = async (context: Showing, before: string | null, said: string | null | undefined) => {
  if (said === undefined || said === null) return said === undefined ? before : null
  if (before !== null && said === toId('fil', before)) return before
  const id = await useFile(context, { id: said, pointer, purposes: ['course', 'appearance'] })
  const type = (await fileViews(context, [id])).get(id)?.content_type ?? ''
  if (!type.startsWith('image/')) refuseInvalid([{ pointer, code: 'not_an_image', message: 'is not an image' }])
  return id
}

/** A template after what somebody said of it; refuses what cannot be stored. */
export const checkedTemplate = async (
  context: Showing,
  before: TemplateValues,
  said: Partial<TemplateInput>,
): Promise<TemplateValues> => {
  const { image_file_id: image, ...rest } = said
  refuseInvalid(faultsOfTemplate(templateValuesOf(before, rest, null)))
  return templateValuesOf(before, rest, await imageOf(context, before.image_file_id, image))
}

/** Makes a template without an image. */
export const addTemplate = (
  { db, school, now }: HookPlace & { readonly now: Date },
  said: Partial<TemplateInput> & Pick<TemplateInput, 'name'>,
): Promise<TemplateRow> => {
  const values = templateValuesOf({ ...BLANK, locale: school.locale }, said, null)
  refuseInvalid(faultsOfTemplate(values))
  return insertTemplate(db, school.id, newUuid(now.getTime()), values)
}
