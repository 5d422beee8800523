/** An embedded player: its provider and its address. */
type Embed = { readonly provider: string; readonly url: string }

type Provider = {
  readonly provider: string
  readonly hosts: readonly string[]
  /** The address of the player, where the page has one. */
  findPlayer(url: URL): string | undefined
}

const part = (url: URL, pattern: RegExp): RegExpExecArray | undefined => pattern.exec(url.pathname) ?? undefined

const youtube = (url: URL): string | undefined => {
  const short = url.hostname === 'youtu.be' ? part(url, /^\/([\w-]{11})$/)?.[1] : undefined
  const long = part(url, /^\/(?:embed|shorts|live)\/([\w-]{11})$/)?.[1]
  const watched = url.pathname === '/watch' ? /^[\w-]{11}$/.exec(url.searchParams.get('v') ?? '')?.[0] : undefined
  const id = short ?? long ?? watched
  return id === undefined ? undefined : `https://www.youtube-nocookie.com/embed/${id}`
}

// An unlisted video needs its second part too.
const vimeo = (url: URL): string | undefined => {
  const [, id, key] = part(url, /^\/(?:video\/)?(\d{1,15})(?:\/([0-9a-f]{6,20}))?$/) ?? []
  const secret = key ?? /^[0-9a-f]{6,20}$/.exec(url.searchParams.get('h') ?? '')?.[0]
  if (id === undefined) return undefined
  return `https://player.vimeo.com/video/${id}${secret === undefined ? '' : `?h=${secret}`}`
}

const loom = (url: URL): string | undefined => {
  const id = part(url, /^\/(?:share|embed)\/([0-9a-f]{32})$/)?.[1]
  return id === undefined ? undefined : `https://www.loom.com/embed/${id}`
}

const spotify = (url: URL): string | undefined => {
  const [, kind, id] = part(url, /^\/(?:embed\/)?(episode|show|track|album|playlist)\/([0-9A-Za-z]{22})$/) ?? []
  return id === undefined ? undefined : `https://open.spotify.com/embed/${kind}/${id}`
}

const soundcloud = (url: URL): string | undefined =>
  part(url, /^(?:\/[\w-]{1,100}){2,3}$/) === undefined
    ? undefined
    : `https://w.soundcloud.com/player/?url=${encodeURIComponent(`https://soundcloud.com${url.pathname}`)}`

const providers: readonly Provider[] = [
  {
    provider: 'youtube',
    hosts: ['youtube.com', 'www.youtube.com', 'm.youtube.com', 'youtu.be', 'www.youtube-nocookie.com'],
    findPlayer: youtube,
  },
  { provider: 'vimeo', hosts: ['vimeo.com', 'www.vimeo.com', 'player.vimeo.com'], findPlayer: vimeo },
  { provider: 'loom', hosts: ['loom.com', 'www.loom.com'], findPlayer: loom },
  { provider: 'spotify', hosts: ['open.spotify.com'], findPlayer: spotify },
  { provider: 'soundcloud', hosts: ['soundcloud.com', 'www.soundcloud.com'], findPlayer: soundcloud },
]

/** The names of the providers that can be embedded. */
export const embedProviders: readonly string[] = providers.map(({ provider }) => provider)

/** An https address without user info, as a browser parses it; undefined for any other text. */
export const secureUrl = (text: string): URL | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : undefined
}

/** The player for an address; undefined when it is not one of a provider. */
export const parseEmbed = (text: string | null): Embed | undefined => {
  const url = text === null ? undefined : secureUrl(text)
  const found = providers.find(({ hosts }) => url !== undefined && hosts.includes(url.host))
  const player = url === undefined ? undefined : found?.findPlayer(url)
  return found === undefined || player === undefined ? undefined : { provider: found.provider, url: player }
}
