import { Worker } from 'node:worker_threads'
import type { Printed, Sheet } from '#src/contract/print.ts'
import type { Answer } from './thread.ts'

/** A thread that prints one sheet after the other; it starts with the first one and ends after some idle time. */
type PdfWorker = { print(sheet: Sheet): Promise<Printed>; stop(): Promise<void> }

const IDLE_MS = 30_000
const MEGABYTES = 256

/** The error of a sheet that took too long. */
export const TOO_SLOW = 'a sheet took too long to print'

const settle = (answer: Answer): Printed => {
  if ('error' in answer) throw new Error(`a sheet was not printed: ${answer.error}`)
  return 'pdf' in answer ? { pdf: Buffer.from(answer.pdf) } : answer
}

const ask = (worker: Worker, sheet: Sheet, patienceMs: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      worker.off('message', done).off('error', failed).off('exit', left)
    }
    const done = (answer: Answer): void => {
      end()
      resolve(answer)
    }
    const failed = (error: unknown): void => {
      end()
      reject(error)
    }
    const left = (): void => failed(new Error('the thread that prints has ended'))
    const timer = setTimeout(() => failed(new Error(TOO_SLOW)), patienceMs)
    worker.on('message', done).on('error', failed).on('exit', left)
    worker.postMessage(sheet)
  })

/** Creates a worker with a time limit for each sheet. */
export const startPdfWorker = (patienceMs: number): PdfWorker => {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  const stop = async (): Promise<void> => {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }
  const start = (): Worker => {
    const started = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    })
    started.unref()
    return started
  }
  return {
    stop,
    print: async sheet => {
      clearTimeout(idle)
      worker ??= start()
      try {
        return settle(await ask(worker, sheet, patienceMs))
      } catch (error) {
        await stop()
        throw error
      } finally {
        idle = setTimeout(() => void stop(), IDLE_MS).unref()
      }
    },
  }
}
