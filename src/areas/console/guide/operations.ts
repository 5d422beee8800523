import type { Static } from 'typebox'
import { readReadiness, SenderQuery } from '#src/areas/console/standing/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { operation } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { listPutOff, putOff } from './queries.ts'
import { findLacks } from './rules.ts'
import { Guide, guideSteps, SkippedSteps } from './schema.ts'

const readGuide = async (context: SchoolContext, sender: string | undefined): Promise<Static<typeof Guide>> => {
  const [ready, later] = await Promise.all([readReadiness(context, sender), listPutOff(context.db, context.school.id)])
  const lacks = findLacks(ready, sender !== undefined)
  return {
    steps: guideSteps.map(step => {
      const missing = [...lacks[step]]
      if (missing.length === 0) return { step, state: 'done', missing }
      return { step, state: later.includes(step) ? 'put_off' : 'open', missing }
    }),
  }
}

const getGuide = operation({
  id: 'getGuide',
  summary: 'Get what the school needs before it sells',
  description:
    'Returns the steps until the school really sells, each with what it lacks by the state of the school now. A step that is done is open again when its state changes.',
  who: 'staff',
  mode: 'read',
  query: SenderQuery,
  returns: Guide,
  handle: context => readGuide(context, context.query.sender),
})

const skipGuideSteps = operation({
  id: 'skipGuideSteps',
  summary: 'Put steps of the guide off',
  description: 'Puts steps of the guide off, so that they are not the next one; what they are about can still be done.',
  who: 'staff',
  mode: 'write',
  query: SenderQuery,
  body: SkippedSteps,
  returns: Guide,
  example: { body: { steps: ['domain'] } },
  async handle(context) {
    const { db, school, body, query, changed, record } = context
    const steps = await putOff(db, school.id, [...new Set(body.steps)].sort())
    if (steps.length > 0) {
      changed({ ids: [toId('scl', school.id)], fields: steps.map(step => `guide.${step}`) })
      record({ type: 'school.guide_skipped', payload: { steps } })
    }
    return readGuide(context, query.sender)
  },
})

/** The operations of the guide; no app can call them. */
export const operations = [getGuide, skipGuideSteps]
