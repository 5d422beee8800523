import Type from 'typebox'
import { Warnings } from '#src/contract/warning.ts'
import { Instant } from '#src/kit/shapes.ts'
import { DigitalProduct } from '../product/schema.ts'

/** A product after its publication, with warnings about what it lacks. */
export const PublishedProduct = Type.Object(
  { ...DigitalProduct.properties, warnings: Warnings },
  { additionalProperties: false, title: 'PublishedProduct' },
)

/** When to publish a product. */
export const ProductPublication = Type.Object(
  { at: Type.Optional(Instant) },
  {
    additionalProperties: false,
    title: 'ProductPublication',
    description: 'Without an instant the product is published now',
  },
)
