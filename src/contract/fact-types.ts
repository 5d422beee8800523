import type { Static } from 'typebox'
import { accountFacts } from './facts/account.ts'
import { appearanceFacts } from './facts/appearance.ts'
import { commentFacts } from './facts/comments.ts'
import { couponFacts } from './facts/coupons.ts'
import { courseFacts } from './facts/courses.ts'
import { curriculumFacts } from './facts/curriculum.ts'
import type { FactDeclaration } from './facts/declaration.ts'
import { digitalProductFacts } from './facts/digital-products.ts'
import { eventFacts } from './facts/events.ts'
import { formFacts } from './facts/forms.ts'
import { importFacts } from './facts/imports.ts'
import { lecturerFacts } from './facts/lecturers.ts'
import { memberFacts } from './facts/members.ts'
import { planFacts } from './facts/membership-plans.ts'
import { orderFacts } from './facts/orders.ts'
import { pageFacts } from './facts/pages.ts'
import { postFacts } from './facts/posts.ts'
import { schoolFacts } from './facts/school.ts'
import { storageFacts } from './facts/storage.ts'
import { studentFacts } from './facts/students.ts'
import { subscriptionFacts } from './facts/subscriptions.ts'

/**
 * Every type of fact, declared in a file for each section of the API. The names and the fields of their payloads are published
 * (docs/published-names.json): webhooks and a change feed build on them, so they stay. A type is a resource and what happened to
 * it, in the past tense.
 */
export const factTypes = {
  ...accountFacts,
  ...appearanceFacts,
  ...commentFacts,
  ...couponFacts,
  ...courseFacts,
  ...curriculumFacts,
  ...digitalProductFacts,
  ...eventFacts,
  ...formFacts,
  ...importFacts,
  ...lecturerFacts,
  ...memberFacts,
  ...orderFacts,
  ...pageFacts,
  ...planFacts,
  ...postFacts,
  ...schoolFacts,
  ...storageFacts,
  ...studentFacts,
  ...subscriptionFacts,
} as const satisfies Readonly<Record<string, FactDeclaration>>

type Declared = typeof factTypes

// The static type of an object without fields is any object.
type PayloadOf<Type extends keyof Declared> =
  object extends Static<Declared[Type]['payload']> ? Readonly<Record<string, never>> : Static<Declared[Type]['payload']>

/** The payload of each type of fact; tests add those of the areas that only they have. */
export interface FactPayloads extends Readonly<{ [Type in keyof Declared]: PayloadOf<Type> }> {}

/** The type of a fact. */
export type FactType = keyof FactPayloads

const declarations: ReadonlyMap<string, FactDeclaration> = new Map(Object.entries(factTypes))

/** What is declared of a type of fact; undefined for the types of areas that only tests have. */
export const findFactDeclaration = (type: string): FactDeclaration | undefined => declarations.get(type)
