import type { Static } from 'typebox'
import { PaymentProvider, PaymentProviders } from '#src/areas/school/index.ts'
import { areas } from '#src/areas.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { CallAsOperator, OperatorAtSchool } from '#src/contract/page-call.ts'
import { findDeclaredProvider, isKnownProvider, listDeclaredProviders } from '#src/contract/payment-providers.ts'
import { asOperator } from './as-operator.ts'
import { chooseSchool } from './choose-school.ts'
import { Failed, type Input, type Run, textOption } from './command.ts'
import { withInstallation } from './installation.ts'

const MAX_INPUT = 10_000

type ProviderView = Encoded<Static<typeof PaymentProvider>>

const parseName = (run: Run): string => {
  const [, name, ...more] = run.positionals
  if (name === undefined) throw new Failed(`name a provider; usage: ${run.usage}`)
  if (more.length > 0)
    throw new Failed('secrets are read from standard input, since everybody on this computer can see arguments')
  return name
}

const parseKnown = (run: Run): string => {
  const name = parseName(run)
  const known = ['manual', ...listDeclaredProviders().map(one => one.name)]
  if (!isKnownProvider(name)) throw new Failed(`name one of ${known.join(', ')}; usage: ${run.usage}`)
  return name
}

const readInput = async (input: Input): Promise<string> => {
  if (input.isTTY)
    throw new Failed(
      'what is set is read from standard input: stoa payments set NAME < FILE, with name=value on each line',
    )
  let text = ''
  for await (const chunk of input) {
    text += chunk
    if (text.length > MAX_INPUT) throw new Failed('standard input is too long; it has one secret on each line')
  }
  return text
}

// No error repeats a line, since what is not of a name may be a secret.
const readValues = async (input: Input, names: readonly string[]): Promise<Record<string, string>> => {
  const lines = (await readInput(input)).split('\n').map(line => line.trim())
  const values: Record<string, string> = {}
  for (const line of lines.filter(line => line !== '')) {
    const name = names.find(one => line.startsWith(`${one}=`))
    if (name === undefined)
      throw new Failed(`a line of standard input does not begin with ${names.map(one => `${one}=`).join(' or ')}`)
    if (name in values) throw new Failed(`standard input has two lines for ${name}`)
    values[name] = line.slice(name.length + 1).trim()
  }
  return values
}

const NOT_TOLD = { account_holder: null, iban: null, text: null }

// What buyers are told who pay by bank transfer, or the secrets of a provider that has some.
const readBody = async (run: Run, provider: string) => {
  if (provider === 'manual') {
    const told = await readValues(run.input(), Object.keys(NOT_TOLD))
    return Object.keys(told).length === 0 ? {} : { instructions: { ...NOT_TOLD, ...told } }
  }
  const names = (findDeclaredProvider(provider)?.secrets ?? []).map(({ name }) => name)
  return names.length === 0 ? {} : { secrets: await readValues(run.input(), names) }
}

const described = ({ name, mode, use, secrets }: ProviderView): string =>
  [
    name,
    ...(mode === null ? [] : [`${mode} mode`]),
    ...(use === 'everything' ? [] : [`used for ${use}`]),
    ...secrets.map(secret => `${secret.name} …${secret.last4}`),
  ].join(', ')

const formatFinding = ({ level, text, how }: NonNullable<ProviderView['check']>['findings'][number]): string =>
  `${level}: ${[text.en, ...(how === null ? [] : [how.en])].join(' ')}`

/** What a verb does, as the operator of one school. */
type Verb = (run: Run, performAs: CallAsOperator, at: OperatorAtSchool) => Promise<void>

const set: Verb = async (run, performAs, at) => {
  const provider = parseKnown(run)
  const body = await readBody(run, provider)
  const call = { operation: 'setPaymentProvider', params: { provider }, body, returns: PaymentProvider }
  const stored = await performAs(at, call)
  run.tell(stored, `Payments of ${at.school.baseUrl}: ${described(stored)}`)
}

const check: Verb = async (run, performAs, at) => {
  const provider = parseName(run)
  const call = { operation: 'checkPaymentProvider', params: { provider }, body: {}, returns: PaymentProvider }
  const checked = await performAs(at, call)
  const lines = (checked.check?.findings ?? []).map(formatFinding)
  run.tell(checked, lines.join('\n') || `The check of ${provider} found nothing to do.`)
}

const connect: Verb = async (run, performAs, at) => {
  const provider = parseName(run)
  const call = { operation: 'connectPaymentProvider', params: { provider }, returns: PaymentProvider }
  const connected = await performAs(at, call)
  run.tell(connected, `Payments of ${at.school.baseUrl}: ${provider} reports to ${connected.webhook?.url}`)
}

const use: Verb = async (run, performAs, at) => {
  const wanted = textOption(run, 'for')
  const provider = parseName(run)
  if (wanted === undefined) throw new Failed('say what it is used for: --for everything, renewals or nothing')
  const body = { use: wanted }
  const call = { operation: 'setProviderUse', params: { provider }, body, returns: PaymentProvider }
  const stored = await performAs(at, call)
  run.tell(stored, `Payments of ${at.school.baseUrl}: ${described(stored)}`)
}

const remove: Verb = async (run, performAs, at) => {
  const provider = parseName(run)
  const body = run.options['all-the-same'] === true ? { name: provider } : {}
  await performAs(at, { operation: 'removePaymentProvider', params: { provider }, body })
  run.tell({ removed: provider }, `Payments of ${at.school.baseUrl}: ${provider} was removed`)
}

const show: Verb = async (run, performAs, at) => {
  const { data } = await performAs(at, { operation: 'getPaymentProviders', returns: PaymentProviders })
  run.tell(data, data.map(described).join('\n') || 'There is no payment provider.')
}

const verbs: Readonly<Record<string, Verb>> = { set, check, connect, use, remove, show }

/** Sets, checks, connects, removes or shows the payment providers of a school, as the arguments say. */
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
