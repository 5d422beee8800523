import { Worker } from 'node:worker_threads'
import type { Document, Printed, Sheet } from '#src/contract/print.ts'
import { Refusal } from '#src/contract/problem.ts'
import { tooLarge } from './document/bounds.ts'
import type { Answer } from './thread.ts'

/** A thread that prints one sheet or document after the other; it starts with the first and ends after some idle time. */
type PdfWorker = { print(content: Sheet | Document): Promise<Printed>; stop(): Promise<void> }

const IDLE_MS = 30_000
const MEGABYTES = 256

/** The error of a sheet or document that took too long. */
export const TOO_SLOW = 'a sheet took too long to print'

const settle = (answer: Answer): Printed => {
  if ('error' in answer) throw new Error(`a sheet was not printed: ${answer.error}`)
  if ('isTooLarge' in answer) throw tooLarge('pages')
  return 'pdf' in answer ? { pdf: Buffer.from(answer.pdf) } : answer
}

const ask = (worker: Worker, content: Sheet | Document, patienceMs: number): Promise<Answer> =>
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
    worker.postMessage(content)
  })

/** Creates a worker with a time limit for each sheet or document. */
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
    print: async content => {
      clearTimeout(idle)
      worker ??= start()
      try {
        return settle(await ask(worker, content, patienceMs))
      } catch (error) {
        if (!(error instanceof Refusal)) await stop()
        throw error
      } finally {
        idle = setTimeout(() => void stop(), IDLE_MS).unref()
      }
    },
  }
}
