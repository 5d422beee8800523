import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { Guide, type GuideStep, guideSteps } from './schema.ts'

/** The guide of an owner: what a school still needs before it really sells. */
export const guide = area({ name: 'guide', operations })
