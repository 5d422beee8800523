import { fill } from '#src/contract/language.ts'
import { stripMarkdown } from '#src/kit/body/plain.ts'
import { cleanLine } from '#src/kit/text.ts'
import { type SiteView, shortened } from './frame.ts'
import { crumbsData, listData, productData } from './pages/item-data.ts'
import type { OwnPlan } from './pages/own.ts'
import { shared } from './pages/picture.ts'
import { planMain } from './pages/plan.ts'
import { plansMain } from './pages/plans.ts'
import { planText as text } from './plan-text.ts'
import { moved, type PageRequest, type ShowPage } from './respond.ts'

const PAGE = '24'
const MAX_CURSOR = 500
const MAX_DESCRIPTION = 300

/** GET /plans: the listed plans in the order of the school, in pages. */
export const showPlans: ShowPage = async (page): Promise<SiteView> => {
  const { reads, request, school, language } = page
  const cursor = cleanLine(new URLSearchParams(request.query).get('cursor') ?? '', MAX_CURSOR)
  const { data, next_cursor: next } = await reads.plans([
    ['limit', PAGE],
    ...(cursor === '' ? [] : [['cursor', cursor] as const]),
  ])
  return {
    title: fill(text.title, language),
    description: fill(text.intro, language, { school: school.name }),
    // The pages after the first one change with every new plan.
    path: cursor === '' ? '/plans' : undefined,
    returnTo: '/plans',
    jsonLd: listData(
      page,
      data.map(({ name, slug }) => ({ name, path: `/plans/${slug}` })),
    ),
    main: plansMain({ page, plans: data, next, isFirst: cursor === '' }),
  }
}

const readOwn = async ({ own }: PageRequest, id: string): Promise<OwnPlan> => {
  const subscription = await own?.findSubscription(id)
  return subscription === undefined ? { waiting: await own?.findWaiting(id) } : { subscription }
}

/** GET /plans/:slug: a plan with its prices and what it opens; an earlier slug leads to the current one. */
export const showPlan: ShowPage = async page => {
  const { reads, request, language } = page
  const slug = request.params.slug ?? ''
  const plan = await reads.plan(slug)
  const path = `/plans/${plan.slug}`
  if (plan.slug !== slug) return moved(path)
  const [profile, offering, own] = await Promise.all([
    reads.school(),
    reads.offering(page.person?.member),
    readOwn(page, plan.id),
  ])
  const view: SiteView = {
    title: plan.seo.title ?? plan.name,
    description: plan.seo.description ?? shortened(stripMarkdown(plan.description), MAX_DESCRIPTION),
    // An unlisted plan is for those who have its address.
    path: plan.visibility === 'listed' ? path : undefined,
    returnTo: path,
    image: shared(plan.image),
    jsonLd: [
      productData({ ...plan, about: shortened(stripMarkdown(plan.description), MAX_DESCRIPTION) }, path, page),
      crumbsData(page, [
        { name: fill(text.title, page.language), path: '/plans' },
        { name: plan.name, path },
      ]),
    ],
    main: planMain({ page, terms: { ...offering, timeZone: profile.time_zone, language }, plan, own }),
  }
  return view
}
