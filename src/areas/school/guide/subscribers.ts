import { readSaleState } from '#src/areas/school/selling/index.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { insertSteps } from './queries.ts'
import type { GuideStep } from './schema.ts'

const done =
  (step: GuideStep, isAbout: (payload: Readonly<Record<string, unknown>>) => boolean = () => true): FactHandler =>
  async ({ payload }, { db, school }) => {
    if (isAbout(payload)) await insertSteps(db, school.id, [step], 'done')
  }

// A provider that is incomplete, or for the other mode, is not yet a way to be paid.
const setProvider: FactHandler = async (_fact, { db, school }) => {
  const { missing } = await readSaleState(db, school)
  if (missing.every(lack => lack === 'seller_unknown')) await insertSteps(db, school.id, ['payments'], 'done')
}

const namesSeller = ({ fields }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(fields) && (fields.includes('legal.name') || fields.includes('legal.address'))

/** What has a step done, whoever did it and by which app. */
export const subscribers: Readonly<Record<string, FactHandler>> = {
  'school.updated': done('name', ({ fields }) => Array.isArray(fields) && fields.includes('name')),
  'appearance.published': done('appearance'),
  'school.selling_updated': done('seller', namesSeller),
  'payment_provider.set': setProvider,
  'course.created': done('course'),
  'price.created': done('price'),
  'course.published': done('publication'),
  'digital_product.published': done('publication'),
  'plan.published': done('publication'),
  'event.published': done('publication'),
  'member.invited': done('invitation'),
}
