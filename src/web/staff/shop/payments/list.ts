import { paymentMode } from '#src/areas/school/index.ts'
import { listFittingProviders } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { listIn } from '#src/contract/language.ts'
import { findDeclaredProvider, findProviderTitle, listDeclaredProviders } from '#src/contract/payment-providers.ts'
import type { ChargePurpose } from '#src/contract/payments.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, factList, readDone, renderName } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { renderPart } from '../../pages/list-page.ts'
import {
  isBroughtByConnecting,
  isTestOnly,
  listUnset,
  PATH,
  type Provider,
  providerPath,
  readProviders,
} from './provider.ts'

const text = texts.staff.payments

// An amount that every provider can charge, for what does not depend on it.
const AMOUNT = 10_000

const nameOffered = async ({ request, school, t, language }: StaffContext, purpose: ChargePurpose): Promise<string> => {
  const amount = purpose === 'setup' ? 0 : AMOUNT
  const charge = { amount, currency: school.currency, purpose }
  const providers = await request.database.statements(school.id, db => listFittingProviders({ db, school }, charge))
  const names = providers.map(({ name }) => t(findProviderTitle(name)))
  return names.length === 0 ? t(text.offered.nothing) : listIn(names, language)
}

const renderOffered = async (context: StaffContext): Promise<Html> => {
  const { t } = context
  return html`<h2>${t(text.offered.title)}</h2>
${factList([
  [t(text.offered.once), await nameOffered(context, 'once')],
  [t(text.offered.plan), await nameOffered(context, 'first')],
  [t(text.offered.trial), await nameOffered(context, 'setup')],
])}`
}

const describe = (stored: Provider, { t }: StaffContext): string[] => {
  const { name, mode, use, check } = stored
  const missing = check?.findings.filter(({ level }) => level === 'missing').length ?? 0
  const declared = findDeclaredProvider(name)
  return [
    ...(mode === null ? [] : [t(text.modes[mode])]),
    ...(use === 'everything' ? [] : [t(text.uses[use])]),
    ...listUnset(declared, stored).map(one =>
      declared !== undefined && isBroughtByConnecting(declared, one)
        ? t(text.notConnected)
        : t(text.noSecret, { label: t(one.label) }),
    ),
    ...(missing === 0 ? [] : [t(text.missing, { n: missing })]),
  ]
}

// Those that are not set, and do not say by themselves that they are for schools of the other kind.
const listAddable = (providers: readonly Provider[], { school }: StaffContext): readonly string[] => {
  const mode = paymentMode(school)
  const fitting = listDeclaredProviders().filter(({ modeOf }) => (modeOf({}) ?? mode) === mode)
  return ['manual', ...fitting.map(({ name }) => name)].filter(name => providers.every(one => one.name !== name))
}

const describeAddable = (name: string, { t }: StaffContext): string => {
  const online = isTestOnly(findDeclaredProvider(name)) ? text.add.testAbout : text.add.providerAbout
  return t(name === 'manual' ? text.add.manualAbout : online)
}

/** Providers of payments as a table, each with what is said of it. */
export const renderProviders = <One extends { readonly name: string }>(
  context: StaffContext,
  {
    describe,
    ...part
  }: {
    readonly id: string
    readonly title: string
    readonly rows: readonly One[]
    readonly none?: string
    describe(one: One): string
  },
): Html =>
  renderPart<One>(context, {
    ...part,
    columns: [
      {
        name: texts.words.name,
        kind: 'main',
        cell: ({ name }) => renderName(providerPath(name), context.t(findProviderTitle(name))),
      },
      { name: texts.words.details, cell: describe },
    ],
  })

const renderSet = async (context: StaffContext, providers: readonly Provider[]): Promise<Html> =>
  html`<section class="card">${await renderOffered(context)}</section>
${renderProviders(context, {
  id: 'set',
  title: context.t(text.set),
  rows: providers,
  describe: one => describe(one, context).join(' · '),
})}`

/** GET /staff/payments: what buyers are offered, the providers of the school, and those that it could have. */
export const showProviders = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request } = context
  const providers = await readProviders(context)
  const addable = listAddable(providers, context)
  return context.frame({
    title: t(texts.words.payments),
    notice: doneIn(text.done, readDone(request), language),
    lead: t(providers.length > 0 ? text.intro : text.none),
    actions: html`<a class="button" href="${PATH}/live">${t(text.live.title)}</a>`,
    isWide: true,
    hasCards: true,
    body: html`${providers.length > 0 && (await renderSet(context, providers))}
${addable.length > 0 && renderProviders(context, { id: 'more', title: t(providers.length > 0 ? text.more : text.first), rows: addable.map(name => ({ name })), describe: ({ name }) => describeAddable(name, context) })}`,
  })
}
