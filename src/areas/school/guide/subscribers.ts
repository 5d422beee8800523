import type { FactHandler } from '#src/contract/fact.ts'
import { insertSteps } from './queries.ts'
import type { GuideStep } from './schema.ts'

const done =
  (step: GuideStep, isAbout: (payload: Readonly<Record<string, unknown>>) => boolean = () => true): FactHandler =>
  async ({ payload }, { db, school }) => {
    if (isAbout(payload)) await insertSteps(db, school.id, [step], 'done')
  }

/** What has a step done, whoever did it and by which app. */
export const subscribers: Readonly<Record<string, FactHandler>> = {
  'school.updated': done('name', ({ fields }) => Array.isArray(fields) && fields.includes('name')),
  'appearance.published': done('appearance'),
  'course.created': done('course'),
  'member.invited': done('invitation'),
}
