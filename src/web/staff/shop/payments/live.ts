import type { Static } from 'typebox'
import { paymentMode, TestSales } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, hidden, input, mainButton, shownAgain } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { renderProviders } from './list.ts'
import { PATH, type Provider, readProviders } from './provider.ts'

const text = texts.staff.payments

const LIVE = `${PATH}/live`

const kinds = [
  'orders',
  'payments',
  'refunds',
  'disputes',
  'invoices',
  'subscriptions',
  'redemptions',
  'registrations',
  'entitlements',
] as const

type Sales = {
  readonly counts: Static<typeof TestSales>['counts']
  readonly shown: readonly (typeof kinds)[number][]
  readonly isClearing: boolean
}

// What was sold as a test; nothing of it in a school in which sales are real.
const readSales = async ({ school, call }: StaffContext): Promise<Sales | undefined> => {
  if (!school.isTest) return undefined
  const { counts, is_clearing: isClearing } = await call({ operation: 'getTestSales', returns: TestSales })
  return { counts, isClearing, shown: kinds.filter(one => counts[one] > 0) }
}

const renderClearing = ({ t, school, form }: StaffContext, { counts, shown }: Sales, typed: Pairs): Html => {
  const { sales } = text.live
  return html`<p>${t(sales.about)}</p>
<ul>
${shown.map(one => html`<li>${t(sales.counts[one], { n: counts[one] })}</li>\n`)}</ul>
${form(html`${hidden({ act: 'clear' })}${input({
  name: 'name',
  label: t(sales.name, { name: school.name }),
  value: formField(typed, 'name'),
  attributes: html`type="text" autocomplete="off" maxlength="200"`,
})}
${mainButton(t(sales.clear))}`)}`
}

// What was sold as a test goes first: while there is any of it, the school stays a test school.
const renderSales = (context: StaffContext, read: Sales | undefined, typed: Pairs): Html => {
  const { t } = context
  const { sales } = text.live
  if (read === undefined) return html`<p>${t(sales.kept)}</p>`
  if (read.isClearing) return html`<p>${t(sales.running)}</p>`
  return read.shown.length === 0 ? html`<p>${t(sales.none)}</p>` : renderClearing(context, read, typed)
}

// A button stands here only where it changes something, and is the main one only when nothing is before it.
const renderMode = ({ school, t, form }: StaffContext, isFirst: boolean): Html => {
  if (!school.baseUrl.startsWith('https:')) return html`<p>${t(text.live.http)}</p>`
  const { isTest } = school
  const label = t(text.live[isTest ? 'live' : 'test'])
  return html`<p>${t(text.live[isTest ? 'isTest' : 'isLive'])}</p>
${form(html`${hidden({ act: isTest ? 'live' : 'test' })}${isTest && isFirst ? mainButton(label) : html`<div class="buttons"><button type="submit">${label}</button></div>`}`)}`
}

const renderKeys = async (context: StaffContext): Promise<Html> => {
  const { t } = context
  const providers = (await readProviders(context)).filter(({ name }) => name !== 'manual')
  if (providers.length === 0) return html`<p><a href="${PATH}">${t(text.live.addProvider)}</a></p>`
  return renderProviders(context, {
    id: 'keys',
    title: t(text.live.keys),
    rows: providers,
    describe: one => describe(one, context),
  })
}

const describe = ({ mode, check }: Provider, { t, school }: StaffContext): string => {
  if (mode !== null && mode !== paymentMode(school)) return t(text.live.otherKeys)
  if (check === null) return t(text.check.never)
  const missing = check.findings.filter(({ level }) => level === 'missing').length
  return missing === 0 ? t(text.check.fine) : t(text.missing, { n: missing })
}

/** GET /staff/payments/live: what leads from tests to real money, in its order. */
export const showLive = async (context: StaffContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t } = context
  const sales = await readSales(context)
  return context.frame({
    title: t(text.live.title),
    ...buildOutcome(context, refusal, {
      done: text.live.done,
      said: { ...text.refusals, invalid_state: text.live.hasOrders },
    }),
    body: html`<h2>${t(text.live.sales.title)}</h2>
${renderSales(context, sales, typed)}
<h2>${t(text.live.mode)}</h2>
${renderMode(context, sales?.shown.length === 0)}
<p>${t(text.live.keysAbout)}</p>
${await renderKeys(context)}
<h2>${t(text.live.purchase)}</h2>
<p>${t(text.live.purchaseAbout)}</p>`,
  })
}

/** POST /staff/payments/live. */
export const submitLive = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const act = formField(typed, 'act')
  if (act !== 'live' && act !== 'test' && act !== 'clear')
    throw new Refusal(formRefused, 'The form has no valid action.')
  return shownAgain(
    async () => {
      await context.call(
        act === 'clear'
          ? { operation: 'clearTestSales', body: { name: formField(typed, 'name').trim() } }
          : { operation: 'setTestMode', body: { is_test: act === 'test' } },
      )
      return `${LIVE}?done=${act}`
    },
    refusal => showLive(context, typed, refusal),
  )
}
