import { ProductFilePage } from '#src/areas/shop/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { FormFile } from '#src/web/page/index.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { revisionOf } from '../../form-fields.ts'
import { perform, type Visit } from '../../visit.ts'
import { paramsOf } from './shown.ts'

/** A file of a product as the operation takes it: one that stays, or an upload, which may be the next version of one. */
export type FileEntry = { readonly id: string } | { readonly file_id: string; readonly replaces?: string }

/** The files of the product of a page. */
export const listFiles = async (visit: Visit) => {
  const call = { operation: 'listProductFiles', params: paramsOf(visit), query: [['limit', '100']] as const }
  return (await perform(visit, { ...call, returns: ProductFilePage })).data
}

/** Stores the files of a product, if it is as the form showed it. */
export const setFiles = async (
  visit: Visit,
  form: Pairs,
  files: readonly FileEntry[],
  notify = false,
): Promise<void> => {
  const body = { files, notify }
  await perform(visit, { operation: 'setProductFiles', params: paramsOf(visit), body, revision: revisionOf(form) })
}

/** Uploads the file of a form for a product, as it is where the product sells it; returns its id. */
export const uploadFor = (visit: Visit, file: FormFile | undefined, isSold: boolean): Promise<string> =>
  storeFile(visit.parts, visit.person, file, 'product', isSold)

const addFile = async (visit: Visit, form: Pairs, file: FormFile | undefined): Promise<void> => {
  const current = await listFiles(visit)
  const uploaded = await uploadFor(visit, file, true)
  await setFiles(visit, form, [...current.map(({ id }) => ({ id })), { file_id: uploaded }])
}

const setShown = async (
  visit: Visit,
  form: Pairs,
  field: 'image_file_id' | 'sample_file_id',
  id: string | null,
): Promise<void> => {
  const body = { [field]: id }
  const params = paramsOf(visit)
  await perform(visit, { operation: 'updateDigitalProduct', params, body, revision: revisionOf(form) })
}

type FileWork = (visit: Visit, form: Pairs, file: FormFile | undefined) => Promise<void>

const acts: Readonly<Record<string, FileWork>> = {
  add_file: addFile,
  set_image: async (visit, form, file) => setShown(visit, form, 'image_file_id', await uploadFor(visit, file, false)),
  remove_image: (visit, form) => setShown(visit, form, 'image_file_id', null),
  set_sample: async (visit, form, file) => setShown(visit, form, 'sample_file_id', await uploadFor(visit, file, false)),
  remove_sample: (visit, form) => setShown(visit, form, 'sample_file_id', null),
}

/** What a form of the page of a product does with files; undefined for a form about something else. */
export const fileWorkOf = (form: Pairs): FileWork | undefined => {
  const act = formField(form, 'act')
  return Object.hasOwn(acts, act) ? acts[act] : undefined
}
