import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'
import { subscribers } from './subscribers.ts'

export { Guide, type GuideStep, guideSteps } from './schema.ts'

/** The guide for the first run of a school: what an owner does first, and what of it is behind them. */
export const guide = area({ name: 'guide', operations, subscribers })
