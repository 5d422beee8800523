import Type from 'typebox'
import { Warnings } from '#src/contract/warning.ts'
import { MembershipPlan } from '../plan/schema.ts'

/** A plan after its publication, with warnings about what it lacks. */
export const PublishedPlan = Type.Object(
  { ...MembershipPlan.properties, warnings: Warnings },
  { additionalProperties: false, title: 'PublishedPlan' },
)
