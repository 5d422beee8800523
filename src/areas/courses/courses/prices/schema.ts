import Type from 'typebox'
import { Ref } from '#src/kit/shapes.ts'

/** A price of a course, in a path. */
export const PriceRef = Type.Object({ course_id: Ref('crs', ['external', 'slug']), price_id: Ref('prc') })
