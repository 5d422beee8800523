import { useFile } from '#src/areas/files/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid } from '#src/kit/ids.ts'
import { insertTemplate, type TemplateRow, type TemplateValues } from './queries.ts'
import { BLANK, errorsOfTemplate, mergeTemplateValues } from './rules.ts'
import type { TemplateInput } from './schema.ts'
import type { Showing } from './views.ts'

const pointer = '/image_file_id'

// Claims the image; refuses files that cannot be printed.
const readImage = async (context: Showing, before: string | null, input: string | null | undefined) => {
  if (input === undefined || input === null) return input === undefined ? before : null
  if (before !== null && input === before) return before
  return useFile(context, { id: input, pointer, purposes: ['course', 'appearance'], isShown: true })
}

/** A template after a change, with its image claimed; refuses invalid values. */
export const checkedTemplate = async (
  context: Showing,
  before: TemplateValues,
  input: Partial<TemplateInput>,
): Promise<TemplateValues> => {
  const { image_file_id: image, ...rest } = input
  refuseInvalid(errorsOfTemplate(mergeTemplateValues(before, rest, null)))
  return mergeTemplateValues(before, rest, await readImage(context, before.image_file_id, image))
}

/** Creates a template without an image. */
export const addTemplate = (
  { db, school, now }: TransactionContext,
  input: Partial<TemplateInput> & Pick<TemplateInput, 'name'>,
): Promise<TemplateRow> => {
  const values = mergeTemplateValues({ ...BLANK, locale: school.locale }, input, null)
  refuseInvalid(errorsOfTemplate(values))
  return insertTemplate(db, school.id, newUuid(now.getTime()), values)
}
