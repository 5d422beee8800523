import { readDate, showDate } from './dates.rules.ts'
import { formats, type ValueType } from './fields.rules.ts'
import { readNumber, readPercent } from './numbers.rules.ts'

/** How a cell is read by one format, for people who choose between several. */
type Sample = { readonly text: string; readonly read: string }

/** A format that may be meant, with cells that other formats read differently; three at most. */
type PossibleFormat = { readonly format: string; readonly samples: readonly Sample[] }

/** What the cells of a column say of its format. */
export type Evidence = {
  add(text: string): void
  /** How many cells any format reads. */
  readonly readable: number
  /** The format; undefined where no cell is read, or where several formats may be meant. */
  readonly format: string | undefined
  /** The formats that may be meant; none where one is certain. */
  readonly possible: readonly PossibleFormat[]
}

const showNumber = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value))

const readers: Readonly<Partial<Record<ValueType, (text: string, format: string) => string | undefined>>> = {
  date: (text, format) => {
    const date = readDate(text, format)
    return date && showDate(date)
  },
  number: (text, format) => showNumber(readNumber(text, format)),
  percent: (text, format) => {
    const value = readPercent(text, format)
    return value === undefined ? undefined : `${value} %`
  },
}

const MAX_SAMPLES = 3

/** Whether a type has formats between which cells decide. */
export const hasEvidence = (type: ValueType): boolean => readers[type] !== undefined

/**
 * Collects what the cells of a column say of its format. The format is certain if no other one reads all that it reads and more, or
 * reads a cell differently that it reads too: a day of 25 excludes that days come second, and 4/4 excludes nothing.
 */
export const createEvidence = (type: ValueType): Evidence => {
  const names = formats[type] ?? []
  const read = readers[type]
  const counts = new Map<string, number>()
  const [alone, differing] = [new Set<string>(), new Set<string>()]
  const samples = new Map<string, readonly (readonly [string, string])[]>()
  let [readable, hasDecimals] = [0, false]

  const compare = (text: string, readings: readonly (readonly [string, string])[]): void => {
    const found = new Map(readings)
    for (const [one, reading] of readings)
      for (const other of names) {
        const theirs = found.get(other)
        if (theirs === undefined) alone.add(`${one} ${other}`)
        else if (theirs !== reading) differing.add(`${one} ${other}`)
      }
    if (samples.size < MAX_SAMPLES && new Set(found.values()).size > 1) samples.set(text, readings)
  }

  const isBeaten = (one: string): boolean =>
    names.some(other => alone.has(`${other} ${one}`) && !alone.has(`${one} ${other}`) && counts.has(other))

  const listPossible = (): readonly string[] => {
    const left = names.filter(one => counts.has(one) && !isBeaten(one))
    // Parts of 1 have decimals, and nothing above 1.
    if (type === 'percent' && hasDecimals && left.includes('fraction')) return []
    return left.filter(one => left.some(other => differing.has(`${one} ${other}`)))
  }

  const findFormat = (): string | undefined => {
    if (listPossible().length > 0) return undefined
    const left = names.filter(one => counts.has(one) && !isBeaten(one))
    if (type === 'percent' && hasDecimals && left.includes('fraction')) return 'fraction'
    return [...left].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0]
  }

  const listSamples = (format: string): Sample[] =>
    [...samples].flatMap(([text, readings]) =>
      readings.flatMap(([name, reading]) => (name === format ? [{ text, read: reading }] : [])),
    )

  return {
    add: text => {
      const readings = names.flatMap(format => {
        const reading = read?.(text, format)
        return reading === undefined ? [] : [[format, reading] as const]
      })
      if (readings.length > 0) readable += 1
      for (const [format] of readings) counts.set(format, (counts.get(format) ?? 0) + 1)
      hasDecimals ||= /\d[.,]\d/.test(text)
      compare(text, readings)
    },
    get readable() {
      return readable
    },
    get format() {
      return findFormat()
    },
    get possible() {
      return listPossible().map(format => ({ format, samples: listSamples(format) }))
    },
  }
}
