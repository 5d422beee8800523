import PQueue from 'p-queue'
import type { Document, Printed, Printer, Sheet } from '#src/contract/print.ts'
import { Refusal } from '#src/contract/problem.ts'
import { unavailable } from '#src/contract/problems.ts'
import { texts } from '#src/texts/index.ts'
import { checkDocument } from './document/bounds.ts'
import { startPdfWorker, TOO_SLOW } from './pdf-worker.ts'

/** The limits of a printer. */
type PrinterLimits = {
  /** How many sheets may wait. */
  readonly waiting: number
  /** How long a sheet may wait, and how long printing it may take. */
  readonly waitMs: number
  readonly printMs: number
  /** The size of the cache of printed sheets in bytes. */
  readonly cacheBytes: number
}

const defaults: PrinterLimits = { waiting: 16, waitMs: 8000, printMs: 15_000, cacheBytes: 16_000_000 }

const busy = (): Refusal => new Refusal(unavailable, texts.print.busy, { headers: { 'retry-after': '5' } })

// A sheet that took too long may succeed later, when the machine is less busy.
const busyWhenSlow = (error: unknown): never => {
  throw error instanceof Error && error.message === TOO_SLOW ? busy() : error
}

type PrintedPdf = Extract<Printed, { readonly pdf: Buffer }>

// The most recently printed sheets, up to a number of bytes.
const createCache = (most: number) => {
  const entries = new Map<string, PrintedPdf>()
  return {
    find: (name: string): Printed | undefined => entries.get(name),
    add: (name: string, printed: PrintedPdf): void => {
      entries.set(name, printed)
      let bytes = [...entries.values()].reduce((sum, { pdf }) => sum + pdf.length, 0)
      for (const [oldest, { pdf }] of entries) {
        if (bytes <= most) return
        entries.delete(oldest)
        bytes -= pdf.length
      }
    },
  }
}

/** Creates a printer: one thread with a short queue, and a cache of the most recent sheets. */
export const createPrinter = (limits: PrinterLimits = defaults): Printer => {
  const pdfWorker = startPdfWorker(limits.printMs)
  const cache = createCache(limits.cacheBytes)
  const inProgress = new Map<string, Promise<Printed>>()
  const queue = new PQueue({ concurrency: 1 })

  const printNow = async (name: string, load: () => Promise<Sheet | Document>): Promise<Printed> => {
    if (queue.size >= limits.waiting) throw busy()
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(busy()), limits.waitMs)
    const print = async (): Promise<Printed> => {
      clearTimeout(timer)
      const content = await load()
      if ('blocks' in content) checkDocument(content)
      const printed = await pdfWorker.print(content).catch(busyWhenSlow)
      // What no font has may be printed with another one, or with other words.
      if ('pdf' in printed) cache.add(name, printed)
      return printed
    }
    return queue.add(print, { signal: waiting.signal })
  }

  return {
    stop: pdfWorker.stop,
    print: async (name, load) => {
      const cached = cache.find(name) ?? inProgress.get(name)
      if (cached !== undefined) return cached
      const printing = printNow(name, load).finally(() => inProgress.delete(name))
      inProgress.set(name, printing)
      return printing
    },
    findFont: async (text, locale) => {
      // The first to ask loads what reads fonts.
      const { findFont } = await import('./fonts.ts')
      return findFont(text, 700, locale)
    },
  }
}
