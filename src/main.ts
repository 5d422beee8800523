import '#src/kit/module-paths.ts'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Command, Failed, type Run } from '#src/commands/command.ts'
import { finish } from '#src/commands/finish.ts'
import { BadSetting, configFromEnvironment } from '#src/config.ts'

// Loaded by name, so that a command does not load the others.
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('#src/commands/serve.ts')).serve,
  migrate: async () => (await import('#src/commands/migrate.ts')).migrate,
  seed: async () => (await import('#src/commands/seed.ts')).seed,
  doctor: async () => (await import('#src/commands/doctor.ts')).doctor,
  schools: async () => (await import('#src/commands/schools.ts')).schools,
  integrations: async () => (await import('#src/commands/integrations.ts')).integrations,
  members: async () => (await import('#src/commands/members.ts')).members,
  keys: async () => (await import('#src/commands/keys.ts')).keys,
  orders: async () => (await import('#src/commands/orders.ts')).orders,
  payments: async () => (await import('#src/commands/payments.ts')).payments,
  tokens: async () => (await import('#src/commands/tokens.ts')).tokens,
  backup: async () => (await import('#src/commands/backup.ts')).backup,
  restore: async () => (await import('#src/commands/restore.ts')).restore,
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

const runOf = (json: boolean, positionals: readonly string[], options: Run['options']): Run => ({
  config: configFromEnvironment(),
  positionals,
  options,
  tell: (value, sentences) => console.log(json ? JSON.stringify(value) : sentences),
  progress: line => {
    if (!json) console.error(line)
  },
})

const main = async ([name, ...args]: readonly string[]): Promise<void> => {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return console.log(await help())
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load === undefined) throw new Failed(`there is no command ${name}; stoa --help lists them`)
  const command = await load()
  const { values, positionals } = parse(args, command)
  if (values.help === true) return console.log(`${command.usage}\n\n${command.summary}`)
  await command.run(runOf(values.json === true, positionals, values as Run['options']))
}

// The launcher's pipe must not keep a command from ending.
process.channel?.unref()

await finish(main(process.argv.slice(2)), error => error instanceof Failed || error instanceof BadSetting)
