import Type from 'typebox'
import { Instant, Nullable, OneOf } from '#src/kit/shapes.ts'
import { pauseAccesses } from '../rules.ts'

/** How a subscription is paused. */
export const PauseInput = Type.Object(
  {
    resumes_at: Type.Optional(Nullable({ ...Instant, description: 'When it resumes by itself, later than now' })),
    access: OneOf(pauseAccesses, 'Whether access stops meanwhile'),
  },
  { additionalProperties: false, title: 'NewPause' },
)
