import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { openCourse, planner, sellPlan } from '#testing/memberships.ts'
import { until } from '#testing/until.ts'

const app = testApp()

const open = (path: string, language = 'en') =>
  app.send({ path, headers: { accept: 'text/html', 'accept-language': language } })

const monthly = { payment_type: 'subscription', amount: 1900, interval: 'month', trial_days: 7 }

const course = async (
  ada: Awaited<ReturnType<typeof planner>>,
  name: string,
  isPublished: boolean,
): Promise<string> => {
  const { id } = (await ada.write('POST', '/courses', { name })).json
  if (isPublished) await ada.write('PUT', `/courses/${id}/publication`, {})
  return id
}

test('an active plan has a page with its benefits, prices and public contents, in both languages, and a place in lists', async () => {
  const ada = await planner(app)
  const input = {
    name: 'Plan of <loaves>',
    plan_type: 'recurring',
    description: 'All *year*.',
    benefits: ['Every <course>'],
  }
  const plan = await sellPlan(ada, { ...input, opens_posts: true }, [monthly])
  await openCourse(ada, plan, await course(ada, 'Seen by all', true))
  await openCourse(ada, plan, await course(ada, 'Hidden draft', false))
  const page = await open(`/plans/${plan.slug}`)
  assert.equal(page.status, 200)
  const parts = [
    'Plan of &lt;loaves&gt;',
    'Every &lt;course&gt;',
    '<em>year</em>',
    'href="/courses/seen-by-all"',
    '€19 per month',
  ]
  for (const part of [...parts, 'The first 7 days are free', 'Access while you subscribe', 'href="/blog"'])
    assert.ok(page.text.includes(part), part)
  assert.doesNotMatch(page.text, /Hidden draft/)
  const portuguese = (await open(`/plans/${plan.slug}`, 'pt')).text
  for (const part of ['O que recebe', '€ por mês', 'Acesso enquanto durar a assinatura'])
    assert.ok(portuguese.includes(part), part)
  assert.match((await open('/plans')).text, new RegExp(`href="/plans/${plan.slug}"`))
  assert.match((await open('/sitemaps/plans-1.xml')).text, new RegExp(`/plans/${plan.slug}<`))
  assert.match((await open('/sitemap.xml')).text, /plans-1\.xml/)
  assert.match((await open('/search?q=loaves')).text, new RegExp(`href="/plans/${plan.slug}"`))
  assert.match(page.text, /<a class="nav-link" href="\/plans" aria-current="true">Memberships</)
})

test('an earlier address leads to the plan, a draft is the same page as an unknown plan, an archived plan too', async () => {
  const ada = await planner(app)
  const plan = await sellPlan(ada, { name: 'Moving plan', plan_type: 'lifetime' }, [
    { payment_type: 'one_time', amount: 9900 },
  ])
  await ada.write('PATCH', plan.path, { slug: 'moved-plan' })
  await until(async () => {
    const { status, headers } = await open('/plans/moving-plan')
    return status === 301 && headers.location === '/plans/moved-plan'
  }, 'the address leads on')
  await ada.write('POST', '/membership-plans', { name: 'Draft of a plan', plan_type: 'lifetime' })
  const [draft, unknown] = await Promise.all([open('/plans/draft-of-a-plan'), open('/plans/no-such-thing')])
  assert.deepEqual([draft.status, unknown.status], [404, 404])
  assert.equal(draft.text.replaceAll('draft-of-a-plan', ''), unknown.text.replaceAll('no-such-thing', ''))
  await ada.write('PUT', `${plan.path}/archive`)
  await until(async () => (await open('/plans/moved-plan')).status === 404, 'the plan is gone')
  await until(async () => !/moved-plan/.test((await open('/sitemaps/plans-1.xml')).text), 'and gone from the sitemap')
})

test('a plan that is bought once has a link to buy it, and an unlisted one is kept from search engines', async () => {
  const ada = await planner(app)
  const once = { payment_type: 'one_time', amount: 9900 }
  const long = { plan_type: 'fixed_length', length: { months: 6 } }
  const plan = await sellPlan(ada, { name: 'Half a year', visibility: 'unlisted', ...long }, [once])
  const page = await open(`/plans/${plan.slug}`)
  assert.match(page.text, new RegExp(`href="/checkout\\?price=${plan.priceId}"`))
  assert.match(page.text, /Access for 6 months/)
  assert.match(page.text, /noindex/)
  assert.doesNotMatch((await open('/plans')).text, /Half a year/)
})
