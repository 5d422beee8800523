import Type from 'typebox'
import { Instant } from '#src/kit/shapes.ts'

/** When to publish a post. */
export const PostPublication = Type.Object(
  { at: Type.Optional(Instant) },
  {
    additionalProperties: false,
    title: 'PostPublication',
    description: 'Without an instant the post is published now',
  },
)
