// Nothing can settle the command any more, and Node would end with code 0.
const unfinished = (): void => {
  console.error('stoa: the command ended before it was done; please report this')
  process.exit(1)
}

const chooseExitCode = (error: unknown): number =>
  error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number' ? error.exitCode : 1

/** Waits for a command and ends the process with 1, or the failure's own code; expected failures are one line. */
export const finish = async (command: Promise<void>, isExpected: (error: unknown) => boolean): Promise<void> => {
  process.once('beforeExit', unfinished)
  try {
    await command
  } catch (error) {
    console.error(isExpected(error) && error instanceof Error ? `stoa: ${error.message}` : error)
    process.exitCode = chooseExitCode(error)
  }
  process.off('beforeExit', unfinished)
}
