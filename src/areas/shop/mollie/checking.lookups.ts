import type { Checked, CheckInput, Finding } from '#src/contract/payments.ts'
import { texts } from '#src/texts/index.ts'
import type { Api } from './requests.writes.ts'
import { chooseMethods, currencies } from './rules.ts'
import { MethodList, Profile } from './schema.ts'

const words = texts.shop.mollie.findings

type Code =
  | 'key_invalid'
  | 'key_mode'
  | 'account_not_ready'
  | 'no_methods'
  | 'no_method_saves'
  | 'currency_not_supported'
  | 'clock_differs'

const levels: Readonly<Record<Code, Finding['level']>> = {
  key_invalid: 'missing',
  key_mode: 'missing',
  account_not_ready: 'missing',
  no_methods: 'missing',
  no_method_saves: 'warning',
  currency_not_supported: 'missing',
  clock_differs: 'warning',
}

const buildFinding = (code: Code): Finding => ({ code, level: levels[code], ...words[code] })

const isUnauthorized = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'status') === 401

const hasMethods = async (api: Api, sequenceType: 'oneoff' | 'first'): Promise<boolean> => {
  const { methods } = (await api.get(MethodList, `/methods?sequenceType=${sequenceType}`))._embedded
  const ids = methods.map(({ id }) => id)
  return chooseMethods(ids, { isSetup: false, delays: 'allowed' }).length > 0
}

/** Checks the key of a school and what its account offers; changes nothing there. */
export const checkAccount = async (api: Api, { currency, mode }: CheckInput): Promise<Checked> => {
  const profile = await api.get(Profile, '/profiles/me').catch((error: unknown) => {
    if (isUnauthorized(error)) return undefined
    throw error
  })
  if (profile === undefined) return { account: null, findings: [buildFinding('key_invalid')] }
  const { id, name, status } = profile
  const [pays, saves] = await Promise.all([hasMethods(api, 'oneoff'), hasMethods(api, 'first')])
  // Whoever tries payments out does so before the account is verified.
  const isReady = status === 'verified' || (mode === 'test' && status !== 'blocked')
  const codes: readonly (Code | false)[] = [
    profile.mode !== mode && 'key_mode',
    !isReady && 'account_not_ready',
    !pays && 'no_methods',
    pays && !saves && 'no_method_saves',
    !currencies.has(currency) && 'currency_not_supported',
    api.clockDiffers() && 'clock_differs',
  ]
  const found = codes.filter(code => code !== false)
  return { account: { id, name, country: null }, findings: found.map(buildFinding) }
}
