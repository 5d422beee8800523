import Type from 'typebox'
import { Closed, OneOf } from '#src/kit/shapes.ts'

/** The steps of the guide, in their order. */
export const guideSteps = [
  'name',
  'appearance',
  'seller',
  'payments',
  'course',
  'price',
  'publication',
  'invitation',
] as const

/** The name of a step. */
export type GuideStep = (typeof guideSteps)[number]

const Step = OneOf(
  guideSteps,
  'Name the school, choose its appearance, say who sells, set how the school is paid, create a course, set a price, publish, invite somebody',
)

/** The guide for the first run of a school. */
export const Guide = Closed('Guide', {
  steps: Type.Array(
    Closed('GuideStep', { step: Step, state: OneOf(['open', 'done', 'skipped'], 'Whether it is still to be done') }),
  ),
})

/** The steps to skip. */
export const SkippedSteps = Closed('SkippedGuideSteps', {
  steps: Type.Array(Step, { minItems: 1, maxItems: guideSteps.length }),
})
