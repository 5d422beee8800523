import type { ArchiveFile } from '../../archive/contents.ts'
import { walkXml } from '../../xml.ts'
import { MAX_COLUMNS } from '../cells.ts'
import { TableError } from '../table.ts'

const MAX_MERGES = 100_000
const MARK = 'mergeCell'

/** The columns, from 0, and the last rows of merged cells of several rows, by the first row. */
export type Merges = ReadonlyMap<number, readonly { readonly place: number; readonly last: number }[]>

/** The place of the column of a reference such as AB12, from 0. */
export const readPlace = (reference: string): number | undefined => {
  const [, letters] = /^([A-Z]{1,3})\d*$/.exec(reference) ?? []
  if (letters === undefined) return undefined
  return Array.from(letters).reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

// Most sheets have none, and finding that out costs less than reading them.
const hasMerges = async (sheet: ArchiveFile): Promise<boolean> => {
  let end = Buffer.alloc(0)
  for await (const chunk of sheet.stream(sheet.size)) {
    const bytes = Buffer.concat([end, chunk])
    if (bytes.includes(MARK)) return true
    end = bytes.subarray(-MARK.length)
  }
  return false
}

/** Finds the merged cells of a sheet, which lists them after its rows. */
export const readMerges = async (sheet: ArchiveFile): Promise<Merges> => {
  const merges = new Map<number, { place: number; last: number }[]>()
  let count = 0
  if (!(await hasMerges(sheet))) return merges
  await walkXml(sheet.stream(sheet.size), {
    open: (name, { ref = '' }) => {
      if (name !== MARK) return
      const [first = '', last = ''] = ref.split(':').map(one => one.replace(/^[A-Z]+/, ''))
      const place = readPlace(ref.split(':')[0] ?? '')
      if (place === undefined || place >= MAX_COLUMNS || !(Number(last) > Number(first))) return
      count += 1
      if (count > MAX_MERGES) throw new TableError('too_large')
      const some = merges.get(Number(first)) ?? []
      some.push({ place, last: Number(last) })
      merges.set(Number(first), some)
    },
  })
  return merges
}

/**
 * Returns what gives the cells of a row, from its number, the values of merged cells that began in an earlier one, in the first of
 * their columns: a course that was merged over its students is that of each of them. Rows without a value stay so.
 */
export const createFilling = (merges: Merges) => {
  const open = new Map<number, { readonly last: number; readonly value: string }>()
  return (row: number, cells: (string | null)[]): void => {
    if (cells.every(cell => cell === null)) return
    for (const [place, { last, value }] of open) {
      while (cells.length <= place) cells.push(null)
      if (row > last) open.delete(place)
      else cells[place] = value
    }
    for (const { place, last } of merges.get(row) ?? []) {
      const value = cells[place] ?? null
      if (value !== null) open.set(place, { last, value })
    }
  }
}
