import Type from 'typebox'
import { Instant } from '#src/kit/shapes.ts'

/** When to publish a page. */
export const PagePublication = Type.Object(
  { at: Type.Optional(Instant) },
  {
    additionalProperties: false,
    title: 'PagePublication',
    description: 'Without an instant the page is published now',
  },
)
