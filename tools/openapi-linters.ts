import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

// Redocly says whether a description is well-formed and complete, Spectral whether it follows the rules of OWASP. The rules are in
// tools/openapi; nothing is sent anywhere, and no newer version is looked for.

const requireHere = createRequire(import.meta.url)
const rules = (name: string): string => join(import.meta.dirname, 'openapi', name)
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', SCARF_ANALYTICS: 'false' }

/** What a linter found in a file. */
export type Linted = { readonly passes: boolean; readonly output: string }

const resolveBin = (name: string, command: string): string => {
  const manifest = requireHere.resolve(`${name}/package.json`)
  const { bin } = requireHere(manifest) as { bin: Readonly<Record<string, string>> }
  return join(dirname(manifest), bin[command] ?? '')
}

const run = async (args: readonly string[]): Promise<Linted> => {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...QUIET } })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { passes: code === 0, output: `${out}${err}` }
}

/** Checks a description with all rules of Redocly. */
export const redocly = (file: string): Promise<Linted> =>
  run([resolveBin('@redocly/cli', 'redocly'), 'lint', '--config', rules('redocly.yaml'), '--format=stylish', file])

/** Checks a description with a set of rules for Spectral. */
export const spectral = (file: string, ruleset: 'spectral.yaml' | 'spectral-requests.yaml'): Promise<Linted> =>
  run([
    resolveBin('@stoplight/spectral-cli', 'spectral'),
    'lint',
    '--ruleset',
    rules(ruleset),
    '--fail-severity=hint',
    file,
  ])
