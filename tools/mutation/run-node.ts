import { spawn } from 'node:child_process'

/** How Node runs a program of the mutation tool. */
export type RunOptions = {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Milliseconds until the program and everything that it started is killed. */
  readonly timeout: number
}

const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

// A process may leave the group or outlive this tool, and then nobody ends a loop that a mutation made endless. The limit of
// processor time is enforced by the kernel, and every process inherits it. Threads add up, so it exceeds the timeout.
const LIMITED = 'ulimit -t "$1"; shift; exec "$@"'
const processorSeconds = (timeout: number): string => String(2 * Math.ceil(timeout / 1000))

/**
 * Runs Node with these arguments in a process group of its own, and returns whether it succeeded. The group is killed at the
 * timeout, at the first failed test of a TAP report, when the program ends, and when this process ends.
 */
export const runNode = (args: readonly string[], { folder, env, timeout }: RunOptions): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const command = ['-c', LIMITED, 'sh', processorSeconds(timeout), process.execPath, ...args]
    const child = spawn('/bin/sh', command, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
    const kill = (): void => killGroup(child.pid)
    process.once('exit', kill)
    const timer = setTimeout(kill, timeout)
    let line = ''
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = (line + chunk.toString('utf8')).split('\n')
      line = lines.pop() ?? ''
      if (lines.some(each => /^\s*not ok /.test(each))) kill()
    })
    child.on('error', reject)
    // Not `close`: a process that left the group may keep the output open.
    child.on('exit', code => {
      clearTimeout(timer)
      process.off('exit', kill)
      kill()
      child.stdout.destroy()
      resolve(code === 0)
    })
  })
