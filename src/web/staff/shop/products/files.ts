import { ProductFilePage } from '#src/areas/shop/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type FormFile, revisionIn } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { paramsOf } from './shown.ts'

/** A file of a product as the operation takes it: one that stays, or an upload, which may be the next version of one. */
export type FileEntry = { readonly id: string } | { readonly file_id: string; readonly replaces?: string }

/** The files of the product of a page. */
export const listFiles = async (context: StaffContext) => {
  const call = { operation: 'listProductFiles', params: paramsOf(context), query: [['limit', '100']] as const }
  return (await context.call({ ...call, returns: ProductFilePage })).data
}

/** Stores the files of a product, if it is as the form showed it. */
export const setFiles = async (
  context: StaffContext,
  form: Pairs,
  files: readonly FileEntry[],
  notify = false,
): Promise<void> => {
  const body = { files, notify }
  await context.call({ operation: 'setProductFiles', params: paramsOf(context), body, revision: revisionIn(form) })
}

/** Uploads the file of a form for a product, as it is where the product sells it; returns its id. */
export const uploadFor = (context: StaffContext, file: FormFile | undefined, isSold: boolean): Promise<string> =>
  storeFile(context.parts, context.person, file, 'product', isSold)

const addFile = async (context: StaffContext, form: Pairs, file: FormFile | undefined): Promise<void> => {
  const current = await listFiles(context)
  const uploaded = await uploadFor(context, file, true)
  await setFiles(context, form, [...current.map(({ id }) => ({ id })), { file_id: uploaded }])
}

const setShown = async (
  context: StaffContext,
  form: Pairs,
  field: 'image_file_id' | 'sample_file_id',
  id: string | null,
): Promise<void> => {
  const body = { [field]: id }
  const params = paramsOf(context)
  await context.call({ operation: 'updateDigitalProduct', params, body, revision: revisionIn(form) })
}

type FileWork = (context: StaffContext, form: Pairs, file: FormFile | undefined) => Promise<void>

const acts: Readonly<Record<string, FileWork>> = {
  add_file: addFile,
  set_image: async (context, form, file) =>
    setShown(context, form, 'image_file_id', await uploadFor(context, file, false)),
  remove_image: (context, form) => setShown(context, form, 'image_file_id', null),
  set_sample: async (context, form, file) =>
    setShown(context, form, 'sample_file_id', await uploadFor(context, file, false)),
  remove_sample: (context, form) => setShown(context, form, 'sample_file_id', null),
}

/** What a form of the page of a product does with files; undefined for a form about something else. */
export const fileWorkOf = (form: Pairs): FileWork | undefined => {
  const act = formField(form, 'act')
  return Object.hasOwn(acts, act) ? acts[act] : undefined
}
