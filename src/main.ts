import '#src/kit/module-paths.ts'
import { isExpected, runCommand } from '#src/commands/dispatch.ts'
import { finish } from '#src/commands/finish.ts'

// The launcher's pipe must not keep a command from ending.
process.channel?.unref()

const out = (line: string): void => console.log(line)
const err = (line: string): void => console.error(line)

const input = () => process.stdin

await finish(runCommand({ args: process.argv.slice(2), input, out, err }), isExpected)
