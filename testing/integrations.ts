import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { type Command, Failed } from '#src/commands/command.ts'
import { integrations } from '#src/commands/integrations.ts'
import { readConfig } from '#src/config.ts'
import type { TestApp } from './app.ts'
import { type Ran, stoa } from './stoa.ts'

/** A pre-registered client as its operator sees it. */
export type Integration = { readonly client_id: string; readonly client_secret?: string; readonly issuer: string }

const settings = (app: TestApp) => ({
  STOA_DATABASE_URL: app.database.appUrl,
  STOA_SECRET: app.secret,
  STOA_DATABASE_WAIT: '10000',
})

/** Runs `stoa integrations …` on a test's installation in its own process, as an operator does. */
export const integrationsProcess = (app: TestApp, args: readonly string[], school = app.a): Promise<Ran> =>
  stoa(['integrations', ...args, '--school', school.baseUrl], settings(app))

/** Runs the same command in this process, which is much faster; its output is JSON. */
export const integrationsHere = (app: TestApp, args: readonly string[], school = app.a): Promise<Ran> =>
  commandHere(app, integrations, [...args, '--school', school.baseUrl])

/** Runs a command on a test's installation in this process; its output is JSON. */
export const commandHere = async (app: TestApp, command: Command, args: readonly string[]): Promise<Ran> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: command.options,
    allowPositionals: true,
  })
  let out = ''
  const run = {
    config: readConfig(settings(app)),
    usage: command.usage,
    positionals,
    options: values,
    input: () => Readable.from([]),
    tell: (value: unknown) => {
      out = JSON.stringify(value)
    },
    progress: () => undefined,
  }
  try {
    await command.run(run)
    return { code: 0, out, err: '' }
  } catch (error) {
    if (error instanceof Failed) return { code: 1, out, err: error.message }
    throw error
  }
}

/** Runs the command here and returns its output; throws its error message. */
export const integrationsJson = async <T>(app: TestApp, args: readonly string[], school = app.a): Promise<T> => {
  const { code, out, err } = await integrationsHere(app, args, school)
  if (code !== 0) throw new Error(err)
  return JSON.parse(out) as T
}

/** Registers a client through the command. */
export const arrange = (app: TestApp, args: readonly string[]): Promise<Integration> =>
  integrationsJson<Integration>(app, ['create', ...args])
