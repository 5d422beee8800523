import { readFileSync } from 'node:fs'

// The same on every machine, whatever ran there before: `test-results/durations.json` of a whole run is copied here now and then.
const RECORDED = new URL('../durations.json', import.meta.url)
const UNKNOWN = 20_000

type Part = { readonly files: string[]; milliseconds: number }

const shortest = (parts: readonly Part[]): Part =>
  parts.reduce((least, part) => (part.milliseconds < least.milliseconds ? part : least))

/** Divides files into parts that take about as long as each other, by the milliseconds that each is known to take. */
export const divide = (
  files: readonly string[],
  count: number,
  milliseconds: Readonly<Record<string, number>>,
): readonly (readonly string[])[] => {
  const parts: Part[] = Array.from({ length: count }, () => ({ files: [], milliseconds: 0 }))
  const known = (file: string): number => milliseconds[file] ?? UNKNOWN
  for (const file of files.toSorted((a, b) => known(b) - known(a) || (a < b ? -1 : 1))) {
    const part = shortest(parts)
    part.files.push(file)
    part.milliseconds += known(file)
  }
  return parts.map(part => part.files.toSorted())
}

/** Returns the files of a part that is named as `2/5`; throws where there is no such part. */
export const filesOfPart = (files: readonly string[], name: string): readonly string[] => {
  const [, part, count] = /^([1-9]\d*)\/([1-9]\d?)$/.exec(name) ?? []
  const parts = count === undefined ? [] : divide(files, Number(count), JSON.parse(readFileSync(RECORDED, 'utf8')))
  const chosen = parts[Number(part) - 1] ?? []
  if (chosen.length === 0) throw new Error(`there is no part ${name}; --part is for example 2/5`)
  return chosen
}
