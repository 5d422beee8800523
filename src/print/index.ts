import type { Printed, Printer, Sheet } from '#src/contract/print.ts'
import { Refusal } from '#src/contract/problem.ts'
import { unavailable } from '#src/contract/problems.ts'
import { startPdfWorker, TOO_SLOW } from './pdf-worker.ts'

/** How much a printer takes on. */
export type PrinterLimits = {
  /** Sheets that wait. */
  readonly waiting: number
  /** How long one waits at most, and how long printing one may take. */
  readonly waitMs: number
  readonly printMs: number
  /** How many bytes of what was printed are kept. */
  readonly keptBytes: number
}

const usual: PrinterLimits = { waiting: 16, waitMs: 8000, printMs: 15_000, keptBytes: 16_000_000 }

const busy = (): Refusal =>
  new Refusal(
    unavailable,
    {
      en: 'Too much is being printed now. Try again soon.',
      pt: 'Há demasiado a ser impresso agora. Tente daqui a pouco.',
    },
    { headers: { 'retry-after': '5' } },
  )

// Who printed too long for this one may find the thread less busy later.
const patiently = (error: unknown): never => {
  throw error instanceof Error && error.message === TOO_SLOW ? busy() : error
}

// What was printed last, up to so many bytes.
const keep = (most: number) => {
  const kept = new Map<string, Printed>()
  const sizeOf = (one: Printed): number => ('pdf' in one ? one.pdf.length : 100)
  return {
    find: (name: string): Printed | undefined => kept.get(name),
    add: (name: string, printed: Printed): void => {
      kept.set(name, printed)
      let bytes = [...kept.values()].reduce((sum, one) => sum + sizeOf(one), 0)
      for (const [oldest, one] of kept) {
        if (bytes <= most) return
        kept.delete(oldest)
        bytes -= sizeOf(one)
      }
    },
  }
}

/** Opens a printer: one thread, a short line before it, and a shelf for what was printed last. */
export const createPrinter = (limits: PrinterLimits = usual): Printer => {
  const press = startPdfWorker(limits.printMs)
  const shelf = keep(limits.keptBytes)
  const coming = new Map<string, Promise<Printed>>()
  const line: (() => void)[] = []
  let isPrinting = false

  // Taken at once, so that of two who come together only one is first.
  const turn = (): Promise<void> | undefined => {
    if (!isPrinting) {
      isPrinting = true
      return undefined
    }
    if (line.length >= limits.waiting) throw busy()
    return new Promise((resolve, reject) => {
      const come = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(come), 1)
        reject(busy())
      }, limits.waitMs)
      line.push(come)
    })
  }

  const printNow = async (name: string, sheet: () => Promise<Sheet>): Promise<Printed> => {
    await turn()
    try {
      const printed = await press.print(await sheet()).catch(patiently)
      shelf.add(name, printed)
      return printed
    } finally {
      const next = line.shift()
      if (next === undefined) isPrinting = false
      else next()
    }
  }

  return {
    stop: press.stop,
    print: async (name, sheet) => {
      const known = shelf.find(name) ?? coming.get(name)
      if (known !== undefined) return known
      const printing = printNow(name, sheet).finally(() => coming.delete(name))
      coming.set(name, printing)
      return printing
    },
  }
}
