import type { StaffSection } from '../../section.ts'
import { chooser } from './choose.ts'
import { filePages } from './file.ts'
import { fileList } from './list.ts'

/** The library of files. */
export const library: StaffSection = { pages: [...fileList, chooser, ...filePages] }
