import Type from 'typebox'
import { OneOf } from '#src/kit/shapes.ts'

/** The steps of the guide, in their order. */
export const guideSteps = ['name', 'appearance', 'course', 'invitation'] as const

/** The name of a step. */
export type GuideStep = (typeof guideSteps)[number]

const closed = { additionalProperties: false } as const

const Step = OneOf(guideSteps, 'Name the school, choose its appearance, create a course, invite somebody')

/** The guide for the first run of a school. */
export const Guide = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        { step: Step, state: OneOf(['open', 'done', 'skipped'], 'Whether it is still to be done') },
        { ...closed, title: 'GuideStep' },
      ),
    ),
  },
  { ...closed, title: 'Guide' },
)

/** The steps to skip. */
export const SkippedSteps = Type.Object(
  { steps: Type.Array(Step, { minItems: 1, maxItems: guideSteps.length }) },
  { ...closed, title: 'SkippedGuideSteps' },
)
