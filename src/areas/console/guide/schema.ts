import Type from 'typebox'
import { Closed, OneOf } from '#src/kit/shapes.ts'

/** The steps of the guide, in their order. */
export const guideSteps = ['appearance', 'seller', 'payments', 'mail', 'domain', 'price', 'publication'] as const

/** The name of a step. */
export type GuideStep = (typeof guideSteps)[number]

/** What a step may lack. */
const lacks = [
  'name',
  'look',
  'seller_name',
  'seller_address',
  'terms',
  'terms_published',
  'no_provider',
  'provider_incomplete',
  'wrong_mode',
  'clearing',
  'mail_server',
  'mail_test',
  'local_address',
  'price',
  'publication',
] as const

/** The name of what a step lacks. */
export type StepLack = (typeof lacks)[number]

const Step = OneOf(
  guideSteps,
  'Name and look, seller and terms, a way to be paid, mail that a server accepted, an address that others reach, something with a price, and its publication',
)

/** What a school still needs before it really sells. */
export const Guide = Closed('Guide', {
  steps: Type.Array(
    Closed('GuideStep', {
      step: Step,
      state: OneOf(['open', 'done', 'put_off'], 'By the state of the school; what is done is not put off'),
      missing: Type.Array(OneOf(lacks, 'What the step lacks'), { description: 'Empty where it is done' }),
    }),
  ),
})

/** The steps to put off. */
export const SkippedSteps = Closed('SkippedGuideSteps', {
  steps: Type.Array(Step, { minItems: 1, maxItems: guideSteps.length }),
})
