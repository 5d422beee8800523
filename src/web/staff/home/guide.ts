import type { Static } from 'typebox'
import { Guide, type GuideStep, guideSteps } from '#src/areas/console/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden, type PageContext } from '#src/web/page/index.ts'
import { type StaffPagesParts, senderQuery } from '../parts.ts'
import { stepIcons } from './icons.ts'

const text = texts.staff.home.guide

type Steps = Static<typeof Guide>['steps']
type Step = Steps[number]

type Context = PageContext<StaffPagesParts>
type Path = `/staff/${string}`

const paths: Readonly<Record<GuideStep, Path>> = {
  appearance: '/staff/appearance',
  seller: '/staff/settings/seller',
  payments: '/staff/payments',
  mail: '/staff/settings/mail',
  domain: '/staff/settings/domain',
  price: '/staff/courses/new',
  publication: '/staff/courses',
}

// What a step lacks is mended where it is, which may be another page than that of the step.
const remedies: Readonly<Partial<Record<Step['missing'][number], { readonly path: Path; readonly button: Phrase }>>> = {
  name: { path: '/staff/settings/school', button: text.buttons.name },
  terms: { path: '/staff/settings/terms', button: text.buttons.terms },
  terms_published: { path: '/staff/settings/terms', button: text.buttons.publishTerms },
}

const findRemedy = ({ step, missing: [first] }: Step): { readonly path: Path; readonly button: Phrase } =>
  (first === undefined ? undefined : remedies[first]) ?? { path: paths[step], button: text.steps[step].button }

/** The steps of the guide as the school stands now. */
export const readSteps = async ({ call, parts }: Context): Promise<Steps> =>
  (await call({ operation: 'getGuide', query: senderQuery(parts), returns: Guide })).steps

/** The steps that a form puts off. */
export const stepsIn = (form: Pairs): GuideStep[] =>
  guideSteps.filter(step => form.some(([name, value]) => name === 'step' && value === step))

/** A form that puts a step off. */
export const renderLater = (step: GuideStep, { t, form }: Context): Html =>
  form(
    html`${hidden({ step })}<button type="submit" class="bare" aria-label="${t(text.laterOf, { step: t(text.steps[step].name) })}">${t(text.later)}</button>`,
    '/staff/guide',
  )

const renderMissing = ({ missing }: Step, { t }: Context): Html =>
  html`${missing.map(lack => html`<p class="quiet s14">${t(text.missing[lack])}</p>\n`)}`

const renderStep = (step: Step, context: Context, more: Html | false = false): Html => {
  const { t } = context
  const { step: name, state } = step
  return html`<li class="${state === 'done' ? 'good' : 'plain'}">${stepIcons[state]}<div><a href="${findRemedy(step).path}">${t(text.steps[name].name)}</a> <span class="quiet s13">${t(text.states[state])}</span>
${renderMissing(step, context)}${more}</div></li>
`
}

const renderNext = (step: Step, context: Context): Html => {
  const { t } = context
  const { name, about } = text.steps[step.step]
  const { path, button } = findRemedy(step)
  return html`<div class="stack s mt"><h3>${t(text.next, { step: t(name) })}</h3>
<p class="quiet s14">${t(about)}</p>
${renderMissing(step, context)}<div class="row"><a class="button main" href="${path}">${t(button)}</a>${renderLater(step.step, context)}</div></div>
`
}

const countDone = (steps: Steps): number => steps.filter(({ state }) => state === 'done').length

const renderBar = (steps: Steps, { t }: Context): Html => {
  const [done, all] = [countDone(steps), steps.length]
  return html`<progress class="full" max="${all}" value="${done}" aria-label="${t(text.progress, { done, all })}"></progress>`
}

const findNext = (steps: Steps): Step | undefined => steps.find(({ state }) => state === 'open')

/** Where what a step needs is done, and with which address of a finished action. */
const places = [
  /^\/staff\/(?:appearance|settings\/\w+|payments\/\w+)\?.*\bdone=/,
  /^\/staff\/(?:courses|pages)\/.*\bdone=published/,
]

/** After something of the guide was done on its page: how far it is, with a link to what is next. */
export const renderOnward = async (context: Context): Promise<Html | false> => {
  const { t, address } = context
  if (!places.some(place => place.test(address))) return false
  const steps = await readSteps(context)
  const next = findNext(steps)
  if (next === undefined) return false
  const { path, button } = findRemedy(next)
  return html`<aside class="notice row apart" aria-label="${t(text.title)}"><span>${t(text.progress, { done: countDone(steps), all: steps.length })}</span><a class="button small" href="${path}">${t(text.next, { step: t(button) })}</a></aside>
`
}

/** The next step of the guide, and all of them folded; nothing once every step is done or put off. */
export const renderGuide = (context: Context, steps: Steps): Html | false => {
  const { t } = context
  const next = findNext(steps)
  if (next === undefined) return false
  return html`<section class="card guide" aria-labelledby="guide"><header><h2 id="guide">${t(text.title)}</h2><span class="quiet s13">${t(text.of, { done: countDone(steps), all: steps.length })}</span></header>
${renderBar(steps, context)}
${renderNext(next, context)}<details class="fold mt"><summary>${t(text.all)}</summary>
<ul class="effects">
${steps.map(step => renderStep(step, context))}</ul></details>
</section>
`
}

/** Every step of the guide, on a page of its own. */
export const renderAllSteps = (context: Context, steps: Steps): Html => {
  const { t } = context
  const isReady = steps.every(({ state }) => state === 'done')
  return html`<section class="card">${renderBar(steps, context)}
<p class="quiet">${t(isReady ? text.ready : text.progress, { done: countDone(steps), all: steps.length })}</p>
<ul class="effects">
${steps.map(step => renderStep(step, context, step.state === 'open' && renderLater(step.step, context)))}</ul>
</section>`
}
