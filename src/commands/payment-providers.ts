import type { Static } from 'typebox'
import {
  findSecretKind,
  PaymentProvider,
  PaymentProviders,
  type ProviderName,
  providerNames,
} from '#src/areas/school/index.ts'
import { areas } from '#src/areas.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { CallAsOperator, OperatorAtSchool } from '#src/contract/page-call.ts'
import { asOperator } from './as-operator.ts'
import { chooseSchool } from './choose-school.ts'
import { Failed, type Input, type Run } from './command.ts'
import { withInstallation } from './installation.ts'

const MAX_INPUT = 10_000

type ProviderView = Encoded<Static<typeof PaymentProvider>>

const parseProvider = (run: Run): ProviderName => {
  const [, named, ...more] = run.positionals
  const provider = providerNames.find(name => name === named)
  if (provider === undefined) throw new Failed(`name one of ${providerNames.join(', ')}; usage: ${run.usage}`)
  if (more.length > 0)
    throw new Failed('secrets are read from standard input, since everybody on this computer can see arguments')
  return provider
}

const readInput = async (input: Input): Promise<string> => {
  if (input.isTTY)
    throw new Failed('the secrets are read from standard input: stoa payments set stripe < FILE, with one on each line')
  let text = ''
  for await (const chunk of input) {
    text += chunk
    if (text.length > MAX_INPUT) throw new Failed('standard input is too long; it has one secret on each line')
  }
  return text
}

// The beginning of each secret says which it is.
const readSecrets = async (input: Input): Promise<Record<string, string>> => {
  const lines = (await readInput(input)).split('\n').map(line => line.trim())
  const secrets: Record<string, string> = {}
  for (const line of lines.filter(line => line !== '')) {
    const name = findSecretKind(line)
    if (name === undefined) throw new Failed('a line of standard input is not sk_…, rk_… or whsec_…')
    if (name in secrets) throw new Failed(`standard input has two lines for ${name}`)
    secrets[name] = line
  }
  return secrets
}

const described = ({ name, mode, secret_key, webhook_secret }: ProviderView): string =>
  [
    name,
    ...(mode === null ? [] : [`${mode} mode`]),
    ...(secret_key === null ? [] : [`secret key …${secret_key.last4}`]),
    ...(webhook_secret === null ? [] : [`webhook secret …${webhook_secret.last4}`]),
  ].join(', ')

/** What a verb does, as the operator of one school. */
type Verb = (run: Run, performAs: CallAsOperator, at: OperatorAtSchool) => Promise<void>

const set: Verb = async (run, performAs, at) => {
  const provider = parseProvider(run)
  const body = provider === 'stripe' ? await readSecrets(run.input()) : {}
  const call = { operation: 'setPaymentProvider', params: { provider }, body, returns: PaymentProvider }
  const stored = await performAs(at, call)
  run.tell(stored, `Payments of ${at.school.baseUrl}: ${described(stored)}`)
}

const remove: Verb = async (run, performAs, at) => {
  const provider = parseProvider(run)
  await performAs(at, { operation: 'removePaymentProvider', params: { provider } })
  run.tell({ removed: provider }, `Payments of ${at.school.baseUrl}: ${provider} was removed`)
}

const show: Verb = async (run, performAs, at) => {
  const { data } = await performAs(at, { operation: 'getPaymentProviders', returns: PaymentProviders })
  run.tell(data, data.map(described).join('\n') || 'There is no payment provider.')
}

const verbs: Readonly<Record<string, Verb>> = { set, remove, show }

/** Sets, removes or shows the payment providers of a school, as the arguments say. */
export const runPayments = async (run: Run): Promise<void> => {
  const [name = ''] = run.positionals
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb === undefined) throw new Failed(`usage: ${run.usage}`)
  await withInstallation(run.config, run.progress, async installation => {
    const { database, secret } = installation
    const school = await chooseSchool(run, installation)
    const parts = { database, secret, storage: run.config.storage, school, areas }
    await asOperator(parts, (performAs, at) => verb(run, performAs, at))
  })
}
