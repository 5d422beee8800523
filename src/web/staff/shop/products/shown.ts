import type { Static } from 'typebox'
import { DigitalProduct } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from '#src/web/page/index.ts'
import { teachingText } from '../../teaching/text.ts'

const { acts, productRefusals: own } = texts.staff.products

/** A product as pages get it. */
export type ProductShown = Encoded<Static<typeof DigitalProduct>>

/** The sentences for refusals on these pages, beside those of fields. */
export const productRefusals = {
  ...teachingText.refusals,
  ...own,
  'invalid_body access': acts.price.fields.days.error,
}

/** The address of the product of a page among the pages of the staff. */
export const buildPath = ({ params }: PageContext): string => `/staff/products/${params.id}`

/** The parameters of the operations on the product of a page. */
export const readParams = ({ params }: PageContext) => ({ product_id: params.id ?? '' })

/** The product of a page. */
export const readProduct = (context: PageContext): Promise<ProductShown> =>
  context.call({ operation: 'getDigitalProduct', params: readParams(context), returns: DigitalProduct })

/** An amount as it is shown, such as `€12.00`. */
export const formatPrice = (
  { amount, currency }: Pick<NonNullable<ProductShown['primary_price']>, 'amount' | 'currency'>,
  { t, money }: PageContext,
): string => (amount === 0 ? t(texts.words.free) : money(amount, currency))
