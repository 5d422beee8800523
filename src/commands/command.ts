import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '#src/config.ts'

/** What a command gets: the settings, its arguments, and where to write what a person or a program reads. */
export type Run = {
  readonly config: Config
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  /** Writes one result: sentences for a person, or the value itself with --json. */
  tell(value: unknown, sentences: string): void
  /** Writes a line about progress; silent with --json. */
  progress(line: string): void
}

/** One command of the executable. */
export type Command = {
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly options: ParseArgsOptionsConfig
  run(run: Run): Promise<void>
}

/**
 * What a process ends with besides 0, in the numbers of sysexits.h where it has one: a failure, one that a later start
 * may not meet (EX_TEMPFAIL), and one that every start meets until a person acts (EX_CONFIG).
 */
export const exitCodes = { failed: 1, tryLater: 75, needsPerson: 78 } as const

/** A failure a person can mend; its message is the one line they read. */
export class Failed extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The value of a text option. */
export const textOption = (run: Run, name: string): string | undefined => {
  const value = run.options[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The values of a text option that may repeat. */
export const textOptions = (run: Run, name: string): string[] => {
  const value = run.options[name]
  return Array.isArray(value) ? value.filter(item => typeof item === 'string' && item !== '') : []
}
