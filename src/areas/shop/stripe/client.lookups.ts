import type Stripe from 'stripe'

/** The version of the API that the types of the package describe. */
export const API_VERSION = '2026-10-28.endive'

/** The account of a school, and the origin of the API. */
export type Account = {
  readonly secretKey: string
  readonly webhookSecret: string | undefined
  readonly origin: string
  /** Where a bank may lead the buyer back to. */
  readonly returnUrl: string
}

/** A client for one call of the port, and the options of each of its requests: a key, and what is left of the time. */
export type Client = {
  readonly stripe: Stripe
  options(key?: string): { readonly timeout: number; readonly idempotencyKey?: string }
}

// A call of the port ends by itself within 20 seconds, however many requests it takes.
const CALL_MS = 19_000

/** The package, which is loaded at its first use: that takes a quarter of a second and 25 MB. */
export const loadStripe = async () => (await import('stripe')).default

/** Opens a client of the account of a school. */
export const openClient = async ({ secretKey, origin }: Account): Promise<Client> => {
  const StripeClient = await loadStripe()
  const { protocol, hostname: host, port } = new URL(origin)
  const isPlain = protocol === 'http:'
  const stripe = new StripeClient(secretKey, {
    apiVersion: API_VERSION,
    // Repeating is ours: with its key, and not before it is due.
    maxNetworkRetries: 0,
    telemetry: false,
    host,
    port: port === '' ? 443 : Number(port),
    protocol: isPlain ? 'http' : 'https',
  })
  const end = performance.now() + CALL_MS
  return {
    stripe,
    options: key => ({
      timeout: Math.max(1, Math.round(end - performance.now())),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    }),
  }
}

/** An error that Stripe answered; undefined for any other one, such as of the network. */
export const readStripeError = (error: unknown): Stripe.errors.StripeError | undefined =>
  error instanceof Error && 'rawType' in error && 'statusCode' in error
    ? (error as Stripe.errors.StripeError)
    : undefined

/** Whether the object that was asked for does not exist, or not for this key. */
export const isMissing = (error: unknown): boolean => readStripeError(error)?.code === 'resource_missing'

/** What was asked for; undefined when Stripe does not have it. */
export const unlessMissing = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Whether a request was refused for what it says, so that it had no effect and would have none again. Not for keys that were used
 * before with other parameters: then something had an effect.
 */
export const isRefused = (error: unknown): boolean => {
  const { statusCode, rawType } = readStripeError(error) ?? {}
  return (statusCode === 400 || statusCode === 404) && rawType === 'invalid_request_error'
}

/** Whether Stripe repeated the failure that it keeps for a key: the call may have had its effect, and will not be made again. */
export const isKeptFailure = (error: unknown): boolean => {
  const { statusCode = 0, headers } = readStripeError(error) ?? {}
  return statusCode >= 500 && headers?.['idempotent-replayed'] === 'true'
}
