import { ProductFilePage } from '#src/areas/digital-products/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { atPage, redirect } from '#src/web/account/index.ts'
import { revisionOf } from '../form-fields.ts'
import type { StaffSection } from '../section.ts'
import { staffFileForm } from '../teaching/file-form.ts'
import { perform, refusalFor, type StaffVisit } from '../teaching/visit.ts'
import { storeFile } from '../uploads/index.ts'
import { productReply } from './product.ts'
import { paramsOf, productPath } from './shown.ts'

type Uploaded = Parameters<typeof storeFile>[2]

/** A file of a product as the operation takes it: one that stays, or an upload, which may be the next version of one. */
export type FileEntry = { readonly id: string } | { readonly file_id: string; readonly replaces?: string }

/** The files of the product of a page. */
export const listFiles = async (visit: StaffVisit) => {
  const call = { operation: 'listProductFiles', params: paramsOf(visit), query: [['limit', '100']] as const }
  return (await perform(visit, { ...call, returns: ProductFilePage })).data
}

/** Stores the files of a product, if it is as the form showed it. */
export const setFiles = async (
  visit: StaffVisit,
  form: Pairs,
  files: readonly FileEntry[],
  notify = false,
): Promise<void> => {
  const body = { files, notify }
  await perform(visit, { operation: 'setProductFiles', params: paramsOf(visit), body, revision: revisionOf(form) })
}

/** Uploads the file of a form for a product; returns its id. */
export const uploadFor = (visit: StaffVisit, file: Uploaded): Promise<string> =>
  storeFile(visit.parts, atPage(visit.request, visit.session), file, 'product')

const add = async (visit: StaffVisit, form: Pairs, file: Uploaded): Promise<void> => {
  const current = await listFiles(visit)
  const uploaded = await uploadFor(visit, file)
  await setFiles(visit, form, [...current.map(({ id }) => ({ id })), { file_id: uploaded }])
}

const submitFile = async (visit: StaffVisit, form: Pairs, file: Uploaded): Promise<Reply> => {
  if (formField(form, 'act') !== 'add') throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(add(visit, form, file))
  if (refusal !== undefined) return productReply(visit, { act: 'add', form, refusal })
  return redirect(`${productPath(paramsOf(visit).product_id)}?done=file`)
}

const setImage = async (visit: StaffVisit, form: Pairs, file: Uploaded): Promise<void> => {
  const field = formField(form, 'field') === 'sample' ? 'sample_file_id' : 'image_file_id'
  const body = { [field]: formField(form, 'act') === 'remove' ? null : await uploadFor(visit, file) }
  await perform(visit, {
    operation: 'updateDigitalProduct',
    params: paramsOf(visit),
    body,
    revision: revisionOf(form),
  })
}

const submitImage = async (visit: StaffVisit, form: Pairs, file: Uploaded): Promise<Reply> => {
  const refusal = await refusalFor(setImage(visit, form, file))
  if (refusal !== undefined) return productReply(visit, { act: 'upload', form, refusal })
  const done = formField(form, 'field') === 'sample' ? 'sample' : 'image'
  return redirect(`${productPath(paramsOf(visit).product_id)}?done=${done}`)
}

/** POST /staff/products/:id/files and /staff/products/:id/images. */
export const productUploads: StaffSection = {
  // The page of a product has these forms.
  entries: [],
  endpoints: parts => [
    staffFileForm('POST /staff/products/:id/files', parts, submitFile),
    staffFileForm('POST /staff/products/:id/images', parts, submitImage),
  ],
}
