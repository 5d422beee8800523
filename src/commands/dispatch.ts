import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { BadSetting, configFromEnvironment } from '#src/config.ts'
import { type Command, Failed, type Input, type Run } from './command.ts'

// Loaded by name, so that a command does not load the others.
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrate,
  seed: async () => (await import('./seed.ts')).seed,
  doctor: async () => (await import('./doctor.ts')).doctor,
  schools: async () => (await import('./schools.ts')).schools,
  forms: async () => (await import('./forms.ts')).forms,
  integrations: async () => (await import('./integrations.ts')).integrations,
  import: async () => (await import('./imports.ts')).imports,
  members: async () => (await import('./members.ts')).members,
  comments: async () => (await import('./comments.ts')).comments,
  keys: async () => (await import('./keys.ts')).keys,
  orders: async () => (await import('./orders.ts')).orders,
  payments: async () => (await import('./payments.ts')).payments,
  webhooks: async () => (await import('./webhooks.ts')).webhooks,
  tokens: async () => (await import('./tokens.ts')).tokens,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
}

const help = async (): Promise<string> => {
  const all = await Promise.all(Object.values(commands).map(load => load()))
  const lines = all.map(({ usage, summary }) => `  ${usage}\n      ${summary}`)
  return [
    'Stoa, a school platform.',
    '',
    ...lines,
    '',
    'Every command takes --json and --help. Settings come from the environment; stoa doctor shows them.',
  ].join('\n')
}

const everyCommand = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig

const parse = (args: readonly string[], command: Command) => {
  try {
    return parseArgs({
      args: [...args],
      options: { ...command.options, ...everyCommand },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw new Failed(`${error instanceof Error ? error.message : error}; usage: ${command.usage}`)
  }
}

const createRun = (
  { env, input, out, err }: Start,
  { usage }: Command,
  { json = false, positionals, options }: { json?: boolean; positionals: readonly string[]; options: Run['options'] },
): Run => ({
  config: configFromEnvironment(env),
  usage,
  positionals,
  options,
  input,
  tell: (value, sentences) => out(json ? JSON.stringify(value) : sentences),
  progress: line => {
    if (!json) err(line)
  },
})

/** The arguments, settings and input of a start, and what writes a line of its result or about its progress. */
type Start = {
  readonly args: readonly string[]
  /** Unset: the environment of the process. */
  readonly env?: NodeJS.ProcessEnv
  input(): Input
  out(line: string): void
  err(line: string): void
}

/** Whether an error of a command is one that its operator can fix, and is shown in one line. */
export const isExpected = (error: unknown): boolean => error instanceof Failed || error instanceof BadSetting

/** Runs the command that the arguments name; throws why it failed. */
export const runCommand = async (start: Start): Promise<void> => {
  const [name, ...args] = start.args
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return start.out(await help())
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load === undefined) throw new Failed(`there is no command ${name}; stoa --help lists them`)
  const command = await load()
  const { values, positionals } = parse(args, command)
  if (values.help === true) return start.out(`${command.usage}\n\n${command.summary}`)
  const options = values as Run['options']
  await command.run(createRun(start, command, { json: values.json === true, positionals, options }))
}
