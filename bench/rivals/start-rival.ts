import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A rival in a process of its own. */
export type Rival = { readonly port: number; readonly pid: number; readonly child: ChildProcess; stop(): void }

/** Starts a rival of this folder, which gets its settings as a message and replies with its port. */
export const startRival = async (file: `${string}.ts`, settings: object): Promise<Rival> => {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [] })
  child.send(settings)
  const port = await Promise.race([
    once(child, 'message').then(([message]) => Number(message)),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} did not start`))),
  ])
  return { port, pid: child.pid ?? 0, child, stop: () => child.disconnect() }
}
