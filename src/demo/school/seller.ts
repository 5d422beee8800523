import { getSelling, storeProvider, storeSelling } from '#src/areas/school/index.ts'
import type { Database } from '#src/contract/db.ts'
import { hasRows } from '../queries.ts'

const legal = {
  name: 'Crumb & Crust, Lda.',
  address: {
    line1: 'Rua do Forno 12',
    line2: null,
    postal_code: '1200-194',
    city: 'Lisboa',
    region: null,
    country: 'PT',
  },
  tax_id: 'PT509442013',
  registration: 'CRC Lisboa 509442013',
  email: 'office@crumb.example',
}

const instructions = {
  account_holder: 'Crumb & Crust, Lda.',
  iban: 'PT50000201231234567890154',
  text: 'Or pay at the bakery, Tuesday to Saturday from 8 to 13.',
}

/**
 * Makes a school of the demo a seller: who it is, tax of 23 % in its prices, bank transfers and test payments. Returns false
 * and does nothing if it has a payment provider.
 */
export const setUpSeller = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async db => {
    if (await hasRows(db, schoolId, 'payment_providers')) return false
    const { revision: _, created_at: __, updated_at: ___, ...settings } = await getSelling(db, schoolId)
    await storeSelling(db, schoolId, {
      ...settings,
      legal,
      tax: {
        ...settings.tax,
        mode: 'inclusive',
        rates: [{ country: '*', percent: '23', name: 'IVA' }],
        taxed_at: { ...settings.tax.taxed_at, online: 'school' },
      },
    })
    await storeProvider(db, schoolId, { name: 'manual', mode: null, instructions })
    await storeProvider(db, schoolId, { name: 'test', mode: 'test', instructions: null })
    return true
  })
