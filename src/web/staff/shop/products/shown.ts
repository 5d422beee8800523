import type { Static } from 'typebox'
import { DigitalProduct } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import type { StaffContext } from '../../audience.ts'
import { productsText as text } from './text.ts'

/** A product as pages get it. */
export type ProductShown = Encoded<Static<typeof DigitalProduct>>

/** A price of a product. */
type PriceShown = NonNullable<ProductShown['primary_price']>

/** The address of a product among the pages of the staff. */
export const productPath = (id: string): string => `/staff/products/${id}`

/** The parameters of the operations on the product of a page. */
export const paramsOf = ({ request }: StaffContext) => ({ product_id: request.params.id ?? '' })

/** The product of a page. */
export const getProduct = (context: StaffContext): Promise<ProductShown> =>
  context.call({ operation: 'getDigitalProduct', params: paramsOf(context), returns: DigitalProduct })

/** An amount as it is shown, such as `€12.00`. */
export const priceOf = ({ amount, currency }: Pick<PriceShown, 'amount' | 'currency'>, language: Language): string =>
  amount === 0 ? fill(text.free, language) : formatMoney(amount, currency, language)
