import type { Static } from 'typebox'
import type { Standing } from '#src/areas/console/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { toTag } from '#src/kit/locale.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../../audience.ts'
import { showWhen } from '../../pages/when.ts'
import type { StaffRole } from '../../section.ts'
import type { tileIcons } from './icons.ts'

const text = texts.staff.standing

/** How a school stands, as the page reads it. */
export type Stood = Encoded<Static<typeof Standing>>

/** A part of the settings with how it stands. */
export type Tile = {
  readonly name: keyof typeof tileIcons
  readonly title: Phrase
  /** Where it is changed; unset where there is no page for it. */
  readonly path?: `/staff/${string}`
  /** The role with the fewest rights that opens the page; unset: admins. */
  readonly least?: StaffRole
  readonly state?: { readonly kind: 'good' | 'warn' | 'bad' | 'info'; readonly name: string }
  readonly about: string
}

/** Tiles that belong together. */
export type Group = { readonly title: Phrase; readonly tiles: readonly Tile[] }

type State = NonNullable<Tile['state']>

const good = (name: string): State => ({ kind: 'good', name })
const warn = (name: string): State => ({ kind: 'warn', name })

const joined = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== false && part !== '').join(' ')

const listNames = (names: readonly string[], { language }: StaffContext): string =>
  new Intl.ListFormat(toTag(language), { type: 'conjunction' }).format(names)

// Both are named by themselves, and all others as they call themselves.
const nameProvider = (name: string, { t }: StaffContext): string => {
  if (name === 'manual') return t(texts.words.bankTransfer)
  return name === 'test' ? t(text.testPayments) : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

const buildPayments = ({ payments, as_of: now }: Stood, context: StaffContext): Tile => {
  const { t } = context
  const { missing, providers, last_paid_at: last } = payments
  const named = providers.map(name => nameProvider(name, context))
  return {
    name: 'payments',
    title: texts.words.payments,
    path: '/staff/payments',
    least: 'owner',
    state: missing.length === 0 ? good(t(text.states.working)) : warn(t(text.states.incomplete)),
    about: joined(
      named.length === 0 ? t(texts.staff.home.guide.missing.no_provider) : `${listNames(named, context)}.`,
      last !== null && t(text.lastPaid, { when: showWhen(last, now, context) }),
    ),
  }
}

const stateOfMail = ({ mail }: Stood, context: StaffContext): State => {
  const { t, parts } = context
  if (parts.mailServer === undefined) return { kind: 'bad', name: t(text.states.noServer) }
  if (mail.failed > 0) return warn(t(text.states.failed, { n: mail.failed }))
  return mail.is_accepted ? good(t(text.states.working)) : warn(t(text.states.notTested))
}

const buildMail = (stood: Stood, context: StaffContext): Tile => {
  const { t, parts } = context
  const { mailServer } = parts
  const { sent, failed } = stood.mail
  return {
    name: 'mail',
    title: text.mail.title,
    path: '/staff/settings/mail',
    state: stateOfMail(stood, context),
    about: joined(
      mailServer === undefined
        ? t(text.mail.noServer)
        : t(text.mail.from, { sender: mailServer.from, host: mailServer.host }),
      t(text.mail.week, { n: sent }),
      failed > 0 && t(text.mail.failed, { n: failed }),
    ),
  }
}

const buildDomain = ({ is_local: isLocal }: Stood, { t, school }: StaffContext): Tile => ({
  name: 'domain',
  title: text.domain.title,
  path: '/staff/settings/domain',
  state: isLocal ? warn(t(text.states.local)) : good(t(text.states.working)),
  about: school.siteOrigin.replace(/^https?:\/\//, ''),
})

const buildSeller = ({ seller }: Stood, { t }: StaffContext): Tile => {
  const { name, has_address: hasAddress, tax_id: taxId, tax_mode: mode, countries } = seller
  const isComplete = name !== null && hasAddress
  return {
    name: 'seller',
    title: text.seller,
    path: '/staff/settings/seller',
    state: isComplete ? good(t(text.states.complete)) : warn(t(text.states.incomplete)),
    about: joined(
      name === null ? t(texts.staff.home.guide.missing.seller_name) : `${[name, taxId].filter(Boolean).join(', ')}.`,
      mode === 'none' ? t(text.noTax) : t(text.taxFor, { n: countries }),
    ),
  }
}

const buildSchool = ({ languages }: Stood, context: StaffContext): Tile => {
  const { school, language } = context
  const names = new Intl.DisplayNames([toTag(language)], { type: 'language', languageDisplay: 'standard' })
  const currency = new Intl.DisplayNames([toTag(language)], { type: 'currency' }).of(school.currency)
  const spoken = listNames(
    languages.map(tag => names.of(tag) ?? tag),
    context,
  )
  return {
    name: 'school',
    title: text.school,
    path: '/staff/settings/school',
    about: `${[spoken, school.timeZone, currency].join(', ')}.`,
  }
}

const buildTerms = ({ terms }: Stood, { t }: StaffContext): Tile => ({
  name: 'terms',
  title: text.terms.title,
  path: '/staff/settings/terms',
  state: terms?.is_published === true ? good(t(texts.words.published)) : warn(t(text.states.incomplete)),
  about:
    terms === null
      ? t(texts.staff.home.guide.missing.terms)
      : joined(
          t(text.terms.page, { title: terms.title }),
          !terms.is_published && t(texts.staff.home.guide.missing.terms_published),
        ),
})

const buildCheckout = ({ checkout }: Stood, { t }: StaffContext): Tile => ({
  name: 'checkout',
  title: texts.staff.settings.common.checkout.title,
  path: '/staff/settings/checkout',
  about: joined(t(text.checkout.holds, { n: checkout.hold_minutes }), checkout.asks_waiver && t(text.checkout.waiver)),
})

const buildStaff = ({ staff }: Stood, { t }: StaffContext): Tile => {
  const { owners, admins, lecturers } = staff
  return {
    name: 'staff',
    title: text.staff.title,
    path: '/staff/people?role=admin',
    about: `${[
      t(text.staff.owners, { n: owners }),
      ...(admins === 0 ? [] : [t(text.staff.admins, { n: admins })]),
      ...(lecturers === 0 ? [] : [t(text.staff.lecturers, { n: lecturers })]),
    ].join(', ')}.`,
  }
}

const buildApps = ({ apps }: Stood, waiting: number, { t, viewer }: StaffContext): Tile => ({
  name: 'apps',
  title: text.apps.title,
  // What waits for a person is theirs, whatever their role.
  path: waiting > 0 || !isAtLeast(viewer.role, 'owner') ? '/staff/confirmations' : '/staff/integrations',
  ...(waiting > 0 && { state: { kind: 'info', name: t(text.apps.wait, { n: waiting }) } }),
  about: t(text.apps.count, { n: apps }),
})

const stateOfWebhooks = ({ webhooks }: Stood, { t }: StaffContext): State | undefined => {
  const { active, failing, stopped } = webhooks
  if (failing > 0) return warn(t(text.webhooks.failing, { n: failing }))
  if (stopped > 0) return warn(t(text.webhooks.stopped, { n: stopped }))
  return active > 0 ? good(t(text.states.working)) : undefined
}

const buildWebhooks = (stood: Stood, context: StaffContext): Tile => {
  const { t } = context
  const { all, waiting } = stood.webhooks
  const state = stateOfWebhooks(stood, context)
  return {
    name: 'webhooks',
    title: texts.staff.webhooks.common.title,
    path: '/staff/webhooks',
    ...(state && { state }),
    about: joined(t(text.webhooks.count, { n: all }), all > 0 && t(text.webhooks.waiting, { n: waiting })),
  }
}

const buildOutbox = ({ mail }: Stood, { t }: StaffContext): Tile => ({
  name: 'outbox',
  title: texts.staff.outbox.common.title,
  path: '/staff/outbox',
  ...(mail.waiting > 0 && { state: { kind: 'info', name: t(text.outbox.wait, { n: mail.waiting }) } }),
  about: t(text.outbox.about),
})

/** The parts of the settings in their groups, each with how it stands; `waiting`: how many requests of apps wait. */
export const listGroups = (stood: Stood, waiting: number, context: StaffContext): Group[] => {
  const { t, school } = context
  const { common } = texts.staff.settings
  return [
    {
      title: text.groups.ready,
      tiles: [buildPayments, buildMail, buildDomain, buildSeller].map(build => build(stood, context)),
    },
    {
      title: texts.words.school,
      tiles: [
        ...[buildSchool, buildTerms, buildCheckout].map(build => build(stood, context)),
        {
          name: 'certificates',
          title: texts.words.certificates,
          path: '/staff/certificates',
          about: t(text.certificates, { n: stood.certificates }),
        },
        {
          name: 'subscriptions',
          title: texts.words.subscriptions,
          path: '/staff/settings/subscriptions',
          about: t(common.subscriptions.about),
        },
        {
          name: 'comments',
          title: texts.words.comments,
          path: '/staff/settings/comments',
          about: t(common.comments.about),
        },
      ],
    },
    {
      title: text.groups.people,
      tiles: [
        buildStaff(stood, context),
        {
          name: 'sign_in',
          title: texts.words.signIn,
          path: '/staff/settings/school',
          about: joined(t(text.signIn.ways), t(text.signIn.modes[school.signupMode])),
        },
        {
          name: 'fields',
          title: text.fields.title,
          path: '/staff/fields',
          about: t(text.fields.count, { fields: stood.fields, tags: stood.tags }),
        },
      ],
    },
    {
      title: text.groups.connections,
      tiles: [
        buildApps(stood, waiting, context),
        buildWebhooks(stood, context),
        buildOutbox(stood, context),
        { name: 'export', title: text.export.title, about: t(text.export.about) },
      ],
    },
  ]
}
