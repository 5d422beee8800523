import Type, { type Static } from 'typebox'
import { Category } from '#src/areas/courses/index.ts'
import { FileView } from '#src/areas/files/index.ts'
import { listingSettings, Tag } from '#src/contract/listing.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Price } from '#src/contract/price.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, ExternalId, Id, Instant, Nullable, OneOf, Recorded, Ref, Slug, Text } from '#src/kit/shapes.ts'

const statuses = ['draft', 'published', 'archived'] as const

const { seo, ...listing } = listingSettings('product')

/** The writable fields of a digital product. */
export const ProductSettings = Type.Object({
  ...listing,
  image_file_id: Nullable(Id('fil')),
  sample_file_id: Nullable(Id('fil')),
  download_limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'How often a member may download each file; null: as often as they like',
    }),
  ),
  link_minutes: Type.Integer({
    minimum: 5,
    maximum: 10_080,
    default: 60,
    description: 'For how many minutes a link to a file works',
  }),
  license_text: Text(20_000, 'What buyers may do with the files, as plain text'),
  seo,
  external_id: Nullable(ExternalId),
})

const { external_id, ...open } = ProductSettings.properties
const { seo: _seo, tags: _tags, category_ids: _categories, ...columns } = ProductSettings.properties
const { seo: _object, ...shown } = open

/** The settings of a product that are columns of its row, and the two of `seo`. */
export const storedColumns = [
  ...(Object.keys(columns) as (keyof typeof columns)[]),
  'seo_title',
  'seo_description',
] as const

/** The settings that everybody reads as they are stored. */
export const shownSettings = Object.keys(shown) as (keyof typeof shown)[]

const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** A digital product of a school. */
export const DigitalProduct = Closed('DigitalProduct', {
  id: Id('dpr'),
  ...open,
  external_id: Type.Optional(external_id),
  status: OneOf(statuses, 'How far it has got; only a published product is public'),
  image: Nullable(FileView),
  sample: Nullable(FileView),
  publish_at: Type.Optional(Nullable(Instant)),
  published_at: Nullable(Instant),
  primary_price: Nullable(Price),
  file_count: Count('How many files it has'),
  byte_size: Count('How large its files are together'),
  has_access: Type.Optional(
    Type.Boolean({ description: 'For a signed-in caller: whether they can download the files' }),
  ),
  holder_count: Type.Optional(Count('How many members can download the files now or later; for staff')),
  sales: Type.Optional(Count('How often it was bought, refunded orders included; for staff')),
  categories: Type.Optional(Type.Array(Category, { description: 'With expand=categories' })),
  prices: Type.Optional(Type.Array(Price, { description: 'With expand=prices: the active prices' })),
  ...Recorded,
})

/** A new product; only the name is required. */
export const NewDigitalProduct = Closed('NewDigitalProduct', {
  ...Type.Partial(ProductSettings).properties,
  name: listing.name,
})

/** A change of a product. */
export const DigitalProductChanges = MergePatch(ProductSettings, 'DigitalProductChanges')

/** A copy of a product. */
export const DigitalProductCopy = Closed('DigitalProductCopy', {
  name: Type.Optional(listing.name),
  slug: Type.Optional(Slug),
})

/** How a deleted product comes back. */
export const DigitalProductRestoration = Closed('DigitalProductRestoration', { slug: Type.Optional(Slug) })

/** The product in a path. */
export const ProductRef = Type.Object({ product_id: Ref('dpr', ['external', 'slug']) })

/** The query parameters of the list of products. */
export const ProductsQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(['created_at', 'name'] as const),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of name, subtitle and tags' }),
  ),
  status: Type.Optional(OneOf(statuses, 'Only this status')),
  category_id: Type.Optional(Id('cat')),
  tag: Type.Optional(Tag),
  'id[in]': Type.Optional(
    Type.Array(Id('dpr'), { minItems: 1, maxItems: 100, description: 'Only these, joined by commas' }),
  ),
})

/** One page of the products. */
export const DigitalProductPage = PageOf(DigitalProduct, 'DigitalProductPage')

/** The input of a product, as values. */
export type ProductInput = Static<typeof ProductSettings>
