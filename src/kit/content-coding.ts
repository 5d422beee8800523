/** The codings of content that responses have, in the order of preference among equals. */
const codings = ['br', 'gzip'] as const

/** A coding of content (RFC 9110 §8.4.1). */
export type Coding = (typeof codings)[number]

/** What a coding adds to the ETag of a response, inside its quotes. */
const suffixes: Readonly<Record<Coding, string>> = { br: '-br', gzip: '-gz' }

const MEMBER = /^([!#$%&'*+.^_`|~\w-]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i
// RFC 9110 §8.4.1.3: the same as gzip.
const normalizeName = (name: string): string => (name === 'x-gzip' ? 'gzip' : name)

// What is not written as the norm says is not accepted.
const parseWeights = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(',').flatMap(part => {
      const [, name, weight = '1'] = MEMBER.exec(part.trim()) ?? []
      return name === undefined ? [] : [[normalizeName(name.toLowerCase()), Number(weight)] as const]
    }),
  )

/** The coding that a request prefers, and whether it refuses content without one. */
type Preference = { readonly coding: Coding | undefined; readonly refusesPlain: boolean }

const NONE: Preference = { coding: undefined, refusesPlain: false }

/**
 * The preference of an `Accept-Encoding` header (RFC 9110 §12.5.3). Without the header, or where it accepts none of our codings,
 * content has no coding.
 */
export const parsePreference = (header: string | undefined): Preference => {
  if (header === undefined) return NONE
  const weights = parseWeights(header)
  const others = weights.get('*')
  const plain = weights.get('identity') ?? (others === 0 ? 0 : undefined)
  const getWeight = (coding: Coding): number => weights.get(coding) ?? others ?? 0
  const best = codings.reduce((one, other) => (getWeight(other) > getWeight(one) ? other : one))
  const isBetter = getWeight(best) > 0 && getWeight(best) >= (plain ?? 0)
  return isBetter ? { coding: best, refusesPlain: plain === 0 } : NONE
}

/** The ETag of content in a coding. */
export const codedEtag = (etag: string, coding: Coding): string =>
  etag.endsWith('"') ? `${etag.slice(0, -1)}${suffixes[coding]}"` : etag

/** The ETags by which a client may know content, without a coding and in each. */
export const listEtags = (etag: string): readonly string[] => [etag, ...codings.map(coding => codedEtag(etag, coding))]
