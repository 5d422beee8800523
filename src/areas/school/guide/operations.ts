import type { Static } from 'typebox'
import { operation, type ReadContext } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { insertSteps, listSteps } from './queries.ts'
import { Guide, guideSteps, SkippedSteps } from './schema.ts'

const renderView = async ({ db, school }: Pick<ReadContext, 'db' | 'school'>): Promise<Static<typeof Guide>> => {
  const rows = await listSteps(db, school.id)
  const getState = (name: string) => rows.find(({ step }) => step === name)?.state ?? 'open'
  return { steps: guideSteps.map(step => ({ step, state: getState(step) })) }
}

const getGuide = operation({
  id: 'getGuide',
  summary: 'Get the guide for the first run',
  description:
    'Returns the steps of the guide, with those that were done or skipped. A step that was done once stays done.',
  who: 'staff',
  mode: 'read',
  returns: Guide,
  handle: renderView,
})

const skipGuideSteps = operation({
  id: 'skipGuideSteps',
  summary: 'Skip steps of the guide',
  description:
    'Skips steps of the guide for good; what they are about can still be done. Steps that are done stay done.',
  who: 'staff',
  mode: 'write',
  body: SkippedSteps,
  returns: Guide,
  example: { body: { steps: ['appearance'] } },
  async handle(context) {
    const { db, school, body, changed, record } = context
    const steps = await insertSteps(db, school.id, [...new Set(body.steps)].sort(), 'skipped')
    if (steps.length > 0) {
      changed({ ids: [toId('scl', school.id)], fields: steps.map(step => `guide.${step}`) })
      record({ type: 'school.guide_skipped', payload: { steps } })
    }
    return renderView(context)
  },
})

/** The operations of the guide; no app can call them. */
export const operations = [getGuide, skipGuideSteps]
