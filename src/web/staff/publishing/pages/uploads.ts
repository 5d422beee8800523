import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { atPage, type FormFile, type FormWithFiles, isShown } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'

/** A form whose files were uploaded: each is the id of a file, and its name in the field with `_name`. */
type Uploaded = { readonly form: Pairs; readonly refusals: readonly FieldRefusal[] }

/** A file that was refused, and the field that it was chosen in. */
export type FieldRefusal = { readonly name: string; readonly refusal: Refusal }

const FILE = /^(b\.\d{1,3}(?:\.\d{1,2})?\.file_id)\.file$/

type Outcome = { readonly name: string; readonly filename: string; readonly id: string } | FieldRefusal

const upload = async ({ request, parts, session }: StaffContext, file: FormFile): Promise<Outcome | undefined> => {
  const [, name] = FILE.exec(file.field) ?? []
  if (name === undefined) return undefined
  try {
    return { name, filename: file.name, id: await storeFile(parts, atPage(request, session), file, 'page') }
  } catch (error) {
    if (!isShown(error)) throw error
    return { name, refusal: error }
  }
}

/** Uploads the images of the blocks of a form. One that is refused does not keep the others from being uploaded. */
export const uploadedIn = async (context: StaffContext, { form, files }: FormWithFiles): Promise<Uploaded> => {
  const outcomes: Outcome[] = []
  for (const file of files) {
    const outcome = await upload(context, file)
    if (outcome !== undefined) outcomes.push(outcome)
  }
  const stored = outcomes.flatMap(outcome => ('id' in outcome ? [outcome] : []))
  const replaced = new Set(stored.flatMap(({ name }) => [name, `${name}_name`, `${name}_without`]))
  return {
    form: [
      ...form.filter(([name]) => !replaced.has(name)),
      ...stored.flatMap(
        ({ name, filename, id }): Pairs => [
          [name, id],
          [`${name}_name`, filename],
        ],
      ),
    ],
    refusals: outcomes.flatMap(outcome => ('refusal' in outcome ? [outcome] : [])),
  }
}
