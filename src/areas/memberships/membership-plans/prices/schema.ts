import Type from 'typebox'
import { Ref } from '#src/kit/shapes.ts'

/** A price of a plan, in a path. */
export const PlanPriceRef = Type.Object({ plan_id: Ref('mpl', ['external', 'slug']), price_id: Ref('prc') })
