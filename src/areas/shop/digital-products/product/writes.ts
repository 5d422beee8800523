import { errorsOfCategories } from '#src/areas/courses/index.ts'
import { useFile } from '#src/areas/files/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { checkNames, chooseSlug, moveSlug } from '#src/db/slugs.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { isSold } from '../files/queries.ts'
import { productSlugs } from './conditions.ts'
import { insertProduct, type ProductRow, type ProductValues } from './queries.ts'
import { BLANK, mergeInput, productExternalIdTaken } from './rules.ts'
import type { ProductInput } from './schema.ts'

type Before = Pick<ProductRow, 'id' | 'slug' | 'image_file_id' | 'sample_file_id'>

// A file that is sold would be public as an image or a sample.
const takeOpenFile = async (
  context: SchoolContext,
  id: string,
  field: 'image_file_id' | 'sample_file_id',
): Promise<void> => {
  const pointer = `/${field}`
  await useFile(context, { id, pointer, purposes: ['product'], isShown: field === 'image_file_id' })
  if (await isSold(context.db, context.school.id, id))
    refuseInvalid([{ pointer, code: 'sold', message: 'is a file that a product sells' }])
}

/** Refuses a product with an unknown category or file, or with a slug or external id that another product has. */
export const checkValues = async (context: SchoolContext, values: ProductValues, before?: Before): Promise<void> => {
  const { db, school } = context
  refuseInvalid([
    ...(values.name === '' ? [{ pointer: '/name', code: 'empty', message: 'must contain a visible character' }] : []),
    ...(await errorsOfCategories(db, school.id, values.category_ids)),
  ])
  await checkNames(db, school.id, productSlugs, values, { before, externalIdTaken: productExternalIdTaken })
  for (const field of ['image_file_id', 'sample_file_id'] as const) {
    const id = values[field]
    if (id !== null && id !== before?.[field]) await takeOpenFile(context, id, field)
  }
}

/** Creates a draft; without a slug one is derived from the name. Returns its UUID. */
export const addProduct = async (
  context: TransactionContext,
  input: Partial<ProductInput> & Pick<ProductInput, 'name'>,
): Promise<string> => {
  const { db, school, now } = context
  const id = newUuid(now.getTime())
  const wanted = slugFor(cleanLine(input.name, 200), id)
  const slug = await chooseSlug(db, school.id, productSlugs, id, { slug: input.slug, wanted })
  const values = mergeInput({ ...BLANK, slug }, input)
  await checkValues(context, values)
  await insertProduct(db, school.id, id, values)
  await moveSlug(db, school.id, productSlugs, id, { to: slug })
  return id
}
