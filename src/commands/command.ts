import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '#src/config.ts'

/** The standard input, in pieces; `isTTY` when it is a terminal. */
export type Input = AsyncIterable<unknown> & { readonly isTTY?: boolean }

/** The context of a command: the settings, its arguments, and its output. */
export type Run = {
  readonly config: Config
  /** The usage of the command, for refusals. */
  readonly usage: string
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  input(): Input
  /** Writes the result: text for people, or the value itself with --json. */
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
 * The exit codes besides 0, from sysexits.h where it has one: a failure, a failure that a later start
 * may not have (EX_TEMPFAIL), and one that every start has until a person acts (EX_CONFIG).
 */
export const exitCodes = { failed: 1, tryLater: 75, needsPerson: 78 } as const

/** A failure that the operator can fix; its message is the one line that is printed. */
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
