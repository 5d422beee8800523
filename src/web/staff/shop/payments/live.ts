import type { Static } from 'typebox'
import { paymentMode, TestSales } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { findProviderTitle } from '#src/contract/payment-providers.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, hidden, input, mainButton, shownAgain } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { PATH, type Provider, providerPath, readProviders } from './provider.ts'

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

const renderClearing = (
  { t, school, form }: StaffContext,
  counts: Static<typeof TestSales>['counts'],
  typed: Pairs,
): Html => {
  const { sales } = text.live
  const shown = kinds.filter(one => counts[one] > 0)
  if (shown.length === 0) return html`<p>${t(sales.none)}</p>`
  return html`<p>${t(sales.about)}</p>
<ul>
${shown.map(one => html`<li>${t(sales.counts[one], { n: counts[one] })}</li>\n`)}</ul>
${form(html`${hidden({ act: 'clear' })}${input({
  name: 'name',
  label: t(sales.name, { name: school.name }),
  value: formField(typed, 'name'),
  attributes: html`type="text" autocomplete="off" maxlength="200"`,
})}
<div class="buttons"><button type="submit">${t(sales.clear)}</button></div>`)}`
}

// What was sold as a test goes first: while there is any of it, the school stays a test school.
const renderSales = async (context: StaffContext, typed: Pairs): Promise<Html> => {
  const { t, school, call } = context
  const { sales } = text.live
  if (!school.isTest) return html`<p>${t(sales.kept)}</p>`
  const { counts, is_clearing: isClearing } = await call({ operation: 'getTestSales', returns: TestSales })
  return isClearing ? html`<p>${t(sales.running)}</p>` : renderClearing(context, counts, typed)
}

const renderMode = ({ school, t, form }: StaffContext): Html => {
  const act = school.isTest ? 'live' : 'test'
  const isOpen = school.baseUrl.startsWith('https:')
  return html`<p>${t(isOpen ? text.live[school.isTest ? 'isTest' : 'isLive'] : text.live.http)}</p>
${form(html`${hidden({ act })}${mainButton(t(text.live[act]))}`)}`
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
  const providers = (await readProviders(context)).filter(({ name }) => name !== 'manual')
  return context.frame({
    title: t(text.live.title),
    ...buildOutcome(context, refusal, {
      done: text.live.done,
      said: { ...text.refusals, invalid_state: text.live.hasOrders },
    }),
    body: html`<h2>${t(text.live.sales.title)}</h2>
${await renderSales(context, typed)}
<h2>${t(text.live.mode)}</h2>
${renderMode(context)}
<h2>${t(text.live.keys)}</h2>
<p>${t(text.live.keysAbout)}</p>
<ul class="list menu">
${providers.map(one => html`<li><a href="${providerPath(one.name)}">${t(findProviderTitle(one.name))}</a><span class="quiet">${describe(one, context)}</span></li>\n`)}</ul>
<h2>${t(text.live.purchase)}</h2>
<p>${t(text.live.purchaseAbout)}</p>
<p class="quiet"><a href="${PATH}">${t(text.back)}</a></p>`,
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
