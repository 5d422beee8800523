import { readFile } from 'node:fs/promises'
import { addFile } from '#src/areas/files/index.ts'
import type { Database } from '#src/contract/db.ts'
import type { Files } from '#src/contract/store.ts'
import { getSchool } from '#src/db/schools.ts'

// Drawn by tools/demo-pictures.ts.
const COURSES = ['sourdough', 'first-loaf', 'starter', 'baguettes', 'croissants'] as const

// What each of the others is for.
const OTHERS = { logo: 'appearance', kitchen: 'page', workbook: 'product' } as const

/** The pictures of the demo courses, its logo, and those of its home page and its product, as ids of rows. */
export type DemoPictures = Readonly<Record<(typeof COURSES)[number] | keyof typeof OTHERS, string>>

const readBytes = (name: string): Promise<Buffer> => readFile(new URL(`./pictures/${name}.webp`, import.meta.url))

/** Stores the pictures of the demo as files of its owner. */
export const addDemoPictures = async (
  database: Database,
  schoolId: string,
  { files, ownerId: memberId }: { readonly files: Files; readonly ownerId: string },
): Promise<DemoPictures> => {
  const school = await getSchool(database.shared, schoolId)
  const add = async (name: string, purpose: 'course' | (typeof OTHERS)[keyof typeof OTHERS]) => {
    const file = { memberId, purpose, filename: `${name}.webp`, contentType: 'image/webp' }
    return [name, await addFile({ database, school, files }, { ...file, bytes: await readBytes(name) })] as const
  }
  const stored = []
  for (const name of COURSES) stored.push(await add(name, 'course'))
  for (const [name, purpose] of Object.entries(OTHERS)) stored.push(await add(name, purpose))
  return Object.fromEntries(stored) as DemoPictures
}
