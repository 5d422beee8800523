import { countWebhookStates } from '#src/areas/apps/index.ts'
import { clockNow } from '#src/areas/learning/index.ts'
import { FIRST_NAME, getSelling, readSaleState } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { isOnLoopback } from '#src/contract/school.ts'
import { countConnectedApps } from '#src/identity/index.ts'
import { countAround, countMails, findTestMail, readReadyRow } from './queries.ts'
import type { StandingValues } from './schema.ts'

/**
 * What a school needs before it really sells. `sender` is the address that mails come from now, undefined where there is no mail
 * server; what a server accepted from an unknown address counts for every address.
 */
export const readReadiness = async ({ db, school }: SchoolContext, sender: string | undefined) => {
  const selling = await getSelling(db, school.id)
  const [row, sale] = await Promise.all([
    readReadyRow(db, school.id, selling.checkout.terms_page_id),
    readSaleState(db, school),
  ])
  const { mail_accepted_at: acceptedAt, mail_accepted_from: acceptedFrom, ...shown } = row
  return {
    ...shown,
    selling,
    is_named: school.name !== FIRST_NAME,
    is_local: isOnLoopback(school),
    missing: sale.missing.filter(lack => lack !== 'seller_unknown'),
    accepted_at: acceptedAt,
    is_accepted: sender !== undefined && acceptedAt !== null && (acceptedFrom ?? sender) === sender,
  }
}

/** The same as a value. */
export type Readiness = Awaited<ReturnType<typeof readReadiness>>

/** Reads how a school stands. */
export const readStanding = async (context: SchoolContext, sender: string | undefined): Promise<StandingValues> => {
  const { db, school } = context
  const [asOf, ready, around, mails, test, apps, webhooks] = await Promise.all([
    clockNow(db),
    readReadiness(context, sender),
    countAround(db, school.id),
    countMails(db, school.id),
    findTestMail(db, school.id),
    countConnectedApps(db, school.id),
    countWebhookStates(db, school.id),
  ])
  const { selling, missing, accepted_at, is_accepted, ...shown } = ready
  const { legal, tax, checkout } = selling
  const { providers, last_paid_at, owners, admins, lecturers, ...counts } = around
  const { sent, failed, waiting, failed_at: failedAt, failed_for: error } = mails
  return {
    ...shown,
    ...counts,
    as_of: asOf,
    payments: { missing, providers, last_paid_at },
    mail: {
      accepted_at,
      is_accepted,
      sent,
      failed,
      waiting,
      test: test ?? null,
      last_failure: failedAt === null ? null : { at: failedAt, error },
    },
    seller: {
      name: legal.name,
      has_address: legal.address !== null,
      tax_id: legal.tax_id,
      tax_mode: tax.mode,
      countries: tax.rates.length,
    },
    checkout: { hold_minutes: checkout.hold_minutes, asks_waiver: checkout.withdrawal_waiver.required },
    staff: { owners, admins, lecturers },
    sign_up: school.signupMode,
    apps,
    webhooks,
  }
}
