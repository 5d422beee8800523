import type { StaffSection } from '../../section.ts'
import { createImport } from './create.ts'
import { importList } from './list.ts'
import { oneImport } from './one.ts'

/** The imports of people, and of what they learn. */
export const imports: StaffSection = { pages: [importList, ...createImport, ...oneImport] }
