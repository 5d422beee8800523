import type { Use } from '#src/contract/items.ts'
import { BLANK_LISTING, mergedListing } from '#src/contract/listing.ts'
import { problem } from '#src/contract/problem.ts'
import { buildDefaults } from '#src/kit/patch.ts'
import type { ProductValues } from './queries.ts'
import { type ProductInput, ProductSettings } from './schema.ts'

/** Another product has the external id. */
export const productExternalIdTaken = problem(
  409,
  'product_external_id_taken',
  'Another product has this external_id',
  'An external_id names one product of the school. Find which at /digital-products/external:{value}.',
)

/** Somebody has or had the product, or something refers to it. */
export const productInUse = problem(
  409,
  'product_in_use',
  'The product is or was in use',
  'A product is deleted only when nobody has or had it and nothing refers to it, such as a membership plan. `in_use` lists what uses it now. Archive the product instead.',
)

/** Why a product with these uses cannot be deleted, in words. */
export const whyInUse = (uses: readonly Use[]): string => {
  if (uses.length === 0) return 'Somebody had the product.'
  const kinds = [...new Set(uses.map(({ kind }) => kind.replaceAll('_', ' ')))]
  return `The product is still in use by: ${kinds.join(', ')}.`
}

/** The values of a product after a change. */
export const mergeInput = (before: ProductValues, input: Partial<ProductInput>): ProductValues =>
  mergedListing(before, input)

/** The values of a new product: the defaults of the schema, else empty. */
export const BLANK: ProductValues = { ...buildDefaults(ProductSettings), ...BLANK_LISTING, license_text: '' }
