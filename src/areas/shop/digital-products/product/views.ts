import type { Static } from 'typebox'
import { categoryViewsById } from '#src/areas/courses/index.ts'
import { fileViews } from '#src/areas/files/index.ts'
import { countEntitled, nameOfPair, readAccesses } from '#src/areas/learning/index.ts'
import { listItemPrices, type PriceRow, priceView } from '#src/areas/school/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { picked } from '#src/kit/patch.ts'
import { readSizes } from '../files/queries.ts'
import { productPrices } from './conditions.ts'
import type { ProductRow } from './queries.ts'
import { countSales } from './references.queries.ts'
import { type DigitalProduct, shownSettings } from './schema.ts'

type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'> & { expands?(relation: string): boolean }

type View = Static<typeof DigitalProduct>

const NONE = { file_count: 0, byte_size: 0 }

// What only the staff of the school see.
const staffFigures = async ({ db, school, caller }: Showing, ids: readonly string[]) => {
  if (!isStaff(caller)) return () => ({})
  const [holders, sales] = await Promise.all([
    countEntitled(db, school.id, 'digital_product', ids),
    countSales(db, school.id, ids),
  ])
  return (row: ProductRow) => ({
    external_id: row.external_id,
    publish_at: row.publish_at,
    holder_count: holders.get(row.id) ?? 0,
    sales: sales.get(row.id) ?? 0,
  })
}

const accessFor = async ({ db, school, caller }: Showing, ids: readonly string[]) => {
  const memberId = caller.member?.id
  if (memberId === undefined) return () => ({})
  const pairs = ids.map(itemId => ({ memberId, itemId }))
  const accesses = await readAccesses(db, school.id, 'digital_product', pairs)
  return ({ id, status }: ProductRow) => ({
    has_access: status !== 'draft' && accesses.get(nameOfPair({ memberId, itemId: id }))?.access.state === 'active',
  })
}

const readRelated = async (
  context: Showing,
  rows: readonly ProductRow[],
  prices: readonly PriceRow[],
): Promise<(row: ProductRow) => Pick<View, 'categories' | 'prices'>> => {
  const wants = (relation: string): boolean => context.expands?.(relation) ?? false
  const ids = rows.flatMap(row => row.category_ids)
  const categories = wants('categories') ? await categoryViewsById(context, ids) : []
  return row => ({
    ...(wants('categories')
      ? { categories: categories.filter(({ id }) => row.category_ids.some(one => one === id)) }
      : {}),
    ...(wants('prices')
      ? { prices: prices.filter(({ item_id }) => item_id === row.id).map(price => priceView(price, row, null)) }
      : {}),
  })
}

const plainView = (row: ProductRow) => ({
  id: row.id,
  ...picked(row, shownSettings),
  seo: { title: row.seo_title, description: row.seo_description },
  category_ids: [...row.category_ids],
  tags: [...row.tags],
  status: row.status,
  published_at: row.published_at,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** The views of products for a caller, with the relations to embed. */
export const productViews = async (context: Showing, rows: readonly ProductRow[]): Promise<View[]> => {
  const { db, school } = context
  const ids = rows.map(({ id }) => id)
  const fileIds = rows.flatMap(row => [row.image_file_id, row.sample_file_id]).filter(id => id !== null)
  const [sizes, prices, files, access, figures] = await Promise.all([
    readSizes(db, school.id, ids),
    listItemPrices(db, school.id, productPrices, ids),
    fileViews(context, fileIds),
    accessFor(context, ids),
    staffFigures(context, ids),
  ])
  const related = await readRelated(context, rows, prices)
  const findFile = (id: string | null) => (id === null ? undefined : files.get(id)) ?? null
  return rows.map(row => {
    const primary = prices.find(({ id }) => id === row.primary_price_id)
    return {
      ...plainView(row),
      ...(sizes.get(row.id) ?? NONE),
      image: findFile(row.image_file_id),
      sample: findFile(row.sample_file_id),
      primary_price: primary === undefined ? null : priceView(primary, row, null),
      ...access(row),
      ...figures(row),
      ...related(row),
    }
  })
}

/** The view of one product for a caller. */
export const productView = async (context: Showing, row: ProductRow): Promise<View> => {
  const [view] = await productViews(context, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}
