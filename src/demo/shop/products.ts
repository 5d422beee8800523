import { addFile } from '#src/areas/files/index.ts'
import { entitleAll } from '#src/areas/learning/index.ts'
import { addProduct, addProductPrice, productStatus, storeFiles } from '#src/areas/shop/index.ts'
import type { Database } from '#src/contract/db.ts'
import type { Files } from '#src/contract/store.ts'
import { getSchool } from '#src/db/schools.ts'
import type { DemoMedia } from '../files/media.ts'
import { people } from '../people/people.ts'
import { findMemberId, hasRows } from '../queries.ts'

const RECIPES = `# Sourdough workbook

## A loaf for every week

500 g flour, 350 g water, 100 g starter, 10 g salt.

1. Mix flour and water, and let it rest for an hour.
2. Add starter and salt. Fold every half hour, four times.
3. Let it rise until it has grown by half. Shape it, and leave it in the cold overnight.
4. Bake it for 20 minutes with steam at 250 °C, and for 25 minutes without at 220 °C.

## Crackers of discard

200 g discard, 50 g olive oil, seeds and salt. Spread it thinly and bake it for 40 minutes at 160 °C.
`

const DIARY = `day,time,flour (g),water (g),temperature (°C),height after 4 h (cm),smell
1,08:00,50,50,21,,
2,08:00,50,50,22,,
3,08:00,50,50,21,,
`

const FILES = [
  { filename: 'sourdough-recipes.md', contentType: 'text/markdown', text: RECIPES },
  { filename: 'feeding-diary.csv', contentType: 'text/csv', text: DIARY },
] as const

const addFiles = async (database: Database, schoolId: string, files: Files, memberId: string): Promise<string[]> => {
  const school = await getSchool(database.shared, schoolId)
  const ids: string[] = []
  for (const { text, ...file } of FILES)
    ids.push(
      await addFile({ database, school, files }, { ...file, memberId, purpose: 'product', bytes: Buffer.from(text) }),
    )
  return ids
}

/**
 * Adds products to a school without any: a workbook on sale, with two files where there is a store for them, the draft of
 * a calendar, and a guide that is not sold any more. Some of the people have the workbook as a gift.
 */
export const createDemoProducts = async (
  database: Database,
  schoolId: string,
  { files, pictures }: { readonly files: Files | undefined; readonly pictures: DemoMedia['pictures'] | undefined },
): Promise<void> => {
  const ada = await database.statements(schoolId, db => findMemberId(db, schoolId, people.ada.email))
  if (ada === undefined || (await database.statements(schoolId, db => hasRows(db, schoolId, 'digital_products'))))
    return
  const fileIds = files === undefined ? [] : await addFiles(database, schoolId, files, ada)
  await database.transaction(schoolId, async (db, now) => {
    const where = { db, school: await getSchool(db, schoolId), now }
    const workbook = await addProduct(where, {
      name: 'Sourdough workbook',
      subtitle: 'Recipes, and a diary for your starter',
      description: 'What we bake every week, and a table in which you note how your starter is doing.',
      tags: ['sourdough', 'to print'],
      download_limit: 5,
      image_file_id: pictures?.workbook ?? null,
      license_text: 'Print it for yourself and for those who bake with you.',
    })
    const price = { payment_type: 'one_time', amount: 900 } as const
    await addProductPrice({ db, schoolId, now }, { id: workbook, primary_price_id: null }, price)
    await storeFiles(where, workbook, { files: fileIds.map(id => ({ file_id: id })) })
    await productStatus.store(db, schoolId, workbook, { status: 'published' })
    await addProduct(
      { ...where, now: new Date(now.getTime() + 1) },
      { name: 'Baking calendar', tags: ['to print'], image_file_id: pictures?.calendar ?? null },
    )
    const guide = await addProduct({ ...where, now: new Date(now.getTime() + 2) }, { name: 'Flour guide' })
    for (const status of ['published', 'archived'] as const) await productStatus.store(db, schoolId, guide, { status })
    for (const { email } of [people.ada, people.ben, people.carla, people.dev, people.eli]) {
      const memberId = await findMemberId(db, schoolId, email)
      const named = { type: 'digital_product', id: workbook } as const
      if (memberId !== undefined) await entitleAll(where, [{ memberId, named, source: 'gift' }])
    }
  })
}
