import Type from 'typebox'
import { Ref } from '#src/kit/shapes.ts'

/** A price of a product, in a path. */
export const ProductPriceRef = Type.Object({ product_id: Ref('dpr', ['external', 'slug']), price_id: Ref('prc') })
