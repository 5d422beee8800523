import type { Static } from 'typebox'
import { declareFor, type ReadContext, type WriteContext } from '#src/contract/operation.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { isPage } from '../hooks.ts'
import { readSaleState } from '../lookups.ts'
import { getSelling, lockSelling, type SellingRow, storeSelling } from './queries.ts'
import { changedSettings, changesSeller, defaults, errorsOfSelling, sellerEffect } from './rules.ts'
import { NewSellingSettings, SellingSettings, type SellingValues } from './schema.ts'

const renderView = async (
  row: SellingRow,
  { db, school, allowedActions }: Pick<ReadContext, 'db' | 'school' | 'allowedActions'>,
): Promise<Static<typeof SellingSettings>> => ({
  ...row,
  sale_state: await readSaleState(db, school),
  allowed_actions: allowedActions(['getSellingSettings', 'setSellingSettings']),
})

const getSellingSettings = declareFor('staff', 'school', {
  id: 'getSellingSettings',
  route: 'GET /school/selling',
  summary: 'Get seller settings',
  description:
    'Returns what the school decided about selling: who it is on invoices, tax, checkout, subscriptions and comments. What was never changed has its default, with revision 1. `sale_state` says whether the school can be paid, and what is missing.',
  returns: SellingSettings,
  async handle(context) {
    return renderView(await getSelling(context.db, context.school.id), context)
  },
})

const checkTermsPage = async ({ db, school }: WriteContext, { checkout }: SellingValues): Promise<void> => {
  const { terms_page_id: pageId } = checkout
  if (pageId === null || (await isPage.call({ pageId }, { db, school })).includes(true)) return
  refuseInvalid([{ pointer: '/checkout/terms_page_id', code: 'unknown', message: 'is not a page of the school' }])
}

const setSellingSettings = declareFor('owner', 'school', {
  id: 'setSellingSettings',
  route: 'PUT /school/selling',
  summary: 'Replace seller settings',
  description:
    'Replaces all seller settings; send every field, those that stay as they were read. Requires If-Match, with the ETag of the defaults too. A person approves a change of the legal name or the tax id, since invoices name them.',
  ifMatch: 'required',
  confirm: 'person',
  body: NewSellingSettings,
  returns: SellingSettings,
  example: {
    body: {
      ...defaults,
      legal: {
        name: 'Crumb & Crust, Lda.',
        address: {
          line1: 'Rua do Forno 12',
          line2: null,
          postal_code: '1200-003',
          city: 'Lisboa',
          region: null,
          country: 'PT',
        },
        tax_id: 'PT123456789',
        registration: null,
        email: 'invoices@crumb.example',
      },
      tax: { ...defaults.tax, mode: 'inclusive', rates: [{ country: 'PT', percent: '23', name: 'IVA' }] },
    },
  },
  async handle(context) {
    const { db, school, body, requireMatch, waiveConfirmation, changed, record } = context
    const row = await lockSelling(db, school.id)
    await requireMatch(row.revision, () => renderView(row, context))
    const fields = changedSettings(row, body)
    if (!changesSeller(fields)) waiveConfirmation()
    if (fields.length === 0) return renderView(row, context)
    refuseInvalid(errorsOfSelling(body), 'The settings are not valid.')
    if (fields.includes('checkout.terms_page_id')) await checkTermsPage(context, body)
    const stored = await storeSelling(db, school.id, body)
    changed({ ids: [toId('scl', school.id)], fields, revision: stored.revision })
    const effects = changesSeller(fields) ? { money: sellerEffect(body.legal) } : {}
    record({ type: 'school.selling_updated', payload: { fields }, effects })
    return renderView(stored, context)
  },
})

/** The operations of the seller settings. */
export const settingsOperations = [getSellingSettings, setSellingSettings]
