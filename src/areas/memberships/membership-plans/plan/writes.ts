import { useFile } from '#src/areas/files/index.ts'
import { isPage } from '#src/areas/school/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { checkNames, chooseSlug, moveSlug } from '#src/db/slugs.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { planSlugs } from './conditions.ts'
import { insertPlan, type PlanRow, type PlanValues } from './queries.ts'
import { findToday, hasOtherPrices, wasEverHeld } from './references.queries.ts'
import { BLANK, errorsOfPlan, mergeInput, planExternalIdTaken, planTypeFixed } from './rules.ts'
import type { PlanInput } from './schema.ts'

const checkWelcomePage = async (context: SchoolContext, pageId: string | null): Promise<void> => {
  if (pageId === null || (await isPage.call({ pageId }, context)).includes(true)) return
  refuseInvalid([{ pointer: '/welcome_page_id', code: 'unknown', message: 'is not a page of the school' }])
}

// The plan is locked against those who entitle somebody to it.
const checkType = async ({ db, school }: SchoolContext, { plan_type: type }: PlanValues, before: PlanRow) => {
  if (type === before.plan_type) return
  if (await wasEverHeld(db, school.id, before.id)) throw new Refusal(planTypeFixed, 'Somebody holds or held the plan.')
  if (await hasOtherPrices(db, school.id, before.id, type === 'recurring'))
    throw new Refusal(planTypeFixed, 'A price of the other kind is on sale; retire it first.')
}

/** Refuses values that do not fit together, an unknown file or page, a taken name, and another type of a plan that is held. */
export const checkValues = async (context: SchoolContext, values: PlanValues, before?: PlanRow): Promise<void> => {
  const isNewEnd = values.ends_on !== null && values.ends_on !== before?.ends_on
  refuseInvalid(errorsOfPlan(values, isNewEnd ? await findToday(context.db, context.school.id) : undefined))
  if (before !== undefined) await checkType(context, values, before)
  await checkNames(context.db, context.school.id, planSlugs, values, { before, externalIdTaken: planExternalIdTaken })
  if (values.welcome_page_id !== before?.welcome_page_id) await checkWelcomePage(context, values.welcome_page_id)
  const { image_file_id: id } = values
  if (id !== null && id !== before?.image_file_id)
    await useFile(context, { id, pointer: '/image_file_id', purposes: ['plan'], isShown: true })
}

/** Creates a draft; without a slug one is derived from the name. Returns its UUID. */
export const addPlan = async (
  context: TransactionContext,
  input: Partial<PlanInput> & Pick<PlanInput, 'name' | 'plan_type'>,
): Promise<string> => {
  const { db, school, now } = context
  const id = newUuid(now.getTime())
  const wanted = slugFor(cleanLine(input.name, 200), id)
  const slug = await chooseSlug(db, school.id, planSlugs, id, { slug: input.slug, wanted })
  const values = mergeInput({ ...BLANK, slug }, input)
  await checkValues(context, values)
  await insertPlan(db, school.id, id, values)
  await moveSlug(db, school.id, planSlugs, id, { to: slug })
  return id
}
