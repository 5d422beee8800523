import Type from 'typebox'
import { Closed, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'
import { pauseAccesses } from '../rules.ts'

/** How a subscription is paused. */
export const PauseInput = Closed('NewPause', {
  resumes_at: Type.Optional(Nullable({ ...Instant, description: 'When it resumes by itself, later than now' })),
  access: OneOf(pauseAccesses, 'Whether access stops meanwhile'),
})
