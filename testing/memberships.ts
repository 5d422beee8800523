import { entitleAll, type Source } from '#src/areas/learning/index.ts'
import { fromId, newUuid } from '#src/kit/ids.ts'
import type { writingTo } from './access.ts'
import type { Actor } from './actor.ts'
import type { PersonName, TestApp } from './app.ts'
import { readMemberId } from './learning.ts'

/** What an app needs that writes plans and what they open. */
export const PLANNING = [
  'membership_plans:read',
  'membership_plans:write',
  'courses:read',
  'courses:write',
  'members:read',
]

/** Ada with an app that writes plans. */
export const planner = (app: TestApp, more: readonly string[] = []): Promise<Actor> =>
  app.actor('ada', { scopes: [...PLANNING, ...more] })

/** A plan, and the ids of its prices. */
export type SoldPlan = {
  readonly id: string
  readonly uuid: string
  readonly slug: string
  readonly path: string
  readonly priceIds: readonly string[]
  readonly priceId: string
}

/** Makes an active plan with these prices. */
export const sellPlan = async (
  ada: Actor,
  input: Readonly<Record<string, unknown>> & { readonly name: string; readonly plan_type: string },
  prices: readonly Readonly<Record<string, unknown>>[],
): Promise<SoldPlan> => {
  const { json: plan, text } = await ada.write('POST', '/membership-plans', input)
  if (plan.id === undefined) throw new Error(text)
  const path = `/membership-plans/${plan.id}`
  const priceIds: string[] = []
  for (const price of prices) {
    const made = await ada.write('POST', `${path}/prices`, price)
    if (made.status !== 201) throw new Error(made.text)
    priceIds.push(made.json.id)
  }
  const published = await ada.write('PUT', `${path}/publication`)
  if (published.status !== 200) throw new Error(published.text)
  return {
    id: plan.id,
    uuid: fromId('mpl', plan.id) ?? '',
    slug: plan.slug,
    path,
    priceIds,
    priceId: priceIds[0] ?? '',
  }
}

/** Opens a course in a plan. */
export const openCourse = async (ada: Actor, plan: Pick<SoldPlan, 'path'>, courseId: string): Promise<void> => {
  const opened = await ada.write('PUT', `${plan.path}/items/course/${courseId}`)
  if (opened.status !== 200) throw new Error(opened.text)
}

/** Entitles somebody to a plan, as a subscription would; returns the id of the source. */
export const givePlan = async (
  app: TestApp,
  writing: ReturnType<typeof writingTo>,
  {
    plan,
    name,
    source = 'subscription',
  }: { readonly plan: Pick<SoldPlan, 'uuid'>; readonly name: PersonName; readonly source?: Source },
): Promise<string> => {
  const [memberId, sourceId] = [await readMemberId(app, name), newUuid(0)]
  const named = { type: 'membership_plan', id: plan.uuid } as const
  await writing(where => entitleAll(where, [{ memberId, named, source, sourceId }]))
  return sourceId
}
